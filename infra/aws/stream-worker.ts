import type { DynamoDBStreamEvent } from 'aws-lambda';
import { composeQueues } from '../../lib/kit/jobs/compose.ts';
import { dispatch } from '../../lib/kit/jobs/dispatch.ts';
import type { Queues } from '../../lib/kit/jobs/queues.ts';

let queues: Queues | undefined;

/**
 * Lambda calls this handler with records of the table's stream. A failed batch is delivered again as a whole, and
 * nothing is done twice.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  queues ??= composeQueues(process.env);
  await dispatch(Records, queues);
}
