import * as v from 'valibot';
import { readSurroundings } from '#engine/campaigns/promotions/find-tiers.ts';
import { presentPromotionTier } from '#engine/campaigns/promotions/present-tier.ts';
import {
  type PromotionTier,
  type PromotionTierItem,
  promotionTier,
  promotionTiers,
} from '#engine/campaigns/promotions/promotion-tier.ts';
import { type BriefCustomer, briefCustomer, presentBriefly } from '#engine/customers/brief-customer.ts';
import { type CustomerItem, customers } from '#engine/customers/customer.ts';
import { showVouchers } from '#engine/vouchers/present-voucher.ts';
import {
  type PartialVoucher,
  partialVoucher,
  presentPartly,
  type VoucherItem,
  vouchers,
} from '#engine/vouchers/voucher.ts';
import { described, named } from '#kernel/core/documented.ts';
import { count, dateTime, integer, metadata } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import { omitEmpty } from '../orders/line.ts';
import { redeemedOrder } from '../orders/redeemed-order.ts';
import { paidBefore } from '../request/show-redeemable.ts';
import { why } from '../request/shown-redeemable.ts';
import { type RedemptionItem, redemptionItem, redemptions, rollbackOrderMode } from './redemption.ts';

const { channel, related_object_type, result } = redemptionItem.entries;
const orNull = v.nullable(v.string());

export const slimVoucher = v.object({
  id: v.string(),
  code: v.string(),
  campaign: orNull,
  campaign_id: orNull,
  object: v.literal('voucher'),
});

const shared = {
  id: v.string(),
  date: dateTime,
  customer_id: orNull,
  tracking_id: orNull,
  metadata: v.nullable(metadata),
  amount: v.optional(integer),
  result,
  failure_code: v.optional(v.string()),
  failure_message: v.optional(v.string()),
  order: v.nullable(redeemedOrder),
  channel,
  /** `null` if the customer was deleted. */
  customer: v.nullable(briefCustomer),
  related_object_type,
  related_object_id: v.optional(v.string()),
  /** Absent if the voucher is unknown. */
  voucher: v.optional(v.union([partialVoucher, slimVoucher])),
  /** `null` if the tier was deleted. */
  promotion_tier: v.optional(v.nullable(promotionTier)),
  reward: v.optional(metadata),
  gift: v.optional(v.object({ amount: integer })),
  loyalty_card: v.optional(v.object({ points: integer })),
};

const related = v.object({ id: v.string(), date: dateTime });

export const redemption = named(
  'Redemption',
  v.object({
    ...shared,
    object: v.literal('redemption'),
    /** The id of the parent, if this is one of several redemptions. */
    redemption: orNull,
    status: v.picklist(['SUCCEEDED', 'FAILED', 'ROLLED_BACK']),
    result_details: described(
      v.optional(why),
      'Says why a successful redemption of a discount took nothing: `paid_before` if credits or points were applied before it.',
    ),
    session: v.optional(v.object({ key: v.string() })),
    related_redemptions: v.optional(
      v.object({
        rollbacks: v.optional(v.array(v.object({ ...related.entries, rollback_order_mode: rollbackOrderMode }))),
        redemptions: v.optional(v.array(related)),
      }),
    ),
  }),
);

export type Redemption = v.InferOutput<typeof redemption>;

export const rollback = named(
  'RedemptionRollback',
  v.object({
    ...shared,
    object: v.literal('redemption_rollback'),
    /** The id of the redemption that was rolled back. */
    redemption: v.string(),
    reason: orNull,
    status: v.picklist(['SUCCEEDED', 'FAILED']),
  }),
);

export type Rollback = v.InferOutput<typeof rollback>;

export const redemptionOrRollback = v.variant('object', [redemption, rollback]);

export const redemptionList = v.object({
  object: v.literal('list'),
  data_ref: v.literal('redemptions'),
  redemptions: v.array(redemptionOrRollback),
  total: count,
  has_more: v.boolean(),
});

/** The objects that a redemption shows. */
export interface RelatedObjects {
  readonly voucher?: PartialVoucher | undefined;
  readonly promotion_tier?: PromotionTier | undefined;
  readonly customer?: BriefCustomer | undefined;
}

/** Returns the voucher that the redemption itself knows. */
function slim(item: RedemptionItem): v.InferOutput<typeof slimVoucher> | undefined {
  const { related_object_type, related_object_id: id, related_object_parent_id, voucher_code: code, campaign } = item;
  if (related_object_type !== 'voucher' || id === undefined || code === undefined) return undefined;
  return { id, code, campaign: campaign ?? null, campaign_id: related_object_parent_id ?? null, object: 'voucher' };
}

function presentShared(item: RedemptionItem, { voucher, promotion_tier, customer }: RelatedObjects) {
  const { id, date, customer_id = null, tracking_id = null, metadata = null, result, channel, order = null } = item;
  const { amount, failure_code, failure_message, related_object_type, related_object_id, reward } = item;
  const { gift_credits, points } = item;
  return {
    id,
    date,
    customer_id,
    tracking_id,
    metadata,
    result,
    order,
    channel,
    customer: customer ?? null,
    ...omitEmpty({ amount, failure_code, failure_message, related_object_type, related_object_id, reward }),
    ...omitEmpty({ voucher: voucher ?? slim(item) }),
    ...(related_object_type === 'promotion_tier' ? { promotion_tier: promotion_tier ?? null } : {}),
    ...(gift_credits === undefined ? {} : { gift: { amount: gift_credits } }),
    ...(points === undefined ? {} : { loyalty_card: { points } }),
  };
}

/** Shows a redemption, with a slim voucher if none is given. */
export function presentRedemption(item: RedemptionItem, beside: RelatedObjects): Redemption {
  const { redemption = null, status, result_key, session_key, rollbacks, redemptions, date } = item;
  return {
    ...presentShared(item, beside),
    object: 'redemption',
    redemption,
    status,
    ...(result_key === undefined ? {} : { result_details: { ...paidBefore } }),
    ...(session_key === undefined ? {} : { session: { key: session_key } }),
    ...(rollbacks || redemptions
      ? {
          related_redemptions: {
            ...(rollbacks ? { rollbacks } : {}),
            ...(redemptions ? { redemptions: redemptions.map((id) => ({ id, date })) } : {}),
          },
        }
      : {}),
  };
}

function presentRollback(item: RedemptionItem, beside: RelatedObjects): Rollback {
  const { redemption = '', reason = null, result } = item;
  return {
    ...presentShared(item, beside),
    object: 'redemption_rollback',
    redemption,
    reason,
    status: result === 'SUCCESS' ? 'SUCCEEDED' : 'FAILED',
  };
}

function presentRedemptionOrRollback(item: RedemptionItem, beside: RelatedObjects): Redemption | Rollback {
  return item.object === 'redemption' ? presentRedemption(item, beside) : presentRollback(item, beside);
}

function byId<T extends { readonly id: string }>(all: readonly T[]): (id: string | undefined) => T | undefined {
  const known = new Map(all.map((one) => [one.id, one]));
  return (id) => (id === undefined ? undefined : known.get(id));
}

/** Adds the parent's lines and metadata to the order. */
function withParent(item: RedemptionItem, parent: RedemptionItem | undefined): RedemptionItem {
  if (!item.order || !parent?.order) return item;
  const { items, metadata } = parent.order;
  return { ...item, order: { ...item.order, items, metadata } };
}

export interface Shown {
  /** Shows current vouchers, or those that the redemption knows. */
  readonly voucher: 'full' | 'slim';
  /** Items after a transaction that is about to be committed. They replace those in the table. */
  readonly known?: {
    readonly vouchers: readonly VoucherItem[];
    readonly customers: readonly CustomerItem[];
    /** The changes of a tier, which is read. */
    readonly tierAfter: (tier: PromotionTierItem) => PromotionTierItem;
  };
}

/** Shows redemptions with current customers and tiers, in two calls for any number. Full vouchers need a further call. */
export async function showRedemptions(
  context: Showing,
  items: readonly RedemptionItem[],
  { voucher: how, known }: Shown,
): Promise<(Redemption | Rollback)[]> {
  const { table, project } = context;
  const idsOf = (type: RedemptionItem['related_object_type']) =>
    items.flatMap((item) => (item.related_object_type === type ? (item.related_object_id ?? []) : []));
  const unique = (ids: readonly string[]) => [...new Set(ids)];
  const customerIds = known ? [] : unique(items.flatMap(({ customer_id }) => customer_id ?? []));
  const parentIds = unique(items.flatMap(({ parent_rollback }) => parent_rollback ?? []));
  const isToRead = (id: string) => !items.some((item) => item.id === id);
  const voucherIds = known || how === 'slim' ? [] : unique(idsOf('voucher'));
  const found = await read(table, {
    people: customerIds.map((id) => customers(project.id, id)),
    tiers: unique(idsOf('promotion_tier')).map((id) => promotionTiers(project.id, id)),
    vouchers: voucherIds.map((id) => vouchers(project.id, id)),
    parents: parentIds.filter(isToRead).map((id) => redemptions(project.id, id)),
  });
  const there = <T>(all: readonly (T | undefined)[]) => all.filter((one) => one !== undefined);
  const [surroundings, shownVouchers] = await Promise.all([
    readSurroundings(context, there(found.tiers)),
    showVouchers(context, known?.vouchers ?? there(found.vouchers)),
  ]);
  const voucherOf = byId(shownVouchers.map(presentPartly));
  const tiers = there(found.tiers).map((tier) => known?.tierAfter(tier) ?? tier);
  const tierOf = byId(tiers.map((tier) => presentPromotionTier(tier, surroundings)));
  const customerOf = byId((known?.customers ?? there(found.people)).map(presentBriefly));
  const parentOf = byId([...items, ...there(found.parents)]);
  return items.map((item) =>
    presentRedemptionOrRollback(withParent(item, parentOf(item.parent_rollback)), {
      voucher: voucherOf(item.related_object_id),
      promotion_tier: tierOf(item.related_object_id),
      customer: customerOf(item.customer_id),
    }),
  );
}
