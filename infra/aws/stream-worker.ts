import type { DynamoDBStreamEvent } from 'aws-lambda';
import { handOverEvents } from '#addons/webhooks/events/hand-over.ts';
import { compose, type Dependencies } from '#kernel/http/composition.ts';
import { composeReaderQueues } from '#kernel/kit/jobs/compose.ts';
import { dispatch } from '#kernel/kit/jobs/dispatch.ts';
import type { Queues } from '#kernel/kit/jobs/queues.ts';
import { Table } from '#kernel/table/table.ts';
import { taps } from '#registry.ts';

let composed: { queues: Queues; own: Dependencies } | undefined;

function composeReader(env: NodeJS.ProcessEnv) {
  const own = compose(env);
  return { own, queues: composeReaderQueues(env, own) };
}

/**
 * Lambda calls this handler with records of the table's stream. A failed batch is delivered again as a whole, and
 * nothing is done twice. A message that its queue refuses becomes a dead letter, and the others are sent.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  composed ??= composeReader(process.env);
  const { queues, own } = composed;
  await dispatch(Records, queues, taps);
  await handOverEvents(Records, { queues, table: new Table(own.dynamodb, own.tableName, own.clock()) });
}
