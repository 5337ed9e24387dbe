import { campaignKeys } from '../campaigns/campaign.ts';
import { countCampaigns } from '../campaigns/count-records.ts';
import { countedBehindKeys } from '../campaigns/counters.ts';
import { allOf } from '../core/all-of.ts';
import { timezoneKeys } from '../http/projects/timezones.ts';
import type { StreamRecord } from '../table/stream.ts';
import type { Table } from '../table/table.ts';
import { countChanges, totalKeys } from '../table/totals.ts';

/** Counts behind the writes: the lengths of lists, and the events of campaigns. */
export async function countRecords(table: Table, shardId: string, records: readonly StreamRecord[]): Promise<void> {
  await allOf([countChanges, countCampaigns].map((count) => count(table, shardId, records)));
}

/** Patterns of IAM for the partition keys of the counted items, and of the projects, whose zones decide the day. */
export const countedKeys: readonly string[] = [totalKeys, countedBehindKeys, campaignKeys, timezoneKeys];
