import * as v from 'valibot';
import { readEnvironment } from '#kernel/core/environment.ts';
import { queueVariable } from '#kernel/kit/jobs/queues.ts';
import { createSqsClient } from '#kernel/kit/jobs/sqs.ts';
import { type AccountTargets, createBusSender, createQueueSender } from './account-targets.ts';

const url = v.pipe(v.string(), v.url('must be a URL'));

const environment = v.object({
  [queueVariable('webhooks')]: url,
  /** The addresses of local services. */
  SQS_ENDPOINT: v.optional(url),
  EVENTBRIDGE_ENDPOINT: v.optional(url),
});

/** Composes the senders of a worker. `allowed` lists targets with spaces between them. */
export function composeAccountTargets(allowed: string, env: NodeJS.ProcessEnv): AccountTargets {
  const { WEBHOOKS_QUEUE_URL, SQS_ENDPOINT, EVENTBRIDGE_ENDPOINT } = readEnvironment(environment, env);
  return {
    allowed: allowed.split(' ').filter(Boolean),
    sqs: createQueueSender(createSqsClient(SQS_ENDPOINT), WEBHOOKS_QUEUE_URL),
    eventbridge: createBusSender(EVENTBRIDGE_ENDPOINT),
  };
}
