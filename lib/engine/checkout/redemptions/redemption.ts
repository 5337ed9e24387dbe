import * as v from 'valibot';
import { heldNumbers } from '#engine/holds/stored.ts';
import { lot } from '#engine/ledger/lots.ts';
import { voucherType } from '#engine/vouchers/voucher.ts';
import { dateTime, integer, metadata } from '#kernel/core/schema.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { addition } from '#kernel/table/addition.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { clearPlace, listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import { keptOrder } from '../orders/redeemed-order.ts';
import { unpackLines } from '../orders/resource.ts';
import { rewardGiven } from '../rewards/reward-redemption.ts';

/** Fields by which redemptions can be filtered. */
export const redemptionFields: FilterFields<ListedRedemption> = {
  voucher_code: 'text',
  related_object_id: 'text',
  related_object_parent_id: 'text',
  parent_redemption_id: { type: 'text', at: ({ redemption }: ListedRedemption) => redemption },
  failure_code: 'text',
  result: 'text',
  object: 'text',
  customer_id: 'text',
  campaign_name: { type: 'text', at: ({ campaign }: ListedRedemption) => campaign },
  // Keys have no user, because redeeming needs no login.
  user_login: { type: 'text', at: () => undefined },
};

const optionalText = v.optional(v.string());

/** The attributes of a redemption in lists. A rollback does not change them. */
export const listedRedemption = v.object({
  id: v.string(),
  object: v.picklist(['redemption', 'redemption_rollback']),
  date: dateTime,
  result: v.picklist(['SUCCESS', 'FAILURE']),
  customer_id: optionalText,
  tracking_id: optionalText,
  /** The id of the parent, or of the redemption that a rollback rolls back. */
  redemption: optionalText,
  failure_code: optionalText,
  related_object_type: v.optional(v.picklist(['voucher', 'promotion_tier', 'redemption'])),
  /** The id of the voucher or tier. A parent has its own. */
  related_object_id: optionalText,
  /** The campaign of the voucher or tier, if any. */
  related_object_parent_id: optionalText,
  campaign: optionalText,
  voucher_code: optionalText,
});

export type ListedRedemption = v.InferOutput<typeof listedRedemption>;

export const rollbackOrderMode = v.picklist(['WITH_ORDER', 'WITHOUT_ORDER']);

/** A stored redemption or rollback, successful or failed. */
export const redemptionItem = v.object({
  ...listedRedemption.entries,
  status: v.picklist(['SUCCEEDED', 'FAILED', 'ROLLED_BACK']),
  metadata: v.optional(metadata),
  /** Credits or points, negative in a rollback. */
  amount: v.optional(integer),
  /** The children of a parent. */
  redemptions: v.optional(v.array(v.string())),
  /** The rollback of the parent, which has the order's lines. */
  parent_rollback: optionalText,
  /** The rollback of the redemption. */
  rollbacks: v.optional(v.array(v.object({ id: v.string(), date: dateTime, rollback_order_mode: rollbackOrderMode }))),
  session_key: optionalText,
  failure_message: optionalText,
  /** Explains a discount of 0 in a successful redemption. */
  result_key: v.optional(v.literal('paid_before')),
  /** The caller's reason for the rollback. */
  reason: optionalText,
  /** The order afterwards. */
  order: v.optional(v.pipe(v.unknown(), v.transform(unpackLines), keptOrder)),
  channel: v.object({ channel_id: v.string(), channel_type: v.picklist(['USER', 'API', 'AUTO_REDEEM']) }),
  voucher_type: v.optional(voucherType),
  /** Differs if the voucher was deleted and another voucher was made with its code. */
  voucher_created_at: v.optional(dateTime),
  /** Credits of a gift card in minor currency units, negative in a rollback. */
  gift_credits: v.optional(integer),
  /** Points of a loyalty card, negative in a rollback. */
  points: v.optional(integer),
  /** The lots of points that were spent without a reward. A rollback returns them. */
  lots: v.optional(v.array(lot)),
  /** The reward for points, as replies show it. */
  reward: v.optional(metadata),
  /** The data for taking the reward back. */
  reward_given: v.optional(rewardGiven),
  /**
   * The additions to counters: of the voucher (uses, credits, points) or tier, and of limits. A rollback subtracts them. A card's balance
   * returns by its ledger.
   */
  taken: v.optional(v.array(addition)),
  held: heldNumbers,
});

export type RedemptionItem = v.InferOutput<typeof redemptionItem>;

export const redemptions = kind(kinds.redemption, redemptionItem);

/**
 * The partitions of lists. A public code is redeemed as fast as a campaign or a project: 8,000 times a second.
 * Existing lists may have fewer.
 */
const spread = { shards: 8 };

export const redemptionLists = {
  created_at: listing(listIndexes.first, 'REDEMPTIONS_BY_CREATION', { ...spread, counted: true }),
  ofCampaign: listing(listIndexes.second, 'REDEMPTIONS_OF_CAMPAIGN', { ...spread, counted: true }),
  customer_id: listing(listIndexes.third, 'REDEMPTIONS_BY_CUSTOMER', spread),
  /** The list of a voucher or a tier. */
  ofObject: listing(listIndexes.fourth, 'REDEMPTIONS_OF_OBJECT', spread),
};

export type RedemptionOrder = 'created_at' | 'id' | 'voucher_code' | 'tracking_id' | 'customer_id';

/** Returns the values by which an order sorts. */
export function placeRedemptionIn(order: RedemptionOrder, listed: ListedRedemption): string[] {
  const { id, date, voucher_code = '', tracking_id = '', customer_id = '' } = listed;
  if (order === 'id') return [id];
  return [{ created_at: date, voucher_code, tracking_id, customer_id }[order], date, id];
}

/** Returns the attributes that put a redemption into its lists. */
export function placeRedemption(projectId: string, item: ListedRedemption): Attributes {
  const { related_object_type, related_object_id, related_object_parent_id } = item;
  const byTime = placeRedemptionIn('created_at', item);
  const isOfObject = related_object_type !== 'redemption' && related_object_id !== undefined;
  return {
    ...placeInList(redemptionLists.created_at, [projectId], byTime),
    ...placeInList(redemptionLists.customer_id, [projectId], placeRedemptionIn('customer_id', item)),
    ...(related_object_parent_id
      ? placeInList(redemptionLists.ofCampaign, [projectId, related_object_parent_id], byTime)
      : clearPlace(redemptionLists.ofCampaign)),
    ...(isOfObject
      ? placeInList(redemptionLists.ofObject, [projectId, related_object_id], byTime)
      : clearPlace(redemptionLists.ofObject)),
    listed: v.parse(listedRedemption, item),
  };
}
