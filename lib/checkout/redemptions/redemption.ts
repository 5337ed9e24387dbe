import * as v from 'valibot';
import { dateTime, integer, metadata } from '../../core/schema.ts';
import { lot } from '../../ledger/lots.ts';
import { added } from '../../table/added.ts';
import type { Attributes } from '../../table/item.ts';
import { kind } from '../../table/kind.ts';
import { listIndexes, listing, placed, unplaced } from '../../table/listing.ts';
import { voucherType } from '../../vouchers/voucher.ts';
import { unpackLines } from '../orders/packed-lines.ts';
import { keptOrder } from '../orders/redeemed-order.ts';
import { rewardGiven } from '../rewards/reward-redemption.ts';

const optionalText = v.optional(v.string());

/** What lists know of a redemption without reading it: nothing that changes when it is rolled back. */
export const listedRedemption = v.object({
  id: v.string(),
  object: v.picklist(['redemption', 'redemption_rollback']),
  date: dateTime,
  result: v.picklist(['SUCCESS', 'FAILURE']),
  customer_id: optionalText,
  tracking_id: optionalText,
  /** Of one of several at once, their parent; of a rollback, what was rolled back. */
  redemption: optionalText,
  failure_code: optionalText,
  related_object_type: v.optional(v.picklist(['voucher', 'promotion_tier', 'redemption'])),
  /** The voucher's id or the tier's; of a parent its own. */
  related_object_id: optionalText,
  /** The campaign, of a voucher that has one and of a tier. */
  related_object_parent_id: optionalText,
  campaign: optionalText,
  voucher_code: optionalText,
});

export type ListedRedemption = v.InferOutput<typeof listedRedemption>;

export const rollbackOrderMode = v.picklist(['WITH_ORDER', 'WITHOUT_ORDER']);

/** A redemption or a rollback, whether it came about or not. */
export const redemptionItem = v.object({
  ...listedRedemption.entries,
  status: v.picklist(['SUCCEEDED', 'FAILED', 'ROLLED_BACK']),
  metadata: v.optional(metadata),
  /** Credits, or points; of a rollback below 0. */
  amount: v.optional(integer),
  /** Of a parent: those that belong to it. */
  redemptions: v.optional(v.array(v.string())),
  /** Of the rollback of one of several: that of their parent, which has the lines of the order. */
  parent_rollback: optionalText,
  /** By which it was rolled back. */
  rollbacks: v.optional(v.array(v.object({ id: v.string(), date: dateTime, rollback_order_mode: rollbackOrderMode }))),
  session_key: optionalText,
  failure_message: optionalText,
  /** Why it was rolled back, as the caller said. */
  reason: optionalText,
  /** As it was left. */
  order: v.optional(v.pipe(v.unknown(), v.transform(unpackLines), keptOrder)),
  channel: v.object({ channel_id: v.string(), channel_type: v.picklist(['USER', 'API', 'AUTO_REDEEM']) }),
  voucher_type: v.optional(voucherType),
  /** Differs where the voucher was deleted and another one was made under its code. */
  voucher_created_at: v.optional(dateTime),
  /** Taken from a gift card, in minor currency units; of a rollback below 0. */
  gift_credits: v.optional(integer),
  /** Taken from a loyalty card; of a rollback below 0. */
  points: v.optional(integer),
  /** Of points that were taken without a reward that keeps them: the lots that they were of, as which they come back. */
  lots: v.optional(v.array(lot)),
  /** What was received for points, as it is shown. */
  reward: v.optional(metadata),
  /** And what it takes to take it back. */
  reward_given: v.optional(rewardGiven),
  /**
   * What it added to counters: of the voucher (how often, credits, points) or tier, and of limits. A rollback takes it off them
   * again; a card's balance comes back by its ledger.
   */
  taken: v.optional(v.array(added)),
});

export type RedemptionItem = v.InferOutput<typeof redemptionItem>;

export const redemptions = kind('REDEMPTION', redemptionItem);

/** One code for everybody is redeemed as fast as a campaign or a project: 8,000 times a second. Lists keep what stands in fewer partitions. */
const spread = { shards: 8 };

export const redemptionLists = {
  created_at: listing(listIndexes.first, 'REDEMPTIONS_BY_CREATION', { ...spread, counted: true }),
  ofCampaign: listing(listIndexes.second, 'REDEMPTIONS_OF_CAMPAIGN', { ...spread, counted: true }),
  customer_id: listing(listIndexes.third, 'REDEMPTIONS_BY_CUSTOMER', spread),
  /** Of a voucher or a tier. */
  ofObject: listing(listIndexes.fourth, 'REDEMPTIONS_OF_OBJECT', spread),
};

export type RedemptionOrder = 'created_at' | 'id' | 'voucher_code' | 'tracking_id' | 'customer_id';

/** What an order goes by. */
export function placeIn(order: RedemptionOrder, listed: ListedRedemption): string[] {
  const { id, date, voucher_code = '', tracking_id = '', customer_id = '' } = listed;
  if (order === 'id') return [id];
  return [{ created_at: date, voucher_code, tracking_id, customer_id }[order], date, id];
}

/** The attributes by which it stands in its lists. */
export function redemptionPlaces(projectId: string, item: ListedRedemption): Attributes {
  const { related_object_type, related_object_id, related_object_parent_id } = item;
  const byTime = placeIn('created_at', item);
  const isOfObject = related_object_type !== 'redemption' && related_object_id !== undefined;
  return {
    ...placed(redemptionLists.created_at, [projectId], byTime),
    ...placed(redemptionLists.customer_id, [projectId], placeIn('customer_id', item)),
    ...(related_object_parent_id
      ? placed(redemptionLists.ofCampaign, [projectId, related_object_parent_id], byTime)
      : unplaced(redemptionLists.ofCampaign)),
    ...(isOfObject
      ? placed(redemptionLists.ofObject, [projectId, related_object_id], byTime)
      : unplaced(redemptionLists.ofObject)),
    listed: v.parse(listedRedemption, item),
  };
}
