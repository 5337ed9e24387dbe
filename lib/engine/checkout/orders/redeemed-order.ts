import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { count, dateTime, integer, metadata, record } from '#kernel/core/schema.ts';
import { orderLine } from './line.ts';
import { orderStatus } from './resource.ts';

const figure = v.optional(count);

const detail = v.object({
  source_index: count,
  source_applied_quantity: integer,
  source_applied_quantity_amount: integer,
  target_index: count,
  target_applied_quantity: integer,
  target_applied_quantity_amount: integer,
  target_applied_discount_amount: integer,
});

/** A line with its changes. */
const redeemedLine = v.object({
  ...orderLine.entries,
  applied_discount_amount: figure,
  applied_discount_quantity: figure,
  applied_quantity: v.optional(integer),
  applied_quantity_amount: v.optional(integer),
  application_details: v.optional(v.array(detail)),
  applied_order_discount_share: v.optional(integer),
});

/** Amounts of an order and its latest discounts, in minor currency units. Unknown figures and discounts of 0 are left out. */
const redeemedFigures = {
  amount: figure,
  initial_amount: figure,
  discount_amount: figure,
  items_discount_amount: figure,
  total_discount_amount: figure,
  total_amount: figure,
  applied_discount_amount: figure,
  items_applied_discount_amount: figure,
  total_applied_discount_amount: figure,
  rest_discount_share: figure,
};

const person = v.object({ id: v.string(), object: v.literal('customer') });
const orNull = v.optional(v.nullable(v.string()));

/** An order after a redemption. A child's order has figures and lines, and a single redemption's order has all fields. */
const wholeOrder = v.object({
  id: v.optional(v.string()),
  source_id: orNull,
  created_at: v.optional(dateTime),
  updated_at: v.optional(v.nullable(dateTime)),
  status: v.optional(orderStatus),
  ...redeemedFigures,
  items: v.optional(v.array(redeemedLine), []),
  metadata: v.optional(metadata, {}),
  customer: v.optional(person),
  referrer: v.optional(person),
  customer_id: orNull,
  referrer_id: orNull,
  redemptions: v.optional(record(metadata)),
  object: v.optional(v.literal('order'), 'order'),
});

/** Shows the initial amount only if units were added. Otherwise it equals the amount. */
function withoutInitial<T extends Pick<v.InferOutput<typeof wholeOrder>, 'amount' | 'initial_amount'>>({
  initial_amount,
  ...order
}: T) {
  return { ...order, ...(initial_amount === order.amount ? {} : { initial_amount }) };
}

export const redeemedOrder = named('RedeemedOrder', v.pipe(wholeOrder, v.transform(withoutInitial)));

/** An order after one redeemable of a validation. It has metadata only if the order has some. */
export const redeemableOrder = named(
  'RedeemableOrder',
  v.pipe(v.object({ ...wholeOrder.entries, metadata: v.optional(metadata) }), v.transform(withoutInitial)),
);

/** Shows an order that may be unknown, without lines then. It has metadata only if the order has some. */
export const orderOfCandidate = named(
  'OrderOfCandidate',
  v.pipe(
    v.object({ ...wholeOrder.entries, items: v.optional(v.array(redeemedLine)), metadata: v.optional(metadata) }),
    v.transform(withoutInitial),
  ),
);

/** The order that a qualification was asked about. It has lines only if some were sent. */
export const askedOrder = named(
  'AskedOrder',
  v.pipe(v.object({ ...wholeOrder.entries, items: v.optional(v.array(redeemedLine)) }), v.transform(withoutInitial)),
);

export type RedeemedOrder = v.InferOutput<typeof redeemedOrder>;

const keptDetail = v.object({
  ...detail.entries,
  /** The earlier discount of replaced units, which has moved to the line that they joined. */
  moved_discount_amount: figure,
});

const keptLine = v.object({
  ...redeemedLine.entries,
  application_details: v.optional(v.array(keptDetail)),
  applied_freed_quantity: figure,
});

/** An order as redemptions store it, with the data for a single rollback while others stay. */
export const keptOrder = v.object({
  ...wholeOrder.entries,
  items: v.optional(v.array(keptLine), []),
  /** The part of its discount on the whole order that no longer fits, since others of the request lowered the amount. */
  excess_applied_discount_amount: figure,
});

export type KeptOrder = v.InferOutput<typeof keptOrder>;
