import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { readEnvironment } from '#kernel/core/environment.ts';
import { compose, type Dependencies } from '#kernel/http/composition.ts';
import { settingAside } from './dead-letters.ts';
import { InsertFlow } from './insert-flow.ts';
import { type Queues, queueVariable } from './queues.ts';
import type { JobDependencies } from './run.ts';
import { createSqsClient, createSqsQueues } from './sqs.ts';

const url = v.pipe(v.string(), v.url('must be a URL'));

const environment = v.object({
  [queueVariable('generation')]: url,
  [queueVariable('bulk')]: url,
  [queueVariable('mail')]: url,
  [queueVariable('segments')]: url,
  [queueVariable('exports')]: url,
  /** A stage without webhooks has no such queues. */
  [queueVariable('events')]: v.optional(url),
  [queueVariable('webhooks')]: v.optional(url),
  /** The address of a local SQS. */
  SQS_ENDPOINT: v.optional(url),
});

const readerEnvironment = v.object({ DEAD_LETTERS_QUEUE_URL: url, SQS_ENDPOINT: v.optional(url) });

/** Composes the queues of the stream's reader, which sets aside what a queue refuses. */
export function composeReaderQueues(
  env: NodeJS.ProcessEnv,
  { clock, log }: Pick<Dependencies, 'clock' | 'log'>,
): Queues {
  const { DEAD_LETTERS_QUEUE_URL, SQS_ENDPOINT } = readEnvironment(readerEnvironment, env);
  const client = createSqsClient(SQS_ENDPOINT);
  return settingAside(composeQueues(env), { client, url: DEAD_LETTERS_QUEUE_URL, clock, log });
}

function composeQueues(env: NodeJS.ProcessEnv): Queues {
  const { SQS_ENDPOINT, ...urls } = readEnvironment(environment, env);
  return createSqsQueues(createSqsClient(SQS_ENDPOINT), {
    generation: urls.GENERATION_QUEUE_URL,
    bulk: urls.BULK_QUEUE_URL,
    mail: urls.MAIL_QUEUE_URL,
    segments: urls.SEGMENTS_QUEUE_URL,
    exports: urls.EXPORTS_QUEUE_URL,
    ...defined({ events: urls.EVENTS_QUEUE_URL, webhooks: urls.WEBHOOKS_QUEUE_URL }),
  });
}

/** Composes the dependencies of a worker's container. */
export function composeJobs(env: NodeJS.ProcessEnv): JobDependencies {
  return { ...compose(env), queues: composeQueues(env), flow: new InsertFlow() };
}
