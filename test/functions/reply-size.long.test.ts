import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { maxReplyBytes } from '#kernel/http/reply-size.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as importOrders } from '../../functions/orders/import-orders.ts';
import { handler as updateOrder } from '../../functions/orders/update-order.ts';
import { handler as redeemTier } from '../../functions/promotions/redeem-promotion-tier.ts';
import { handler as validateTier } from '../../functions/promotions/validate-promotion-tier.ts';
import { handler as validatePromotions } from '../../functions/promotions/validate-promotions.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemptions.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as redeemVoucher } from '../../functions/vouchers/redeem-voucher.ts';
import { handler as validateVoucher } from '../../functions/vouchers/validate-voucher.ts';
import { caller } from '../support/call.ts';
import { promotionTier } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

/** Makes more tiers and codes than a reply has room for, each with the longest order. */
const tiers = Array.from({ length: 150 }, (_, index) =>
  promotionTier(
    { id: `promo_${index}`, name: `Tier ${index}`, campaign_id: 'camp_1', hierarchy: index + 1 },
    { type: 'AMOUNT', amount_off: 1, effect: 'APPLY_TO_ORDER' },
  ),
);
const codes = Array.from({ length: 30 }, (_, index) => `CODE-${index}`);
const vouchers = codes.map((code) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'AMOUNT', amount_off: 1, effect: 'APPLY_TO_ORDER' },
  redemption: { quantity: 1, redeemed_quantity: 0 },
}));
const redeemables = codes.map((id) => ({ object: 'voucher', id }));

/** Makes a text of about this many bytes. Quotes are twice as long in a reply of Lambda. */
const orderOf = (bytes: number, character = 'x') => ({
  items: Array.from({ length: 5 }, (_, index) => ({
    price: 1_000,
    quantity: 1,
    metadata: { of: index, text: character.repeat(bytes / 5 / (character === '"' ? 2 : 1)) },
  })),
});
const large = orderOf(195_000);

const allThirty = [
  {
    id: 'stk_1',
    redeemables_limit: 30,
    applicable_redeemables_limit: 30,
    applicable_redeemables_per_category_limit: 30,
  },
];

const { credentials: headers } = await loadProject({
  campaigns: [{ id: 'camp_1', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' }],
  promotion_tiers: tiers,
  vouchers,
  stacking_rules: allThirty,
  orders: [{ id: 'ord_1', source_id: 'stored', status: 'CREATED', amount: 1 }],
});

const bytesOf = (body: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(body)));

describe('an order of more than 200 KB is refused', () => {
  const code = { code: codes[0] ?? '' };
  const tier = { promotionTierId: 'promo_0' };
  test.each<[string, Endpoint, Record<string, string>, (order: unknown) => unknown, string]>([
    ['where it is created', createOrder, {}, (order) => order, 'items'],
    ['where it is changed', updateOrder, { orderId: 'ord_1' }, (order) => order, 'items'],
    ['where orders are imported', importOrders, {}, (order) => [{}, order], '[1].items'],
    ['where redeemables are validated', validate, {}, (order) => ({ redeemables, order }), 'order.items'],
    ['where they are redeemed', redeem, {}, (order) => ({ redeemables, order }), 'order.items'],
    ['where a voucher is validated', validateVoucher, code, (order) => ({ order }), 'order.items'],
    ['where a voucher is redeemed', redeemVoucher, code, (order) => ({ order }), 'order.items'],
    ['where a tier is validated', validateTier, tier, (order) => ({ order }), 'order.items'],
    ['where a tier is redeemed', redeemTier, tier, (order) => ({ order }), 'order.items'],
    ['where tiers are validated', validatePromotions, {}, (order) => ({ order }), 'order.items'],
    ['where it qualifies', qualify, {}, (order) => ({ order }), 'order.items'],
  ])('%s', async (_, handler, params, bodyOf, place) => {
    const reply = await caller(handler)({ headers, params, body: bodyOf(orderOf(206_000)) });
    expect([reply.status, reply.body.key]).toEqual([400, 'invalid_payload']);
    expect(reply.body.details).toBe(`${place} must have at most 204800 bytes as JSON`);
  });

  test('also if the names and ids of products make it too large, though nothing is stored', async () => {
    const products = Array.from({ length: 100 }, (_, index) => ({
      id: `prod_${index}`,
      source_id: `${index} ${'s'.repeat(280)}`,
      name: `${index} ${'n'.repeat(280)}`,
      price: 100,
    }));
    const other = await loadProject({ products, vouchers: vouchers.slice(0, 1) });
    const items = Array.from({ length: 400 }, (_, index) => ({ product_id: `prod_${index % 100}`, quantity: 1 }));
    const asked = { headers: other.credentials, body: { redeemables: redeemables.slice(0, 1), order: { items } } };
    for (const handler of [validate, redeem]) {
      const { status, body } = await caller(handler)(asked);
      expect([status, body.details]).toEqual([
        400,
        'order.items must have at most 204800 bytes as JSON, including the names and prices of their products',
      ]);
    }
  });
});

describe('a reply that is too long is refused, with the part to leave out:', () => {
  const tooLong = 'the reply would be longer than the 6000000 bytes that a reply can have: ';

  test('a validation of thirty codes', async () => {
    const body = { redeemables, order: orderOf(195_000, '"') };
    const refused = await caller(validate)({ headers, body });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      `${tooLong}leave order out of options.expand, send fewer redeemables, or a smaller order`,
    ]);
    for (const less of [
      { ...body, options: { expand: [] } },
      { ...body, redeemables: redeemables.slice(0, 10) },
    ]) {
      const reply = await caller(validate)({ headers, body: less });
      expect([reply.status, reply.body.valid]).toEqual([200, true]);
      expect(bytesOf(reply.body)).toBeLessThan(maxReplyBytes);
    }
  });

  test('a validation for a session, which then locks nothing', async () => {
    const body = { redeemables, order: orderOf(195_000, '"'), session: { type: 'LOCK', key: 'too much' } };
    expect((await caller(validate)({ headers, body })).status).toBe(400);
    const other = { redeemables, order: { amount: 1000 } };
    const reply = await caller(validate)({ headers, body: other });
    expect([reply.status, reply.body.valid]).toEqual([200, true]);
  });

  test('a validation of 150 tiers', async () => {
    const refused = await caller(validatePromotions)({ headers, body: { order: large } });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      `${tooLong}send a smaller order, or filters that fewer tiers fit`,
    ]);
    const reply = await caller(validatePromotions)({ headers, body: { order: orderOf(20_000) } });
    expect([reply.status, reply.body.promotions.length]).toEqual([200, 150]);
  });

  test('a qualification of fifty', async () => {
    const refused = await caller(qualify)({ headers, body: { order: large, options: { limit: 50 } } });
    expect([refused.status, refused.body.details]).toEqual([
      400,
      `${tooLong}ask for fewer by options.limit, for less by options.expand, or send a smaller order`,
    ]);
    const reply = await caller(qualify)({ headers, body: { order: large, options: { limit: 20 } } });
    expect([reply.status, reply.body.redeemables.data.length]).toEqual([200, 20]);
  });
});

test('a redemption with too long a reply is refused before it is done, and a done one can be rolled back', async () => {
  const { credentials } = await loadProject({ vouchers, stacking_rules: allThirty });
  const body = { redeemables: redeemables.slice(0, 18), order: orderOf(195_000, '"') };
  const refused = await caller(redeem)({ headers: credentials, body });
  expect([refused.status, refused.body.key]).toEqual([400, 'invalid_payload']);
  expect(refused.body.details).toContain('leave order out of options.expand');
  const { body: kept } = await caller(getVoucher)({ headers: credentials, params: { code: codes[0] ?? '' } });
  expect(kept.redemption.redeemed_quantity).toBe(0);
  const done = await caller(redeem)({ headers: credentials, body: { ...body, options: { expand: [] } } });
  expect([done.status, done.body.redemptions.length]).toEqual([200, 18]);
  expect(bytesOf(done.body)).toBeLessThan(maxReplyBytes);
  const params = { redemptionId: done.body.parent_redemption.id };
  const back = await caller(rollBack)({ headers: credentials, params });
  expect(back.body).toMatchObject({ rollbacks: { length: 18 }, order: { items: { length: 5 } } });
  expect(bytesOf(back.body)).toBeLessThan(maxReplyBytes);
});
