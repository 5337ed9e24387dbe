import { buildCart } from '#engine/checkout/engine/cart.ts';
import type { FormulaFacts } from '#engine/rules/formulas/facts.ts';
import { orderOf } from './checkout.ts';

export const order = orderOf([
  {
    product_id: 'tea',
    quantity: 3,
    discount_amount: 300,
    metadata: { gift: true },
    product: { metadata: { tax: 0.2 } },
  },
  { product_id: 'mug', quantity: 1, metadata: { size: 12 } },
]);
const cart = buildCart(order);

export const facts: FormulaFacts = {
  cart,
  line: cart.lines[0],
  now: new Date('2026-03-31T15:30:00Z'),
  order_metadata: { share: 0.25, channel: 'web,app', tags: ['a', 'b'], constructor: 7 },
  redeemable_metadata: { off: 20 },
  redemption_metadata: { till: 3 },
  publication_metadata: { source: 'mail' },
  customer: { metadata: { level: 'gold' }, birthdate: '2000-04-01' },
  voucher: { start_date: '2026-01-01T00:00:00Z', redemption_quantity: 10, redeemed_quantity: 4, publish_count: 2 },
  promotion_tier: { expiration_date: '2026-12-31T00:00:00Z' },
};
