import { gzipSync } from 'node:zlib';
import { describeFailure } from '../../core/failure.ts';
import { writeFactLine } from './fact-lines.ts';
import { missedArea } from './fact-places.ts';
import type { FactStream } from './fact-stream.ts';
import type { Fact } from './fact-tables.ts';
import type { FactBucket } from './pack/fact-bucket.ts';

export interface FactDelivery {
  readonly stream: FactStream;
  readonly bucket: Pick<FactBucket, 'write'>;
  readonly clock: () => Date;
  /** Receives why Firehose failed. */
  readonly note: (error: unknown) => void;
}

/** Firehose rests for this time after a failure, because each failure takes seconds that totals wait for. */
const restInMs = 60_000;

/**
 * Returns a function that hands facts of a named batch to Firehose. While Firehose fails, it writes them beside the files of Firehose, a file
 * for each batch. It throws only if both fail. A batch that comes again counts once (docs/decisions.md#d-193).
 */
export function createFactDelivery({ stream, bucket, clock, note }: FactDelivery) {
  let restsUntil = 0;
  return async (batch: string, facts: readonly Fact[]): Promise<void> => {
    if (facts.length === 0) return;
    if (clock().getTime() >= restsUntil) {
      try {
        return await stream.send(facts);
      } catch (error) {
        restsUntil = clock().getTime() + restInMs;
        note(describeFailure(error));
      }
    }
    await bucket.write(`${missedArea}/${batch}.gz`, gzipSync(facts.map(writeFactLine).join('')));
  };
}
