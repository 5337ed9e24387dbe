import { gunzipSync } from 'node:zlib';
import type { CloudWatchLogsEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { FactStream } from '#addons/reports/facts/fact-stream.ts';
import { findRefusalFacts } from '#addons/reports/facts/refusal-facts.ts';
import { countValidations, type LogEvent } from '#engine/campaigns/count-validations.ts';
import { allOf } from '#kernel/core/all-of.ts';
import { compose, type Dependencies } from '#kernel/http/composition.ts';
import { Table } from '#kernel/table/table.ts';

/** CloudWatch Logs delivers log events, gzipped, and sometimes a message that only tests the connection. */
const delivery = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    messageType: v.string(),
    logEvents: v.optional(v.array(v.object({ id: v.string(), message: v.string() })), []),
  }),
);

/** Reads the log events of a delivery. A test message has none. */
export function readDelivery(data: string): LogEvent[] {
  const { messageType, logEvents } = v.parse(delivery, gunzipSync(Buffer.from(data, 'base64')).toString());
  return messageType === 'DATA_MESSAGE' ? logEvents : [];
}

let composed: { own: Dependencies; facts: FactStream | undefined } | undefined;

/** Loads the stream of facts in deployments with reports alone. */
async function composeLogWorker(env: NodeJS.ProcessEnv) {
  const own = compose(env);
  if (env.FACT_STREAM === undefined) return { own, facts: undefined };
  const { composeFactStream } = await import('#addons/reports/facts/compose-stream.ts');
  return { own, facts: composeFactStream(env, own) };
}

/**
 * Counts the validations in the log lines of a subscription, and hands over refusals as facts. Neither waits for the
 * other. A failed delivery is tried again as a whole, and both parts count once.
 */
export async function handler({ awslogs }: CloudWatchLogsEvent): Promise<void> {
  const events = readDelivery(awslogs.data);
  if (events.length === 0) return;
  composed ??= await composeLogWorker(process.env);
  const { own, facts } = composed;
  const { dynamodb, tableName, clock } = own;
  const now = clock();
  await allOf([
    countValidations(new Table(dynamodb, tableName, now), now, events),
    facts?.send(findRefusalFacts(events)),
  ]);
}
