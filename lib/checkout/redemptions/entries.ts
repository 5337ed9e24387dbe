import * as v from 'valibot';
import { defined } from '../../core/defined.ts';
import { isRecord } from '../../core/is-record.ts';
import { code, count, dateTime, identifier, integer, longText, metadata, nullable, object } from '../../core/schema.ts';
import { describeList } from '../../kit/entries/list.ts';
import type { EntryFields } from '../../kit/entries/traits.ts';
import { newAddition } from '../../table/addition.ts';
import { vouchers } from '../../vouchers/voucher.ts';
import { keptOrder } from '../orders/redeemed-order.ts';
import { order, packLines } from '../orders/resource.ts';
import { placeRedemption, redemptionItem, redemptions } from './redemption.ts';

const { object: kindOfRecord, result, status, voucher_type } = redemptionItem.entries;

/** A redemption or rollback of the past. Its voucher, tier, customer and order may be gone. */
const entry = object({
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
  order: v.optional(object({ id: identifier, source_id: nullable(identifier), amount: v.optional(count) })),
  /** Negative in a rollback. */
  gift_credits: v.optional(integer),
  points: v.optional(integer),
  failure_code: nullable(identifier),
  failure_message: nullable(longText),
  metadata: v.optional(metadata),
});

type Entry = v.InferOutput<typeof entry>;

/** Returns the additions that a rollback takes back. The voucher came with its figures, so they are in there. */
function takenBy({ object, result, gift_credits = 0, points = 0 }: Entry, key: ReturnType<typeof vouchers>) {
  if (object !== 'redemption' || result !== 'SUCCESS') return undefined;
  const by = { redeemed_quantity: 1, redeemed_amount: gift_credits, redeemed_points: points };
  return [newAddition(key, Object.fromEntries(Object.entries(by).filter(([, amount]) => amount !== 0)))];
}

/** Returns the record's order. The stored order has its lines, if it is of the same amount still. */
function orderOf({ order: said }: Entry, stored: EntryFields | undefined) {
  if (!said) return undefined;
  const found = stored && v.parse(order.stored, stored);
  const isSame = found && (said.amount === undefined || said.amount === found.amount);
  if (!isSame) return { ...said, items: [], metadata: {}, object: 'order' };
  const { redemptions: _, ...known } = found;
  return packLines(v.parse(keptOrder, { ...known, ...said }));
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
function keptOrderOf(stored: EntryFields, said: Entry['order']) {
  const found = v.safeParse(recordedOrder, stored.order);
  if (!said || !found.success) return {};
  const isSame = found.output.id === said.id && (said.amount === undefined || said.amount === found.output.amount);
  return isSame && hasLines(stored.order) ? { order: stored.order } : {};
}

/** Lists records that another service made. An export leaves records out, because the table's backup has them. */
export const redemptionEntries = describeList('redemptions', entry, {
  called: 'redemption',
  number: 'many',
  // Records take the lines of their orders.
  stage: 3,
  names: ['id'],
  lookups: ({ order: said }, projectId) => (said ? [order.many(projectId, said.id)] : []),
  items(one, { projectId, voucherId, idOf, at }) {
    const { voucher_code, promotion_tier_id, campaign, campaign_id, order: said, gift_credits, points, ...rest } = one;
    const key = voucher_code ? vouchers(projectId, voucherId(voucher_code)) : undefined;
    const related = voucher_code ? 'voucher' : promotion_tier_id ? 'promotion_tier' : 'redemption';
    const relatedId = voucher_code ? voucherId(voucher_code) : (promotion_tier_id ?? one.id);
    const given = Object.entries(rest).filter(([, value]) => value !== null);
    const item = defined({
      ...Object.fromEntries(given),
      status: one.status ?? (one.result === 'SUCCESS' ? 'SUCCEEDED' : 'FAILED'),
      related_object_type: related,
      related_object_id: relatedId,
      related_object_parent_id: idOf('campaigns', campaign_id, campaign),
      campaign: campaign ?? undefined,
      voucher_code: voucher_code ?? undefined,
      channel: { channel_id: 'import', channel_type: 'API' },
      amount: gift_credits ?? points,
      gift_credits,
      points,
      order: orderOf(one, said && at(order.many(projectId, said.id))),
      taken: key && takenBy(one, key),
    });
    const places = placeRedemption(projectId, v.parse(redemptionItem, item));
    return [
      {
        key: redemptions(projectId, one.id),
        item: { ...item, ...places },
        once: Object.keys({ ...item, ...places }),
        moved: (stored) => keptOrderOf(stored, said),
      },
    ];
  },
});
