import * as v from 'valibot';
import { findCustomerById } from '#engine/customers/find-customer.ts';
import { described } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { identifier, object, record, sentCount, sentMetadata } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { maxLines } from '../orders/resource.ts';
import { hashTrackingId } from '../request/tracking-id.ts';
import { browserLine } from './cart-bodies.ts';

/** Parses the cart of a page in an address. Values of metadata are texts there. */

const index = /^\d{1,9}$/;

/** Parses `item[0][product_id]=…`, in the order of the numbers. */
const itemsOfQuery = v.pipe(
  record(browserLine),
  v.check((lines) => Object.keys(lines).every((name) => index.test(name)), 'must be numbered: item[0][product_id]'),
  v.check((lines) => Object.keys(lines).length <= maxLines, `must have at most ${maxLines} lines`),
  v.transform((lines) =>
    Object.entries(lines)
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([, line]) => line),
  ),
);

const customerOfQuery = v.union([
  v.pipe(
    identifier,
    v.transform((id) => ({ id })),
  ),
  object({ id: v.optional(identifier), source_id: v.optional(identifier), metadata: v.optional(sentMetadata) }),
]);

export const cartQuery = {
  tracking_id: described(
    v.optional(identifier),
    "A source id. The reply has a tracking id that is made from it. With a customer, it must be the customer's.",
  ),
  customer: described(
    v.optional(customerOfQuery),
    'The id of the customer, or `customer[source_id]`. `customer[metadata][…]` has no effect.',
  ),
  amount: described(
    v.optional(sentCount),
    'The amount of the order, in minor currency units. Without it, the sum of the lines is used.',
  ),
  item: described(v.optional(itemsOfQuery), 'The lines of the order: `item[0][product_id]`, `item[0][quantity]`, …'),
  order: described(v.optional(object({ metadata: v.optional(sentMetadata) })), '`order[metadata][…]` has no effect.'),
  metadata: described(v.optional(sentMetadata), 'The metadata of the redemption. No rule sees it.'),
};

export type CartQuery = v.InferOutput<v.ObjectSchema<typeof cartQuery, undefined>>;

/** Returns the effective part of a cart in an address, in the form of a body. */
export function readCartQuery({ amount, item: items, order, customer, tracking_id, metadata }: CartQuery) {
  const hasOrder = amount !== undefined || items !== undefined || order !== undefined;
  return {
    customer: customer && { id: customer.id, source_id: 'source_id' in customer ? customer.source_id : undefined },
    tracking_id,
    metadata,
    order: hasOrder ? { amount, items } : undefined,
  };
}

/** Rejects a tracking id of another person. A tracking id is the customer's source id, or the id that replies made from it. */
export async function checkTrackingId(context: Reading, { tracking_id, customer }: CartQuery): Promise<void> {
  if (tracking_id === undefined || customer === undefined) return;
  const named = 'source_id' in customer ? customer.source_id : undefined;
  const sourceId = customer.id ? (await findCustomerById(context, customer.id))?.source_id : named;
  if (!sourceId || [sourceId, hashTrackingId(context.project, sourceId)].includes(tracking_id)) return;
  throw new ServiceError('ambiguous_tracking_id', {
    details: 'tracking_id must belong to the customer; send one of the two, or both of one person',
  });
}
