import { describe, expect, test } from 'vitest';
import { handler as estimate } from '../../functions/loyalties/estimate-points.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { earningRule, loyaltyTier } from '../support/lists.ts';
import { card, newClub, programme } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';

const paid = (id: string, loyalty: object, more: object = {}) => earningRule(id, 'order.paid', loyalty, more);
const ofOrder = (calculation_type: string, order: object) => ({ type: 'PROPORTIONAL', calculation_type, order });

const lists = {
  campaigns: [
    programme('camp_club'),
    programme('camp_open', { auto_join: true, type: 'AUTO_UPDATE' }),
    programme('camp_off', { active: false, auto_join: true }),
  ],
  products: [{ id: 'prod_tea', name: 'Tea', price: 500 }],
  product_collections: [
    { id: 'pc_hot', name: 'Hot', type: 'STATIC', products: [{ id: 'prod_tea', object: 'product' }] },
  ],
  customers: [
    { id: 'cust_ada', source_id: 'ada', metadata: { level: 3 } },
    { id: 'cust_bob', source_id: 'bob' },
    { id: 'cust_eve', source_id: 'eve' },
  ],
  vouchers: [card('ADA', 250, { holder_id: 'cust_ada' }), card('BOB', 0, { holder_id: 'cust_bob', active: false })],
  loyalty_tiers: [
    { id: 'ltr_low', name: 'Low', campaign_id: 'camp_club', points: { from: 0, to: 199 } },
    loyaltyTier(
      'ltr_high',
      'High',
      { from: 200 },
      { earning_rules: { ern_total: { type: 'MULTIPLY', multiplier: 1.5 } } },
    ),
  ],
  earning_rules: [
    paid('ern_total', ofOrder('ORDER_TOTAL_AMOUNT', { total_amount: { every: 100, points: 1 } })),
    paid('ern_pending', { type: 'FIXED', points: 7 }, { pending_points: { days: 5 } }),
    paid('ern_off', { type: 'FIXED', points: 1_000 }, { active: false }),
    paid('ern_hot', {
      type: 'PROPORTIONAL',
      calculation_type: 'ORDER_ITEMS_QUANTITY',
      order_items: { quantity: { every: 1, points: 20, object: 'products_collection', id: 'pc_hot' } },
    }),
    paid('ern_level', {
      type: 'PROPORTIONAL',
      calculation_type: 'CUSTOMER_METADATA',
      customer: { metadata: { every: 1, points: 100, property: 'level' } },
    }),
    { ...paid('ern_open', { type: 'FIXED', points: 11 }), campaign_id: 'camp_open' },
  ],
  orders: [
    { id: 'ord_open', source_id: 'open', status: 'CREATED', amount: 1_000 },
    { id: 'ord_paid', source_id: 'paid', status: 'PAID', amount: 1_000 },
  ],
};

async function newWorld() {
  const dependencies = testDependencies();
  const club = await newClub(lists, dependencies);
  const { credentials: headers } = club.project;
  const items = () => itemsOf(club.project.id, '', dependencies);
  return {
    ...club,
    items,
    pay: (customer: object, order: object) =>
      caller(createOrder, dependencies)({ headers, body: { ...order, customer, status: 'PAID' } }),
    ask: (customer: object | undefined, order: unknown, campaignId = 'camp_club') =>
      caller(estimate, dependencies)({ headers, params: { campaignId }, body: { customer, order } }),
  };
}

type World = Awaited<ReturnType<typeof newWorld>>;

async function credited({ items }: World): Promise<number> {
  const cards = (await items()).filter(({ sk, campaign_id }) => sk === 'VOUCHER' && campaign_id === 'camp_club');
  return cards.reduce((sum, one) => sum + Number(one.credited_points) + Number(one.pending_points ?? 0), 0);
}

describe('an estimate', () => {
  test.each<[string, object, object, number]>([
    ['of an amount, in the tier of the member', { id: 'cust_ada' }, { amount: 1_050 }, 15 + 7 + 300],
    ['of lines', { source_id: 'ada' }, { items: [{ product_id: 'prod_tea', quantity: 3 }] }, 22 + 7 + 60 + 300],
    ['with the sent metadata', { id: 'cust_ada', metadata: { level: 1 } }, {}, 7 + 100],
    ['of an existing order', { id: 'cust_ada' }, { source_id: 'open' }, 15 + 7 + 300],
    ['of a repeated order', { id: 'cust_ada' }, { id: 'ord_open', amount: 200 }, 3 + 7 + 300],
    ['of a paid order', { id: 'cust_ada' }, { id: 'ord_paid', amount: 200 }, 0],
  ])("%s equals the order's later points, and writes nothing", async (_, customer, order, points) => {
    const world = await newWorld();
    const before = await world.items();
    const { status, body } = await world.ask(customer, order);
    expect([status, body]).toEqual([
      200,
      { campaign: { id: 'camp_club', name: 'Name of camp_club', object: 'campaign' }, points_estimation: points },
    ]);
    expect(await world.items()).toEqual(before);
    const had = await credited(world);
    expect((await world.pay(customer, order)).status).toBe(200);
    expect((await credited(world)) - had).toBe(points);
  });

  test('counts a customer who would join by it, known or not, and creates no member', async () => {
    const world = await newWorld();
    const before = await world.items();
    for (const customer of [{ id: 'cust_eve' }, { source_id: 'new' }, {}]) {
      expect((await world.ask(customer, { amount: 5 }, 'camp_open')).body.points_estimation).toBe(11);
    }
    expect(await world.items()).toEqual(before);
  });

  test.each<[string, object | undefined, unknown, string, number, object]>([
    ['of a disabled programme', { id: 'cust_ada' }, {}, 'camp_off', 400, { key: 'campaign_not_active' }],
    ['of a stranger', { id: 'cust_eve' }, {}, 'camp_club', 400, { key: 'campaign_not_allow_auto_join' }],
    [
      'of a disabled card',
      { id: 'cust_bob' },
      {},
      'camp_club',
      400,
      { key: 'loyalty_card_not_active', resource_id: 'BOB' },
    ],
    ['of no programme', { id: 'cust_ada' }, {}, 'camp_none', 404, { key: 'not_found', resource_type: 'campaign' }],
    ['of nobody known', { id: 'cust_none' }, {}, 'camp_club', 404, { key: 'not_found', resource_type: 'customer' }],
    [
      'of no order',
      { id: 'cust_ada' },
      { id: 'ord_none' },
      'camp_club',
      404,
      { key: 'not_found', resource_type: 'order' },
    ],
    ['without a customer', undefined, {}, 'camp_club', 400, { key: 'invalid_payload' }],
    ['of a text', { id: 'cust_ada' }, 'ord_open', 'camp_club', 400, { key: 'invalid_payload' }],
  ])('%s is refused', async (_, customer, order, campaignId, status, body) => {
    const reply = await (await newWorld()).ask(customer, order, campaignId);
    expect([reply.status, reply.body]).toMatchObject([status, body]);
  });
});
