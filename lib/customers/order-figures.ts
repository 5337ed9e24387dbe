import * as v from 'valibot';
import { ServiceError } from '../core/errors.ts';
import { count, dateTime, integer } from '../core/schema.ts';

const paidOrder = v.object({ id: v.string(), amount: count, date: dateTime });

/** Describes an order that counts: one that is paid or fulfilled. */
export type PaidOrder = v.InferOutput<typeof paidOrder>;

/**
 * Sums the orders that count now, beside the figures that a project file brought. Orders from before may bring the sums below
 * 0. The newest orders tell the last order after a cancellation.
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
