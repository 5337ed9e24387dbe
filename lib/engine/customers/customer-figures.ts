import * as v from 'valibot';
import { ServiceError } from '#kernel/core/errors.ts';
import { count, dateTime, integer } from '#kernel/core/schema.ts';

const paidOrder = v.object({ id: v.string(), amount: count, date: dateTime });

/** Describes an order that counts: one that is paid or fulfilled. */
export type PaidOrder = v.InferOutput<typeof paidOrder>;

/**
 * Sums the orders that count now, in addition to the figures that a project file brought. Changes of earlier orders may
 * bring the sums below 0. The newest orders are kept, so that the last order is known after a cancellation.
 */
export const customerOrderFigures = v.object({
  total_amount: integer,
  total_count: integer,
  newest: v.array(paidOrder),
});

type OrderFigures = v.InferOutput<typeof customerOrderFigures>;

/** Up to this many cancellations in a row still leave the last order known. */
const keptOrders = 10;

const none: OrderFigures = { total_amount: 0, total_count: 0, newest: [] };

function isNewer(one: PaidOrder, other: PaidOrder): boolean {
  return one.date === other.date ? one.id > other.id : one.date > other.date;
}

function removeOrder({ total_amount, total_count, newest }: OrderFigures, order: PaidOrder): OrderFigures {
  return {
    total_amount: total_amount - order.amount,
    total_count: total_count - 1,
    newest: newest.filter(({ id }) => id !== order.id),
  };
}

/** Adds an order. An order that is older than all kept orders is kept only if these are all orders. */
function addOrder({ total_amount, total_count, newest }: OrderFigures, order: PaidOrder): OrderFigures {
  const joins = newest.length >= total_count || newest.some((other) => isNewer(order, other));
  const all = [...newest, ...(joins ? [order] : [])].sort((one, other) => (isNewer(one, other) ? -1 : 1));
  return { total_amount: total_amount + order.amount, total_count: total_count + 1, newest: all.slice(0, keptOrders) };
}

/** Returns the figures of both customers together. */
export function addOrderFigures(one: OrderFigures | undefined, other: OrderFigures | undefined) {
  if (!one || !other) return one ?? other;
  const newest = [...one.newest, ...other.newest].sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, keptOrders);
  return {
    total_amount: one.total_amount + other.total_amount,
    total_count: one.total_count + other.total_count,
    newest,
  };
}

/** Returns the figures after an order has changed. `before` no longer counts, and `after` counts. */
export function recountOrders(
  figures: OrderFigures = none,
  before: PaidOrder | undefined,
  after: PaidOrder | undefined,
): OrderFigures {
  const rest = before ? removeOrder(figures, before) : figures;
  const counted = after ? addOrder(rest, after) : rest;
  if (!Number.isSafeInteger(counted.total_amount)) {
    throw new ServiceError('invalid_amount', {
      details: `orders of one customer must cost at most ${Number.MAX_SAFE_INTEGER} together`,
    });
  }
  return counted;
}

interface Summary {
  total_amount: number;
  total_count: number;
  average_amount: number;
  last_order_amount: number;
  last_order_date?: string;
}

/** Adds the counted orders to the figures that a project file brought. */
export function summariseOrders(before: Summary, figures: OrderFigures | undefined): Summary {
  if (!figures) return before;
  const total_amount = Math.max(0, before.total_amount + figures.total_amount);
  const total_count = Math.max(0, before.total_count + figures.total_count);
  const [last] = figures.newest;
  const { last_order_amount, last_order_date } = before;
  return {
    total_amount,
    total_count,
    average_amount: total_count === 0 ? 0 : Math.round(total_amount / total_count),
    ...(last
      ? { last_order_amount: last.amount, last_order_date: last.date }
      : total_count === 0
        ? { last_order_amount: 0 }
        : { last_order_amount, ...(last_order_date ? { last_order_date } : {}) }),
  };
}

const figure = v.optional(integer);

/** Counts a customer's redemptions as they happen, in addition to the figures that a project file brought. */
export const redemptionFigures = v.object({
  redemptions_succeeded: figure,
  redemptions_failed: figure,
  rollbacks_succeeded: figure,
  rollbacks_failed: figure,
  /** Sums redeemed money of gift cards, in minor currency units, and redeemed points. Rollbacks are subtracted. */
  credits_redeemed: figure,
  points_redeemed: figure,
  /** Counts redemptions of both kinds of cards that were not rolled back. */
  cards_redeemed: figure,
});

export type RedemptionFigures = v.InferOutput<typeof redemptionFigures>;

/** Shows how often the customer redeemed or tried to, and how often redemptions were rolled back. */
export const redemptionTotals = v.object({
  total_redeemed: integer,
  total_failed: integer,
  total_succeeded: integer,
  total_rolled_back: integer,
  total_rollback_failed: integer,
  total_rollback_succeeded: integer,
});

export const redemptionTotalNames = v.keyof(redemptionTotals).options;

type RedemptionTotals = v.InferOutput<typeof redemptionTotals>;

/**
 * Adds counted redemptions to the figures of a project file. Without such figures, the number of earlier redemptions
 * comes from the cards, without their counted redemptions.
 */
export function summariseRedemptions(
  before: (figure: keyof RedemptionTotals) => number | undefined,
  counted: RedemptionFigures,
  { ofCards }: { ofCards: number },
): RedemptionTotals {
  const { redemptions_succeeded = 0, redemptions_failed = 0, cards_redeemed = 0 } = counted;
  const { rollbacks_succeeded = 0, rollbacks_failed = 0 } = counted;
  const earlier = Math.max(0, ofCards - cards_redeemed);
  return {
    total_redeemed: (before('total_redeemed') ?? earlier) + redemptions_succeeded + redemptions_failed,
    total_failed: (before('total_failed') ?? 0) + redemptions_failed,
    total_succeeded: (before('total_succeeded') ?? earlier) + redemptions_succeeded,
    total_rolled_back: (before('total_rolled_back') ?? 0) + rollbacks_succeeded,
    total_rollback_failed: (before('total_rollback_failed') ?? 0) + rollbacks_failed,
    total_rollback_succeeded: (before('total_rollback_succeeded') ?? 0) + rollbacks_succeeded,
  };
}
