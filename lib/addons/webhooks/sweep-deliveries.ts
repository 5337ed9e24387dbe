import { describeFailure } from '#kernel/core/failure.ts';
import type { JobDependencies } from '#kernel/kit/jobs/run.ts';
import { parseStored } from '#kernel/table/item.ts';
import { dueShards, indexed, keyOf, readProjectId } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { deliveries } from './delivery.ts';
import { deliveryMessage, noteSweep } from './store-delivery.ts';

/** Limits the deliveries that are read together. */
const atOnce = 100;

/**
 * Sends the messages of deliveries that are due: long waits that end, and messages that were lost. It runs each minute.
 */
export async function sweepDeliveries(
  {
    dynamodb,
    tableName,
    clock,
    queues,
    log,
  }: Pick<JobDependencies, 'dynamodb' | 'tableName' | 'clock' | 'queues' | 'log'>,
  isTimeUp: () => boolean = () => false,
): Promise<number> {
  const now = clock();
  const table = new Table(dynamodb, tableName, now);
  let sent = 0;
  for (let shard = 0; shard < dueShards; shard++) {
    const due = { index: 'due', partition: indexed.dueDeliveries(shard), to: now.toISOString(), atOnce } as const;
    try {
      for await (const page of table.pages(due)) {
        if (isTimeUp()) return sent;
        const stored = await table.getMany(page.map(keyOf));
        const waiting = stored.flatMap((item) => {
          const delivery = item && parseStored(deliveries.schema, item);
          const isDue = delivery?.status === 'PENDING' && String(item?.dueAt) <= now.toISOString();
          return item && delivery && isDue ? [{ key: keyOf(item), delivery }] : [];
        });
        await queues.send(
          'webhooks',
          waiting.map(({ key, delivery }) => deliveryMessage(readProjectId(key), delivery)),
        );
        await Promise.all(
          waiting.map(({ key, delivery }) => table.change(key, noteSweep(readProjectId(key), delivery, now).build())),
        );
        sent += waiting.length;
      }
    } catch (error) {
      log(
        JSON.stringify({
          level: 'error',
          time: now.toISOString(),
          job: 'sweep-deliveries',
          shard,
          ...describeFailure(error),
        }),
      );
    }
  }
  return sent;
}
