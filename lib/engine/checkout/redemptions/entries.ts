import * as v from 'valibot';
import { promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { vouchers, voucherType } from '#engine/vouchers/voucher.ts';
import { defined } from '#kernel/core/defined.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { dateTime, identifier } from '#kernel/core/schema.ts';
import type { ItemWrite } from '#kernel/kit/entries/item-write.ts';
import { describeList } from '#kernel/kit/entries/list.ts';
import type { EntryFields, LoadContext, Making } from '#kernel/kit/entries/traits.ts';
import { type Addition, addition, newAddition } from '#kernel/table/addition.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { keptOrder } from '../orders/redeemed-order.ts';
import { order, packLines } from '../orders/resource.ts';
import { listForgotten, uncounted, withCounts } from './count-again.ts';
import { redemptionOrRollback } from './present-redemption.ts';
import { placeRedemption, redemptionItem, redemptions } from './redemption.ts';
import { type RedemptionEntry, readRedemptionEntry, redemptionEntry } from './redemption-entry.ts';

type Said = ReturnType<typeof readRedemptionEntry>;

/** Returns the additions that a rollback takes back. The voucher came with its figures, so they are in there. */
function takenBy({ object, result, gift_credits = 0, points = 0 }: Said, key: ReturnType<typeof vouchers>): Addition[] {
  if (object !== 'redemption' || result !== 'SUCCESS') return [];
  const by = { redeemed_quantity: 1, redeemed_amount: gift_credits, redeemed_points: points };
  return [newAddition(key, Object.fromEntries(Object.entries(by).filter(([, amount]) => amount !== 0)))];
}

/** Returns the record's order. Without its own lines, it has the lines of the stored order while their amounts agree. */
function orderOf({ order: said }: Said, stored: EntryFields | undefined) {
  if (!said) return undefined;
  const { items, metadata, ...figures } = said;
  if (items.length > 0) return packLines(said);
  const found = stored && v.parse(order.stored, stored);
  const isSame = found && (said.amount === undefined || said.amount === found.amount);
  if (!isSame) return said;
  const { redemptions: _, ...known } = found;
  return packLines(v.parse(keptOrder, { ...known, ...figures }));
}

function hasLines(order: unknown): boolean {
  if (!isRecord(order)) return false;
  return typeof order.lines === 'string' || (Array.isArray(order.items) && order.items.length > 0);
}

const recordedOrder = v.object({ id: v.string(), amount: v.optional(v.number()) });

/**
 * Returns the stored order of a record, if it is the order that the file means. A record keeps its first lines. The order itself may have
 * got others since.
 */
function keptOrderOf(stored: Attributes, said: Said['order']) {
  const found = v.safeParse(recordedOrder, stored.order);
  if (!said || said.items.length > 0 || !found.success) return {};
  const isSame = found.output.id === said.id && (said.amount === undefined || said.amount === found.output.amount);
  return isSame && hasLines(stored.order) ? { order: stored.order } : {};
}

const knownVoucher = v.object({ created_at: dateTime, type: voucherType, campaign_id: v.nullish(identifier) });
const knownTier = v.object({ campaign_id: v.nullish(identifier) });

function voucherIdOf({ voucher_code, voucher_id }: Said, voucherId: LoadContext['voucherId']): string | undefined {
  return voucher_code ? voucherId(voucher_code) : voucher_id;
}

/** Returns the subject of a record, as the table has it: counters and rollbacks find the subject by its own facts. */
function subjectOf(said: Said, { projectId, voucherId, at, firstLoadedAt }: Making) {
  const id = voucherIdOf(said, voucherId);
  if (id !== undefined) {
    const key = vouchers(projectId, id);
    const found = v.safeParse(knownVoucher, at(key));
    // A younger voucher has the code of a deleted voucher, unless the load has dated the voucher.
    const isIt = found.success && (found.output.created_at <= said.date || found.output.created_at >= firstLoadedAt);
    const known = isIt ? found.output : undefined;
    return {
      key,
      campaign_id: known?.campaign_id ?? undefined,
      fields: {
        related_object_type: 'voucher',
        related_object_id: id,
        voucher_code: said.voucher_code,
        voucher_type: said.voucher_type ?? known?.type,
        // The voucher of an older record with the code was another voucher.
        voucher_created_at: known?.created_at ?? (found.success ? said.date : undefined),
      },
    };
  }
  const { promotion_tier_id: tierId } = said;
  if (!tierId) return { fields: { related_object_type: 'redemption', related_object_id: said.parent_id ?? said.id } };
  const tier = v.safeParse(knownTier, at(promotionTiers(projectId, tierId)));
  return {
    campaign_id: (tier.success && tier.output.campaign_id) || undefined,
    fields: { related_object_type: 'promotion_tier', related_object_id: tierId },
  };
}

const storedRecord = v.object({ status: redemptionItem.entries.status, taken: v.optional(v.array(addition)) });

/** Lists records that another service made. An export leaves records out, because the table's backup has them. */
export const redemptionEntries = describeList('redemptions', redemptionEntry, {
  called: 'redemption',
  number: 'many',
  // Records receive the lines of their orders.
  stage: 3,
  names: ['id'],
  shown: redemptionOrRollback,
  lookups(one, projectId, voucherId) {
    const said = readRedemptionEntry(one);
    const id = voucherIdOf(said, voucherId);
    return [
      ...(said.order ? [order.many(projectId, said.order.id)] : []),
      ...(id === undefined ? [] : [vouchers(projectId, id)]),
      ...(said.promotion_tier_id ? [promotionTiers(projectId, said.promotion_tier_id)] : []),
    ];
  },
  items(one: RedemptionEntry, making): ItemWrite[] {
    const { projectId, idOf, at } = making;
    const said = readRedemptionEntry(one);
    const { key, campaign_id, fields } = subjectOf(said, making);
    const { order: saidOrder, campaign_id: _, promotion_tier_id: __, voucher_id: ___, parent_id: ____, ...rest } = said;
    const parent = idOf('campaigns', said.campaign_id, said.campaign) ?? campaign_id;
    const item = defined({
      ...rest,
      ...fields,
      related_object_parent_id: parent,
      amount: said.gift_credits ?? said.points,
      order: orderOf(said, saidOrder && at(order.many(projectId, saidOrder.id))),
      taken: key && said.status !== 'FAILED' ? takenBy(said, key) : undefined,
    });
    const record = v.parse(redemptionItem, item);
    const places = placeRedemption(projectId, record);
    const read = (stored: Attributes) => ({ record, stored: v.parse(storedRecord, stored) });
    return [
      {
        key: redemptions(projectId, one.id),
        item: { ...item, ...places },
        once: Object.keys({ ...item, ...places }),
        moved: (stored) => ({ ...keptOrderOf(stored, saidOrder), ...withCounts(read(stored)) }),
        recounted: (stored) => uncounted(read(stored)),
        // A request may count the record, or roll it back, at the same time.
        guards: ['status', 'taken'],
      },
      ...listForgotten(projectId, record),
    ];
  },
});
