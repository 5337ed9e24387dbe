import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/qualifications/qualify.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

const day = (number: number) => `2026-05-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const off = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });
const customer = { source_id: 'ada' };
const customers = [
  { id: 'cust_ada', source_id: 'ada' },
  { id: 'cust_eve', source_id: 'eve' },
];

function asking(headers: Record<string, string>) {
  return async (body: Record<string, unknown> = {}) => {
    const sent = { order: { amount: 10_000 }, customer, options: { limit: 50 }, ...body };
    const { status, body: said } = await caller(handler)({ headers, body: sent });
    expect([status, said.details]).toEqual([200, undefined]);
    const data: { id: string }[] = said.redeemables.data;
    return {
      ids: data.map(({ id }) => id),
      // biome-ignore lint/suspicious/noExplicitAny: `caller` has checked the reply against its schema.
      of: (id: string): any => data.find((one) => one.id === id),
    };
  };
}

const club = { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' };
const promo = { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' };

const coin = (id: string, exchange_ratio: number, made: number) => ({
  ...{ id, name: id, type: 'COIN', parameters: { coin: { exchange_ratio, points_ratio: 10 } } },
  created_at: day(made),
});

/**
 * A gift card with 500 credits and a loyalty card with 500 points. A session may lock some of them. The club's first reward decides the
 * value of points.
 */
async function wallet() {
  const { credentials } = await loadProject({
    customers,
    campaigns: [club],
    vouchers: [
      { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 500 }, holder_id: 'cust_ada', created_at: day(1) },
      {
        ...{ code: 'CARD', type: 'LOYALTY_CARD', loyalty_card: { points: 800, balance: 500 }, campaign_id: club.id },
        ...{ holder_id: 'cust_ada', created_at: day(2) },
      },
      {
        ...{ code: 'SPENT', type: 'LOYALTY_CARD', loyalty_card: { points: 800, balance: 0 }, campaign_id: club.id },
        ...{ holder_id: 'cust_ada', created_at: day(3) },
      },
    ],
    rewards: [
      coin('rew_later', 7, 20),
      coin('rew_coin', 0.5, 10),
      coin('rew_of_none', 9, 1),
      { id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } }, created_at: day(1) },
    ],
    products: [{ id: 'prod_mug', name: 'Mug' }],
    reward_assignments: ['rew_later', 'rew_coin', 'rew_mug'].map((reward_id) => ({
      ...{ id: `rewa_${reward_id}`, reward_id, related_object_id: club.id, related_object_type: 'campaign' },
      ...(reward_id === 'rew_mug' ? { parameters: { loyalty: { points: 5 } } } : {}),
    })),
  });
  const lock = async (key: string, redeemable: object) => {
    const body = {
      redeemables: [{ object: 'voucher', ...redeemable }],
      ...{ customer, order: { amount: 10_000 }, session: { type: 'LOCK', key } },
    };
    const { body: said } = await caller(validateHandler)({ headers: credentials, body });
    expect(said).toMatchObject({ valid: true });
  };
  return { ask: asking(credentials), lock };
}

describe('a session', () => {
  const session = (key: string) => ({ session: { type: 'LOCK', key } });

  test('sees the locked part of a gift card, may use its own locks, and locks nothing', async () => {
    const { ask, lock } = await wallet();
    expect((await ask(session('two'))).of('GIFT').result).toEqual({ gift: { balance: 500, credits: 500 } });
    await lock('one', { id: 'GIFT', gift: { credits: 200 } });
    for (let times = 0; times < 2; times++) {
      const others = { gift: { balance: 300, credits: 300, locked_credits: 200 } };
      expect((await ask()).of('GIFT').result).toEqual(others);
      expect((await ask(session('two'))).of('GIFT').result).toEqual(others);
      expect((await ask(session('one'))).of('GIFT').result).toEqual({
        gift: { balance: 500, credits: 500, locked_credits: 200 },
      });
    }
    expect((await ask({ ...session('two'), scenario: 'AUDIENCE_ONLY', order: null })).of('GIFT').result).toEqual({
      gift: { balance: 300, credits: 0, locked_credits: 200 },
    });
    await lock('two', { id: 'GIFT', gift: { credits: 300 } });
    expect((await ask()).of('GIFT')).toBeUndefined();
  });

  test('locks points of a loyalty card against others', async () => {
    const { ask, lock } = await wallet();
    await lock('one', { id: 'CARD', reward: { id: 'rew_coin', points: 200 } });
    expect((await ask()).of('CARD').result.loyalty_card).toMatchObject({ points: 800, balance: 300 });
    expect((await ask(session('one'))).of('CARD').result.loyalty_card).toMatchObject({ points: 800, balance: 500 });
  });
});

describe('a loyalty card', () => {
  test.each(['ALL', 'CUSTOMER_WALLET', 'AUDIENCE_ONLY'])(
    "in %s shows its points, its balance and the points' value in its programme; a spent one is not shown",
    async (scenario) => {
      const { ask } = await wallet();
      const { of, ids } = await ask({ scenario });
      expect(ids).toEqual(['CARD', 'GIFT']);
      expect(of('CARD').result).toEqual({
        loyalty_card: { points: 800, balance: 500, exchange_ratio: 0.5, points_ratio: 10 },
      });
      expect((await ask({ scenario, customer: { source_id: 'eve' } })).ids).toEqual([]);
    },
  );
});

describe('incomplete bundles', () => {
  const part = (id: string, units: number) => ({
    name: 'order.items.any',
    conditions: { $is: [{ id, type: 'product_or_sku', object: 'product' }] },
    rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [units] } } },
  });

  test('keep codes and stacks out of ALL, CUSTOMER_WALLET and PROMOTION_STACKS', async () => {
    const { credentials } = await loadProject({
      customers,
      campaigns: [promo],
      products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
      promotion_tiers: [4, 5].map((created, index) => ({
        ...{ id: `promo_${index + 1}`, name: `Tier ${index + 1}`, campaign_id: promo.id, hierarchy: index + 1 },
        ...{ action: { discount: off(20) }, created_at: day(created) },
      })),
      promotion_stacks: [
        { id: 'stack_1', name: 'Both', campaign_id: 'camp_promo', tiers: { ids: ['promo_1', 'promo_2'] } },
      ],
      vouchers: [
        { code: 'MINE', type: 'DISCOUNT_VOUCHER', discount: off(10), holder_id: 'cust_ada', created_at: day(7) },
      ],
      validation_rules: [
        { id: 'val_two', name: 'Two teas', rules: {}, bundle_rules: { limit: 1, 1: part('prod_tea', 2) } },
      ],
      validation_rules_assignments: [
        { rule_id: 'val_two', related_object_id: 'promo_1', related_object_type: 'promotion_tier' },
        { rule_id: 'val_two', related_object_id: 'MINE', related_object_type: 'voucher' },
      ],
    });
    const ask = asking(credentials);
    const teas = (quantity: number) => ({ order: { items: [{ product_id: 'prod_tea', quantity }] } });
    const rows: [string, string[], string[]][] = [
      ['ALL', ['promo_2'], ['MINE', 'promo_2', 'promo_1']],
      ['CUSTOMER_WALLET', [], ['MINE']],
      ['PROMOTION_STACKS', [], ['stack_1']],
      ['AUDIENCE_ONLY', ['MINE', 'promo_2', 'promo_1'], ['MINE', 'promo_2', 'promo_1']],
      ['PRODUCTS_BY_CUSTOMER', ['MINE', 'promo_1'], ['MINE', 'promo_1']],
      ['PRODUCTS', ['promo_1'], ['promo_1']],
    ];
    for (const [scenario, short, complete] of rows) {
      expect([scenario, (await ask({ scenario, ...teas(1) })).ids]).toEqual([scenario, short]);
      expect([scenario, (await ask({ scenario, ...teas(2) })).ids]).toEqual([scenario, complete]);
    }
    const { of } = await ask({ scenario: 'PRODUCTS_BY_CUSTOMER', ...teas(1) });
    expect(of('MINE').result.bundle).toMatchObject({
      quantity: 0,
      identified: [{ id: 'prod_tea', item_index: 0, item_quantity: 1 }],
      missing: [{ id: 'prod_tea', item_quantity: 1 }],
    });
  });
});
