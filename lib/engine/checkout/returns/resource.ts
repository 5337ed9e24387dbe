import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { count, identifier, longText, metadata } from '#kernel/core/schema.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import { childKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { order } from '../orders/resource.ts';

/** Describes returns. A return belongs to one order, and is never changed. */

const note = described(
  v.optional(v.literal('card_deleted')),
  'The card was deleted. Its part of the refund is in `money`.',
);
const card = { voucher_id: v.string(), code: v.string() };

const returnedItem = v.object({
  id: described(v.string(), 'The id of the line. `rest` is the amount that no line has, such as shipping.'),
  quantity: count,
  amount: count,
  discount: count,
  order_discount_share: count,
  net: described(count, 'The amount without the discounts of the line and its share of discounts on the order.'),
});

const refund = v.object({
  total: count,
  money: described(count, 'The money to give back.'),
  credits: v.array(v.object({ ...card, amount: count, redemption_id: v.string(), note })),
  points: v.array(
    v.object({
      ...card,
      points: count,
      worth: described(count, 'The part of `total` that the points are worth.'),
      redemption_id: v.string(),
      note,
    }),
  ),
});

const earnedPoints = v.object({
  ...card,
  points: described(count, 'The points that the order no longer earns.'),
  taken_from: v.object({ pending: count, balance: count }),
  missing: described(count, 'The part of `points` that the card no longer has.'),
});

const filters = {
  id: 'text',
  order_id: 'text',
  source_id: 'text',
  reason: 'text',
  created_at: 'date',
  'metadata.*': 'any',
} as const;

/** The description of returns. */
export const orderReturn = resource('order_return', {
  prefix: 'ret',
  number: 'many',
  fields: {
    order_id: required(identifier, 'The order.', { refers: 'orders' }),
    source_id: optional(identifier, "The shop's own id of the return. Unique in the order."),
    reason: optional(longText, 'The reason, in words of the shop.'),
    items: required(v.array(returnedItem), 'The returned units, by the lines of the order.', { leftOut: [] }),
    refund: required(refund, 'The refund, by the payments of the order.'),
    reclaimed: optional(count, 'The discount that the kept lines lose. It is subtracted from the refund.'),
    earned_points: required(v.array(earnedPoints), 'The earned points that the return takes back.', { leftOut: [] }),
    rolled_back: required(v.array(v.string()), 'The redemptions that the return rolls back.', { leftOut: [] }),
    notes: optional(v.array(v.string()), 'Names rules whose facts at the redemption are unknown.'),
    metadata: required(metadata, 'Free key/value pairs.', { leftOut: {} }),
  },
  orders: ['created_at'],
  spread: 8,
  ofEach: 'order_id',
  filters,
  dataRef: 'returns',
  fileKey: 'returns',
  loadedOnce: true,
  shows: { order: described(v.optional(order.reply), 'The order, in the reply of one return.') },
});

export type ReturnItem = v.InferOutput<typeof orderReturn.stored>;

/** A return with its order. A dry run has no id. */
export const returnReply = named(
  'OrderReturnDone',
  v.object({
    ...orderReturn.reply.entries,
    id: described(v.optional(v.string()), 'Absent in the reply of a dry run.'),
    order: order.reply,
  }),
);

export type ReturnReply = v.InferOutput<typeof returnReply>;

const returnClaimItem = v.object({
  return_id: v.string(),
  /** The request, as JSON, to tell a repetition from another return with the same id. */
  asked: v.string(),
});

/** The claim of the shop's own id of a return, kept for ever, so that it returns once. */
export const returnClaims = childKind({ kind: kinds.order }, kinds.returnClaim, returnClaimItem);
