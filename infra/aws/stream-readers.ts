import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { countedKeys } from '#addons/upkeep/count-records.ts';
import { streamFilters, streamWork } from '#registry.ts';
import { leftOutVariable } from '../left-out.ts';
import type { JobQueues } from './job-queues.ts';
import { factEnvironment, grantFacts, type ReportPlace } from './report-rights.ts';
import { StreamReaderFunction, type StreamReaderProps } from './stream-reader-function.ts';
import { get } from './table-grants.ts';

type Common = Pick<StreamReaderProps, 'bundleDir' | 'table' | 'settings' | 'alarms'>;

/** Hands work over only. Of the table it reads only what add-ons of the stage need for that, such as the webhooks of a project. */
export function createStreamWorker(
  scope: Construct,
  { jobQueues, leaveOut = [], ...common }: Common & { jobQueues: JobQueues; leaveOut?: readonly string[] | undefined },
) {
  const { keys } = streamWork(leaveOut);
  const worker = new StreamReaderFunction(scope, 'stream-worker', {
    ...common,
    description: 'Hands over the asynchronous work of requests, from the stream of the table to the queues',
    grant: keys.length > 0 ? { actions: ['Query'], keys } : { actions: [] },
    environment: { ...jobQueues.environment, ...leftOutVariable(leaveOut) },
    filters: streamFilters,
    batchSize: 100,
    reservedConcurrency: common.settings.reservedConcurrency?.streamReader,
    words: {
      name: 'The stream worker',
      failure: 'the asynchronous work of requests is tried again, and after a day the hourly sweep does it',
      givenUp: 'its queue names them, or the items whose messages were refused, and the hourly sweep hands over jobs',
    },
  });
  jobQueues.grantSend(worker.function);
  // The event source lets the function send to this queue already.
  worker.function.addEnvironment('DEAD_LETTERS_QUEUE_URL', worker.deadLetters.queueUrl);
  return worker;
}

/**
 * Counts elements of lists, and points by campaigns. It touches only totals and counters. With reports it also hands
 * facts over, because a shard allows two readers.
 */
export function createTotalsWorker(
  scope: Construct,
  { reports, ...common }: Common & { reports?: ReportPlace | undefined },
) {
  const worker = new StreamReaderFunction(scope, 'totals-worker', {
    ...common,
    description: 'Counts the elements of long lists, from the stream of the table',
    ...(reports ? { environment: factEnvironment(reports) } : {}),
    grant: { actions: [...get, 'UpdateItem'], keys: countedKeys },
    filters: streamFilters,
    // A batch writes each total once.
    batchSize: 1_000,
    window: Duration.seconds(10),
    reservedConcurrency: common.settings.reservedConcurrency?.streamReader,
    words: {
      name: 'The totals worker',
      givenUp: 'totals of long lists, and reports, miss the records that its queue names',
    },
  });
  if (reports) grantFacts(worker.function, reports);
  return worker;
}
