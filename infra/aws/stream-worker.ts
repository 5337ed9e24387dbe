import type { DynamoDBStreamEvent } from 'aws-lambda';
import { composeQueues } from '../../lib/kit/jobs/compose.ts';
import { dispatch } from '../../lib/kit/jobs/dispatch.ts';
import type { Queues } from '../../lib/kit/jobs/queues.ts';

let queues: Queues | undefined;

/** What Lambda calls with records of the table's stream. A batch that fails is handed over again whole: nothing is done twice. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  queues ??= composeQueues(process.env);
  await dispatch(Records, queues);
}
