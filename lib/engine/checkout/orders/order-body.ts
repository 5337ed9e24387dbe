import * as v from 'valibot';
import { createCustomerBody } from '#engine/customers/customer-body.ts';
import { described } from '#kernel/core/documented.ts';
import { isLongerAsJson } from '#kernel/core/json-length.ts';
import { array, dateTime, identifier, nullable, object, sentCount, sentMetadata } from '#kernel/core/schema.ts';
import { sentLine } from './line.ts';
import { maxLines, maxOrderBytes, orderStatus } from './resource.ts';

/** Limits sent values to `max` bytes as JSON. Fields without effect also count, because they are read. */
function atMostBytes<S extends v.GenericSchema>(schema: S, max: number): S {
  const isTooLong = v.custom<never>(() => false, `must have at most ${max} bytes as JSON`);
  const run: S['~run'] = (dataset, config) => {
    const sent = dataset.value;
    const found = schema['~run'](dataset, config);
    if (found.issues || !isLongerAsJson(sent, max)) return found;
    return isTooLong['~run']({ typed: false, value: found.value }, config);
  };
  return { ...schema, '~run': run };
}

/** The sent fields of an order. Absent fields stay unchanged (docs/orders.md#orders). */
const fields = {
  source_id: described(nullable(identifier), "The shop's own id of the order. Unique in the project."),
  status: v.optional(orderStatus),
  currency: described(
    nullable(identifier),
    'The currency (ISO 4217) of the amounts. It is not stored. It must be the currency of the project, if set.',
  ),
  amount: described(
    nullable(sentCount),
    'The amount of the order, in minor currency units. Without it, the sum of the lines is used.',
  ),
  initial_amount: nullable(sentCount),
  discount_amount: described(
    nullable(sentCount),
    'The discount on the whole order, in addition to the discounts on its lines.',
  ),
  items: described(
    nullable(atMostBytes(array(sentLine, maxLines), maxOrderBytes)),
    'The lines of the order. They replace all stored lines.',
  ),
  metadata: described(nullable(sentMetadata), 'The metadata is merged key by key.'),
  customer: nullable(described(createCustomerBody, 'The request creates or changes this customer with the order.')),
  referrer: nullable(described(createCustomerBody, 'The request creates or changes this customer with the order.')),
  customer_id: described(nullable(identifier), 'The id of an existing customer, if no customer is sent.'),
  referrer_id: described(nullable(identifier), 'The id of an existing customer, if no referrer is sent.'),
};

/** Describes an order in any body, stored or not. */
export function sentOrder<const E extends v.ObjectEntries>(entries: E) {
  return atMostBytes(object(entries), maxOrderBytes);
}

export const updateOrderBody = sentOrder(fields);

export const createOrderBody = sentOrder({
  id: described(nullable(identifier), 'The id of the order to change. It takes precedence over `source_id`.'),
  ...fields,
  created_at: described(nullable(dateTime), 'The creation time of a new order. Without it, the current time is used.'),
});

export type OrderBody = v.InferOutput<typeof createOrderBody>;
