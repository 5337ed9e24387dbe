import * as v from 'valibot';
import { dateTime, integer } from '#kernel/core/schema.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Fact, type FactRow, makeFact } from './fact-tables.ts';
import { computeTotal, paidFigures } from './paid.ts';

const figure = v.optional(integer);
const name = v.optional(v.string());

/** The part of a stored redemption that facts use. Lines of the order stay unread. */
const redemption = v.object({
  id: v.string(),
  object: v.string(),
  date: dateTime,
  result: v.string(),
  status: name,
  /** The id of the parent, or of the redemption that a rollback rolls back. */
  redemption: name,
  failure_code: name,
  related_object_type: name,
  related_object_id: name,
  related_object_parent_id: name,
  campaign: name,
  voucher_code: name,
  customer_id: name,
  redemptions: v.optional(v.array(v.string())),
  parent_rollback: name,
  rollbacks: v.optional(v.array(v.object({ id: v.string(), date: dateTime })), []),
  order: v.optional(v.object({ id: name, ...paidFigures, total_applied_discount_amount: figure })),
  channel: v.object({ channel_id: v.string(), channel_type: v.string() }),
  voucher_type: name,
  gift_credits: figure,
  points: figure,
});

type Redemption = v.InferOutput<typeof redemption>;

const negative = (value: number | null) => (value === null ? null : -value || 0);

function describe(item: Redemption) {
  const { id, object, redemption: other, parent_rollback: parent, order } = item;
  const isRollback = object === 'redemption_rollback';
  return {
    result: item.result,
    failure_code: item.failure_code ?? null,
    redemption_id: isRollback ? (other ?? null) : id,
    request_id: (isRollback ? (parent ?? other) : other) ?? id,
    redeemable_type: item.related_object_type ?? null,
    redeemable_id: item.related_object_id ?? null,
    code: item.voucher_code ?? null,
    voucher_type: item.voucher_type ?? null,
    campaign_id: item.related_object_parent_id ?? null,
    campaign_name: item.campaign ?? null,
    customer_id: item.customer_id ?? null,
    order_id: order?.id ?? null,
    channel_type: item.channel.channel_type,
    channel_id: item.channel.channel_id,
  };
}

const nothing = { uses: 0, discount_minor: 0, credits_minor: 0, points: 0, order_amount_minor: null };

/**
 * Returns the rollbacks of a redemption. A project file may say that a rollback happened, and not which: then only the
 * redemption has a time.
 */
function rollbacksOf({ id, date, status, rollbacks }: Redemption) {
  return status === 'ROLLED_BACK' && rollbacks.length === 0 ? [{ id: `${id}_rollback`, date }] : rollbacks;
}

function succeeded(project: string, item: Redemption): Fact[] {
  const { id, date, gift_credits = 0, points = 0, order } = item;
  // Credits and points are payments, so they are not a discount.
  const isPaid = gift_credits !== 0 || points !== 0;
  const done: FactRow<'redemptions'> = {
    fact_id: id,
    at_ms: Date.parse(date),
    event: 'REDEMPTION',
    ...describe(item),
    uses: 1,
    discount_minor: isPaid ? 0 : (order?.total_applied_discount_amount ?? 0),
    credits_minor: gift_credits,
    points,
    order_amount_minor: order?.amount ?? null,
    order_total_minor: order ? computeTotal(order) : null,
  };
  const back = rollbacksOf(item).map((one) =>
    makeFact('redemptions', project, {
      ...done,
      fact_id: one.id,
      at_ms: Date.parse(one.date),
      event: 'ROLLBACK',
      uses: -1,
      discount_minor: negative(done.discount_minor),
      credits_minor: negative(done.credits_minor),
      points: negative(done.points),
      order_amount_minor: negative(done.order_amount_minor),
      order_total_minor: negative(done.order_total_minor),
    }),
  );
  return [makeFact('redemptions', project, done), ...back];
}

/**
 * Returns the redemption, and its rollbacks with the figures that they take back. A rollback's own record has the order
 * afterwards, so only the redemption's record has these figures.
 */
export function findRedemptionFacts(project: string, item: Attributes): Fact[] {
  const found = v.parse(redemption, item);
  // A parent is counted by its children.
  if (found.redemptions !== undefined) return [];
  const isRollback = found.object === 'redemption_rollback';
  if (found.result === 'SUCCESS') return isRollback ? [] : succeeded(project, found);
  return [
    makeFact('redemptions', project, {
      fact_id: found.id,
      at_ms: Date.parse(found.date),
      event: isRollback ? 'ROLLBACK' : 'REDEMPTION',
      ...describe(found),
      ...nothing,
      order_total_minor: null,
    }),
  ];
}
