import { Duration } from 'aws-cdk-lib';
import type { QueueName } from '#kernel/kit/jobs/queues.ts';
import { listIndexes } from '#kernel/table/listing.ts';
import { get, grants, projectCredentials, type TableGrant } from './table-grants.ts';

interface QueueClass {
  description: string;
  grant: TableGrant;
  /** Messages in one call. A slow message delays the others in its call. */
  batchSize: number;
  /** Limits simultaneous calls. An account's functions share 1,000 executions, and waiting work does no harm. */
  maxConcurrency: number;
  timeout: Duration;
  memorySizeInMb: number;
}

/** Describes the worker of each queue. Its rights to files come from the add-ons whose jobs it runs (`add-on.ts` of their rooms). */
export const classes: Readonly<Record<QueueName, QueueClass>> = {
  generation: {
    description: 'Generates codes, a chunk of 1,000 a call',
    // PartiQL inserts the codes in batches.
    grant: { actions: [...get, 'PartiQLInsert', 'UpdateItem'] },
    batchSize: 1,
    maxConcurrency: 20,
    timeout: Duration.seconds(60),
    // Memory buys CPU: 1,769 MB is one core. Drawing codes and signing inserts computes more than a request.
    memorySizeInMb: 1024,
  },
  bulk: {
    description:
      'Processes bulk rows, deletes children of deleted objects, fills new segments, and ends the state MODIFYING',
    // The worker has the rights of the operations that it works for.
    grant: grants.write,
    batchSize: 1,
    maxConcurrency: 10,
    timeout: Duration.seconds(60),
    // The worker holds a body of 4 MB as objects, and the rows in progress.
    memorySizeInMb: 1024,
  },
  mail: {
    description: 'Sends mails',
    grant: { actions: [...get, 'DeleteItem', 'UpdateItem'] },
    batchSize: 1,
    maxConcurrency: 2,
    timeout: Duration.seconds(60),
    memorySizeInMb: 512,
  },
  segments: {
    description: 'Finds the segments that a changed customer enters and leaves',
    grant: { actions: [...get, 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'] },
    batchSize: 10,
    maxConcurrency: 20,
    timeout: Duration.seconds(60),
    memorySizeInMb: 512,
  },
  exports: {
    description: 'Writes exports by slices, erases persons, archives and removes old records, and deletes projects',
    grant: {
      actions: [...get, 'DeleteItem', 'Query', 'Scan', 'UpdateItem'],
      indexes: [listIndexes.first, listIndexes.third],
      makes: ['*#PROJECT', 'PROJECTS', 'TOKEN#*', 'USER_ACCOUNT#*', ...projectCredentials],
    },
    batchSize: 1,
    maxConcurrency: 5,
    timeout: Duration.minutes(5),
    // One call builds a whole file and holds sorted rows in memory. Computing lines uses one core.
    memorySizeInMb: 1769,
  },
  events: {
    description: 'Builds the payloads of events that webhooks ask for',
    // Events about validation rules count assignments by the second index.
    grant: { actions: [...get, 'PutItem', 'Query'], indexes: [listIndexes.second] },
    batchSize: 10,
    maxConcurrency: 10,
    timeout: Duration.seconds(60),
    memorySizeInMb: 1024,
  },
  webhooks: {
    description: 'Delivers events to webhooks',
    grant: { actions: [...get, 'DeleteItem', 'PutItem', 'UpdateItem'] },
    // Deliveries of one call run simultaneously, and each waits up to ten seconds for its receiver.
    batchSize: 10,
    maxConcurrency: 50,
    timeout: Duration.seconds(60),
    memorySizeInMb: 512,
  },
};
