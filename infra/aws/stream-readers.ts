import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { countedKeys } from '../../lib/background/counted.ts';
import { recordFilters } from '../../lib/kit/jobs/dispatch.ts';
import { countedFilters } from '../../lib/table/totals.ts';
import type { JobQueues } from './job-queues.ts';
import { StreamReaderFunction, type StreamReaderProps } from './stream-reader-function.ts';
import { get } from './table-grants.ts';

type Common = Pick<StreamReaderProps, 'bundleDir' | 'table' | 'settings' | 'alarms'>;

/** Only hands over, and has no right to the table. */
export function createStreamWorker(scope: Construct, { jobQueues, ...common }: Common & { jobQueues: JobQueues }) {
  const worker = new StreamReaderFunction(scope, 'stream-worker', {
    ...common,
    description: 'Hands over what requests left to be done later, from the stream of the table to the queues',
    grant: { actions: [] },
    environment: jobQueues.environment,
    filters: recordFilters,
    batchSize: 100,
    reservedConcurrency: common.settings.reservedConcurrency?.streamReader,
    words: {
      name: 'The stream worker',
      failure: 'what requests left to be done is tried again, and after a day left to the hourly sweep',
      givenUp: 'its queue says which, the hourly sweep hands them over',
    },
  });
  jobQueues.grantSend(worker.function);
  return worker;
}

/** Counts what comes into lists and leaves them, and points by campaigns; touches nothing but totals and counters. */
export function createTotalsWorker(scope: Construct, common: Common) {
  return new StreamReaderFunction(scope, 'totals-worker', {
    ...common,
    description: 'Counts the elements of long lists, from the stream of the table',
    grant: { actions: [...get, 'UpdateItem'], keys: countedKeys },
    filters: countedFilters,
    // A total is written once for all that a batch adds to its list.
    batchSize: 1_000,
    window: Duration.seconds(10),
    reservedConcurrency: common.settings.reservedConcurrency?.streamReader,
    words: {
      name: 'The totals worker',
      givenUp: 'totals of long lists are off by what its queue names',
    },
  });
}
