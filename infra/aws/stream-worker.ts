import type { DynamoDBStreamEvent } from 'aws-lambda';
import { compose, type Dependencies } from '../../lib/http/composition.ts';
import { handOverEvents } from '../../lib/kit/events/hand-over.ts';
import { composeReaderQueues } from '../../lib/kit/jobs/compose.ts';
import { dispatch } from '../../lib/kit/jobs/dispatch.ts';
import type { Queues } from '../../lib/kit/jobs/queues.ts';
import { taps } from '../../lib/registry.ts';
import { Table } from '../../lib/table/table.ts';

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
