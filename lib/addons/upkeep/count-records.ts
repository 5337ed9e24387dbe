import { campaignKeys } from '#engine/campaigns/campaign.ts';
import { figuresConsumer } from '#engine/campaigns/count-records.ts';
import { countedBehindKeys } from '#engine/campaigns/counters.ts';
import { timezoneKeys } from '#kernel/access/projects/timezones.ts';
import { allOf } from '#kernel/core/all-of.ts';
import { totalKeys, totalsConsumer } from '#kernel/table/count-totals.ts';
import type { ItemChange } from '#kernel/table/stream.ts';
import type { Table } from '#kernel/table/table.ts';

/** Counts after the writes: the lengths of lists, and the events of campaigns. */
export async function countRecords(table: Table, shardId: string, changes: readonly ItemChange[]): Promise<void> {
  await allOf([totalsConsumer, figuresConsumer].map(({ count }) => count(table, shardId, changes)));
}

/** Patterns of IAM for the partition keys of the counted items, and of the projects, whose zones decide the day. */
export const countedKeys: readonly string[] = [totalKeys, countedBehindKeys, campaignKeys, timezoneKeys];
