import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { callTimes, chooseEndpoint } from '#kernel/core/aws-client.ts';
import { pause } from '#kernel/table/conflicts.ts';
import { writeFactLine } from './fact-lines.ts';
import type { Fact } from './fact-tables.ts';

/** Hands facts to Firehose, which collects lines of some minutes into one file (docs/decisions/reports-and-facts.md#d-181). */
export interface FactStream {
  /** Throws if facts were not accepted. Facts that are sent again count once. */
  readonly send: (facts: readonly Fact[]) => Promise<void>;
}

/** Firehose accepts records of 1,000 KiB, and calls of 4 MiB. It bills each record as a multiple of 5 KB. */
const recordBytes = 900_000;
const recordsOfCall = 4;

const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 5_000 };

const mostAttempts = 5;
const firstPauseInMs = 100;

/** Joins lines into records of at most `recordBytes`. */
function* joinLines(facts: readonly Fact[]): Generator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for (const fact of facts) {
    const line = Buffer.from(writeFactLine(fact));
    if (bytes + line.length > recordBytes && held.length > 0) {
      yield Buffer.concat(held);
      held = [];
      bytes = 0;
    }
    held.push(line);
    bytes += line.length;
  }
  if (held.length > 0) yield Buffer.concat(held);
}

export function createFirehoseClient(endpoint?: string): FirehoseClient {
  return new FirehoseClient({ requestHandler: callTimes(times), ...chooseEndpoint(endpoint) });
}

export function createFactStream(client: FirehoseClient, name: string, waitFor = pause): FactStream {
  /** Returns the records that Firehose refused, although it took the call. */
  async function put(records: readonly Buffer[]): Promise<Buffer[]> {
    const Records = records.map((Data) => ({ Data }));
    const call = new PutRecordBatchCommand({ DeliveryStreamName: name, Records });
    const { FailedPutCount = 0, RequestResponses = [] } = await client.send(call);
    if (FailedPutCount === 0) return [];
    return records.filter((_, index) => RequestResponses[index]?.ErrorCode !== undefined);
  }

  async function putAll(records: readonly Buffer[]): Promise<void> {
    let left = records;
    for (let attempt = 1; ; attempt++) {
      left = await put(left);
      if (left.length === 0) return;
      if (attempt === mostAttempts) throw new Error(`Firehose refused ${left.length} records of facts`);
      await waitFor(firstPauseInMs * 2 ** attempt);
    }
  }

  return {
    send: async (facts) => {
      const records = [...joinLines(facts)];
      for (let first = 0; first < records.length; first += recordsOfCall) {
        await putAll(records.slice(first, first + recordsOfCall));
      }
    },
  };
}
