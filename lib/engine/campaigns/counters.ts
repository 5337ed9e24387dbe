import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import { formatDay } from '#kernel/core/calendar.ts';
import { integer } from '#kernel/core/schema.ts';
import { clampToSafe } from '#kernel/core/sum.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { childKind, type ItemKey } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { readBetween } from '#kernel/table/read.ts';

const counter = v.optional(integer, 0);

/** Counts events of a campaign on one day, in the zone that its project had then. Amounts are in minor currency units. */
const countsItem = v.object({
  vouchers_created: counter,
  vouchers_deleted: counter,
  publications_succeeded: counter,
  publications_failed: counter,
  redemptions_succeeded: counter,
  redemptions_failed: counter,
  rollbacks_succeeded: counter,
  rollbacks_failed: counter,
  /** Counts redeemables of validations, from the log (`count-validations.ts`). */
  validations_succeeded: counter,
  validations_failed: counter,
  /** Sums the amounts of the orders of redemptions, and their discounts. */
  orders_amount: counter,
  orders_rolledback_amount: counter,
  discounted_amount: counter,
  rolledback_discounted_amount: counter,
  /** Counts the customers that the campaign's codes brought. */
  referred_customers: counter,
  amount_redeemed: counter,
  amount_rolledback: counter,
  points_redeemed: counter,
  points_rolledback: counter,
  /** Sums the opening balances of new gift vouchers and cards, and the last balances of deleted vouchers and cards. */
  created_vouchers_amount: counter,
  amount_deleted: counter,
  created_vouchers_points: counter,
  points_deleted: counter,
  /** Sums adjustments of balances, and balances that an update sets. */
  amount_added: counter,
  amount_subtracted: counter,
  points_added: counter,
  points_subtracted: counter,
  /** Sums entries of ledgers. The stream counts them, and redemptions and rollbacks (`count-records.ts`). */
  points_rewarded: counter,
  points_expired: counter,
  points_transferred_in: counter,
  points_transferred_out: counter,
  pending_points_added: counter,
  pending_points_subtracted: counter,
  pending_points_activated: counter,
  pending_points_canceled: counter,
});

export type CampaignCounts = v.InferOutput<typeof countsItem>;

/** DynamoDB cancels transactions that conflict on an item, so each transaction uses one of several items. */
const shards = 8;

/** Figures that are counted after the writes have a separate item, where a single writer collects them. */
const behind = 'behind';

const partitions = [...Array.from({ length: shards }, (_, shard) => String(shard)), behind];

const days = childKind<typeof countsItem, [campaignId: string, partition: string]>(
  { kind: kinds.campaignDays },
  kinds.campaignDay,
  countsItem,
);

/**
 * Counts in the transaction of the event. Call it once for each campaign in a transaction, because a second call would
 * choose a different item.
 */
export function countEvents(
  projectId: string,
  campaignId: string,
  now: Date,
  moves: Partial<CampaignCounts>,
): Effect[] {
  if (Object.values(moves).every((by) => by === 0)) return [];
  const key = days(projectId, campaignId, String(randomInt(shards)), formatDay(now));
  return [change(key, (update) => update.addAll(moves))];
}

/** Matches the partition keys of items that are counted after the writes, as an IAM pattern. */
export const countedBehindKeys = `*#CAMPAIGN_DAYS#*#${behind}`;

/** Returns the key of the item that counts a day after the writes. */
export function counterBehind(projectId: string, campaignId: string, day: string) {
  return days(projectId, campaignId, behind, day);
}

/** Sums each counter from one day to another, both included. Leaves out counters without events. */
export async function sumCounts(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  campaignId: string,
  { from = '0000-01-01', to = '9999-12-31' }: { from?: string | undefined; to?: string | undefined },
): Promise<Readonly<Record<string, number>>> {
  const at = (partition: string, day: string) => days(project.id, campaignId, partition, day);
  const read = partitions.map((partition) => readBetween(table, at(partition, from), at(partition, to)));
  const sums: Record<string, number> = {};
  for (const item of (await Promise.all(read)).flat()) {
    for (const [name, by] of Object.entries(item)) sums[name] = clampToSafe((sums[name] ?? 0) + by);
  }
  return sums;
}

/** Yields the keys of all counters of a campaign, for their deletion. */
export async function* listCounters({ table, project }: Reading, campaignId: string): AsyncGenerator<ItemKey> {
  for (const partition of partitions) {
    const own = days(project.id, campaignId, partition, '');
    for await (const page of table.pages(days.all(project.id, campaignId, partition))) {
      for (const item of page) yield { ...own, ...keyOf(item) };
    }
  }
}
