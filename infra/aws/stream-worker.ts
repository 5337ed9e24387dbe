import type { DynamoDBStreamEvent } from 'aws-lambda';
import { compose, type Dependencies } from '#kernel/http/composition.ts';
import { composeReaderQueues } from '#kernel/kit/jobs/compose.ts';
import type { Queues } from '#kernel/kit/jobs/queues.ts';
import { logFaults, readChanges } from '#kernel/table/stream.ts';
import { Table } from '#kernel/table/table.ts';
import { streamWork } from '#registry.ts';
import { leftOutIn } from '../left-out.ts';

let composed: { queues: Queues; own: Dependencies; stream: ReturnType<typeof streamWork> } | undefined;

function composeReader(env: NodeJS.ProcessEnv) {
  const own = compose(env);
  return { own, queues: composeReaderQueues(env, own), stream: streamWork(leftOutIn(env)) };
}

/**
 * Lambda calls this handler with records of the table's stream. A failed batch is delivered again as a whole, and
 * nothing is done twice. A message that its queue refuses becomes a dead letter, and the others are sent.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  composed ??= composeReader(process.env);
  const { queues, own, stream } = composed;
  const changes = readChanges(Records, logFaults('stream', own));
  await stream.handOver(changes, { queues, table: new Table(own.dynamodb, own.tableName, own.clock()) });
}
