import { countRecords } from '#addons/upkeep/count-records.ts';
import { slotsOfTarget } from '#addons/webhooks/slots.ts';
import { describeFailure } from '#kernel/core/failure.ts';
import type { SendMail } from '#kernel/core/mail/mail.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { settingAside } from '#kernel/kit/jobs/dead-letters.ts';
import { InsertFlow } from '#kernel/kit/jobs/insert-flow.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { type QueueName, queueNames } from '#kernel/kit/jobs/queues.ts';
import { createSqsQueues } from '#kernel/kit/jobs/sqs.ts';
import { partitionNameOf, readMessage } from '#kernel/table/keys.ts';
import { logFaults, readChanges, type StreamRecord } from '#kernel/table/stream.ts';
import { Table } from '#kernel/table/table.ts';
import { createWorks, settleDue, streamFilters, streamWork, sweepEachMinute } from '#registry.ts';
import { runHourly } from './hourly.ts';
import { createLocalTargets } from './local-targets.ts';
import { startQueuePoller } from './queue-poller.ts';
import type { QueueService } from './queue-service.ts';
import { startStreamPoller } from './stream-poller.ts';
import type { ValidationCounts } from './validation-counts.ts';

/** Limits the parallel calls for each queue, because they share one thread and one engine. */
const parallel = 2;
/** Deliveries wait for receivers, so many may run simultaneously. */
const deliveriesAtOnce = 64;
/** The queues that receive thousands of messages. Their workers yield to requests. */
const inBulk: readonly QueueName[] = ['generation', 'bulk', 'segments', 'exports', 'events'];
/** The queues whose workers accept several messages in a call, as in the stack. */
const inBatches: readonly QueueName[] = ['segments', 'events'];
const fair = {
  /** A delivery is stored below its webhook. */
  receiverOf: (body: string) => partitionNameOf(readMessage(body).key).replace(/#[^#]*$/, ''),
  perReceiver: slotsOfTarget,
  kept: 16,
  asideAfterMs: 500,
};
const minuteInMs = 60_000;
/** A batch writes each total once, so larger batches cost less. */
const countEveryMs = 250;

export interface Jobs {
  /** Resolves once all earlier writes are passed on and counted. */
  idle: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Runs all work that follows requests, like the stack: the stream, the queues with their workers, and hourly due work.
 * `gentle` is the client for work of thousands of calls.
 */
export async function startJobs(
  dependencies: Dependencies,
  sendMail: SendMail,
  service: QueueService,
  counts?: ValidationCounts,
  baseUrl = '',
  gentle = dependencies.dynamodb,
  leftOut: readonly string[] = [],
): Promise<Jobs> {
  const { clock, log } = dependencies;
  const { client, urls, files } = service;
  const withQueues = { ...dependencies, queues: createSqsQueues(client, urls), files, flow: new InsertFlow() };
  const inTheBackground = { ...withQueues, dynamodb: gentle };
  const account = createLocalTargets(service);
  const works = createWorks({ sendMail, baseUrl, targets: { allowsLocal: true }, account }, leftOut);
  let isStopped = false;
  const note = (part: string) => (error: unknown) =>
    log(JSON.stringify({ level: 'error', time: clock().toISOString(), part, ...describeFailure(error) }));
  const { dynamodb, tableName } = dependencies;
  const queues = settingAside(withQueues.queues, { client, url: service.deadLetters, clock, log });
  const { handOver } = streamWork(leftOut);
  const read = (records: readonly StreamRecord[]) => readChanges(records, logFaults('stream', { clock, log }));
  counts?.start(dependencies, note('validations'));
  const stream = await startStreamPoller({
    dependencies,
    readers: [
      {
        filters: streamFilters,
        process: (records) => handOver(read(records), { queues, table: new Table(dynamodb, tableName, clock()) }),
      },
      {
        filters: streamFilters,
        process: (records, shardId) => countRecords(new Table(dynamodb, tableName, clock()), shardId, read(records)),
        pollEveryMs: countEveryMs,
      },
    ],
  });
  const pollers = queueNames.map((name) =>
    startQueuePoller({
      client,
      url: urls[name],
      process: (records) =>
        runMessages(records, inBulk.includes(name) ? inTheBackground : withQueues, works, () => isStopped),
      batchSize: inBatches.includes(name) ? 10 : 1,
      ...(name === 'webhooks' ? { parallel: deliveriesAtOnce, fair } : { parallel }),
      onError: note(`${name}-queue`),
    }),
  );
  const due = runHourly(async (isTimeUp) => {
    await settleDue(inTheBackground, isTimeUp, leftOut).catch(note('settle-due'));
  });
  const eachMinute = runHourly(async (isTimeUp) => {
    await sweepEachMinute(withQueues, isTimeUp, leftOut).catch(note('sweep-each-minute'));
  }, minuteInMs);
  return {
    idle: () => stream.idle(),
    stop: async () => {
      isStopped = true;
      await counts?.flush();
      await Promise.all([stream.stop(), due.stop(), eachMinute.stop(), ...pollers.map((poller) => poller.stop())]);
      await service.stop();
    },
  };
}
