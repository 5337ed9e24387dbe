import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { code, dateTime, identifier, integer, longText, metadata, nullable, object } from '#kernel/core/schema.ts';
import { keptOrder } from '../orders/redeemed-order.ts';
import { redemptionItem, rollbackOrderMode } from './redemption.ts';

/** Describes a redemption or rollback in a project file: in short, or as replies show it. */

const { object: kindOfRecord, result, status, voucher_type, channel } = redemptionItem.entries;

const related = v.object({ id: identifier, date: dateTime });
const named = v.object({ id: nullable(identifier), name: nullable(identifier) });

/** A redemption or rollback of the past. Its voucher, tier, customer and order may be gone. */
export const redemptionEntry = object({
  id: identifier,
  object: v.optional(kindOfRecord, 'redemption'),
  date: dateTime,
  result,
  status: v.optional(status),
  voucher_code: nullable(code),
  voucher_type,
  promotion_tier_id: nullable(identifier),
  campaign_id: nullable(identifier),
  campaign: nullable(identifier),
  customer_id: nullable(identifier),
  tracking_id: nullable(identifier),
  order: nullable(object({ ...keptOrder.entries, id: identifier })),
  /** Negative in a rollback. */
  gift_credits: v.optional(integer),
  points: v.optional(integer),
  failure_code: nullable(identifier),
  failure_message: nullable(longText),
  reason: nullable(longText),
  metadata: nullable(metadata),
  channel: v.optional(channel),
  /** The parent, or the redemption that a rollback rolls back. */
  redemption: nullable(identifier),
  reward: v.optional(metadata),
  session: v.optional(v.object({ key: identifier })),
  related_redemptions: v.optional(
    v.object({
      rollbacks: v.optional(
        v.array(v.object({ ...related.entries, rollback_order_mode: v.optional(rollbackOrderMode, 'WITH_ORDER') })),
      ),
      redemptions: v.optional(v.array(related)),
    }),
  ),
  related_object_type: redemptionItem.entries.related_object_type,
  related_object_id: v.optional(identifier),
  voucher: v.optional(v.object({ code, campaign: nullable(identifier), campaign_id: nullable(identifier) })),
  promotion_tier: nullable(v.object({ id: identifier, campaign: nullable(named) })),
  gift: v.optional(v.object({ amount: integer })),
  loyalty_card: v.optional(v.object({ points: integer })),
});

export type RedemptionEntry = v.InferOutput<typeof redemptionEntry>;

/** Returns the record in its short form, without empty fields. */
export function readRedemptionEntry(one: RedemptionEntry) {
  const { id, object, date, result, voucher, promotion_tier: tier, related_redemptions: related } = one;
  const relatedTo = (type: RedemptionEntry['related_object_type']) =>
    one.related_object_type === type ? one.related_object_id : undefined;
  return {
    ...{ id, object, date, result },
    status: one.status ?? (result === 'SUCCESS' ? ('SUCCEEDED' as const) : ('FAILED' as const)),
    channel: one.channel ?? { channel_id: 'import', channel_type: 'API' as const },
    ...defined({
      voucher_code: one.voucher_code ?? voucher?.code,
      voucher_id: relatedTo('voucher'),
      voucher_type: one.voucher_type,
      parent_id: relatedTo('redemption'),
      promotion_tier_id: one.promotion_tier_id ?? tier?.id ?? relatedTo('promotion_tier'),
      campaign_id: one.campaign_id ?? voucher?.campaign_id ?? tier?.campaign?.id ?? undefined,
      campaign: one.campaign ?? voucher?.campaign ?? tier?.campaign?.name ?? undefined,
      customer_id: one.customer_id ?? undefined,
      tracking_id: one.tracking_id ?? undefined,
      order: one.order ?? undefined,
      gift_credits: one.gift_credits ?? one.gift?.amount,
      points: one.points ?? one.loyalty_card?.points,
      failure_code: one.failure_code ?? undefined,
      failure_message: one.failure_message ?? undefined,
      reason: one.reason ?? undefined,
      metadata: one.metadata ?? undefined,
      redemption: one.redemption ?? undefined,
      reward: one.reward,
      session_key: one.session?.key,
      rollbacks: related?.rollbacks,
      redemptions: related?.redemptions?.map((child) => child.id),
    }),
  };
}
