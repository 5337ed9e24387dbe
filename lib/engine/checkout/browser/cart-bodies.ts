import * as v from 'valibot';
import { createCustomerBody } from '#engine/customers/customer-body.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { array, nullable, object } from '#kernel/core/schema.ts';
import { sentLine, sentProduct, sentSku } from '../orders/line.ts';
import { createOrderBody } from '../orders/order-body.ts';
import { maxLines } from '../orders/resource.ts';
import { qualificationBody } from '../qualifications/body.ts';
import { browserSession, checkoutBody, sentRedeemables } from '../request/checkout-body.ts';
import { oneVoucherBody } from '../validations/one-voucher.ts';
import { browserCustomer } from './customer-rights.ts';

/**
 * Lists the fields of a cart that browsers may send. Fields that a browser must not decide are in no schema here. They
 * have no effect, and `X-Ignored-Fields` names them. Such fields are statuses, dates, discounts, stored data of
 * products, and `metadata` that rules would see.
 */

const { id, source_id, name, price } = sentProduct.entries;
const { sku } = sentSku.entries;

const line = sentLine.entries;

export const browserLine = object({
  id: line.id,
  source_id: line.source_id,
  related_object: line.related_object,
  product_id: line.product_id,
  sku_id: line.sku_id,
  quantity: line.quantity,
  price: described(line.price, 'The price of one unit. A stored price wins.'),
  amount: described(line.amount, 'The price of all units. A stored price wins.'),
  product: nullable(object({ id, source_id, name, price })),
  sku: nullable(object({ id, source_id, sku, price })),
});

const order = createOrderBody.entries;

const pageOrder = object({
  id: described(order.id, 'Must not be sent. A page cannot name a stored order, so every id is unknown.'),
  source_id: order.source_id,
  amount: order.amount,
  items: described(nullable(array(browserLine, maxLines)), 'The lines of the cart.'),
  customer: nullable(browserCustomer),
  customer_id: order.customer_id,
  referrer: nullable(browserCustomer),
  referrer_id: order.referrer_id,
});

export type BrowserOrder = v.InferOutput<typeof pageOrder>;

/** Limits the codes that a browser tries in one call. */
const maxRedeemables = 5;

const redeemables = described(
  sentRedeemables(maxRedeemables),
  `At most ${maxRedeemables} redeemables. Each can be named once, and counts as a call of the page.`,
);

/** Lists the fields of calls that store nothing. */
const asking = {
  customer: nullable(browserCustomer),
  order: nullable(pageOrder),
  metadata: described(checkoutBody.entries.metadata, 'The metadata of the redemption. Validation rules do not see it.'),
};

/** Lists the fields of redemptions. The switch `client.customers` lets a browser create the customer. */
const redeeming = {
  ...asking,
  customer: described(
    nullable(createCustomerBody),
    'Names the customer. Other fields are used only if the call creates the customer, which the project must ' +
      'allow.',
  ),
  metadata: described(
    checkoutBody.entries.metadata,
    'The metadata is stored with the redemption. Validation rules do not see it.',
  ),
};

export const browserValidationBody = object({
  ...checkoutBody.entries,
  ...asking,
  redeemables,
  session: nullable(browserSession),
});
export const browserRedemptionBody = object({ ...checkoutBody.entries, ...redeeming, redeemables });
export const browserVoucherRedemptionBody = v.optional(object({ ...oneVoucherBody.wrapped.entries, ...redeeming }), {});
const { session, tracking_id } = checkoutBody.entries;
export const browserTierRedemptionBody = v.optional(object({ session, tracking_id, ...redeeming }), {});
export const browserQualificationBody = object({ ...qualificationBody.entries, ...asking });

/** Returns the cart of a page. 404 for an id of an order, known or unknown. */
export function readBrowserOrder({
  order,
}: {
  readonly order?: BrowserOrder | null | undefined;
}): BrowserOrder | undefined {
  if (order?.id) throw notFound('order', order.id);
  return order ? { ...order, source_id: undefined } : undefined;
}
