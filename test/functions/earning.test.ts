import { expect, test } from 'vitest';
import { handler as saveCustomer } from '../../functions/customers/create-customer.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as activate } from '../../functions/loyalties/activate-pending-points.ts';
import { handler as adjustBalance } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as listPending } from '../../functions/loyalties/list-member-pending-points.ts';
import { handler as updateRule } from '../../functions/loyalties/update-earning-rule.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as deleteValidation } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { changesIn } from '../../lib/jobs/changes.ts';
import { runMessages } from '../../lib/jobs/messages.ts';
import { worksWith } from '../../lib/works.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { card, ledgerOf, newClub, programme } from '../support/loyalty.ts';
import { itemsOf, messagesFor, recordOf, runOutbox } from '../support/outbox.ts';

type Handler = Parameters<typeof caller>[0];

const fixed = (points: number) => ({ type: 'FIXED', points });

async function newWorld(lists: Record<string, unknown> = {}) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const club = await newClub(
    {
      campaigns: [programme('camp_club'), programme('camp_open', { auto_join: true })],
      customers: [{ id: 'cust_ada', name: 'Ada', metadata: { vip: true } }],
      vouchers: [card('ADA', 0, { holder_id: 'cust_ada' })],
      event_schema: [{ name: 'visit', metadata: { length: 'number' } }],
      ...lists,
    },
    dependencies,
  );
  const { id, credentials: headers } = club.project;
  const ask = async (handler: Handler, request: object) => {
    const reply = await caller(handler, dependencies)({ headers, ...request });
    expect(reply.status).toBeLessThan(300);
    return reply.body;
  };
  const items = (kind: string) => itemsOf(id, kind, dependencies);
  return {
    ...club,
    clock,
    dependencies,
    items,
    ask,
    run: () => runOutbox(id, dependencies),
    rules: (campaignId: string, ...body: object[]) => ask(createRules, { params: { campaignId }, body }),
    visit: (metadata: object = {}) =>
      ask(sendEvent, { body: { event: 'visit', customer: { id: 'cust_ada' }, metadata } }),
    pay: (amount: number, more: object = {}) =>
      ask(createOrder, { body: { status: 'PAID', amount, customer: { id: 'cust_ada' }, ...more } }),
    points: async (code: string) => (await ask(getVoucher, { params: { code } })).loyalty_card,
    /** Lets the stream's worker look at all customers, as often as it says, at once. */
    follow: async (times = 1) => {
      const keys = changesIn((await items('CUSTOMER')).map((item) => recordOf(item))).map(({ key }) => key);
      const messages = Array.from({ length: times }, () => messagesFor(keys)).flat();
      expect(await runMessages(messages, dependencies, worksWith())).toEqual({ batchItemFailures: [] });
    },
  };
}

const validation = (id: string, name: string, conditions: object, more: object = {}) => ({
  id,
  name: id,
  rules: { 1: { name, conditions, ...more } },
});

test('an order earns by the rules whose validation rules it meets, and the sums are exact', async () => {
  const world = await newWorld({
    products: [{ id: 'prod_tea', name: 'Tea', price: 500, metadata: { organic: true } }],
    validation_rules: [
      validation('val_large', 'order.amount', { $more_than: [1000] }),
      validation('val_vip', 'customer.metadata', { $is: [true] }, { property: 'vip' }),
      validation('val_organic', 'product.metadata', { $is: [true] }, { property: 'organic' }),
      validation('val_segment', 'customer.segment', { $is: ['seg_vip'] }),
      validation('val_long', 'custom_event.metadata', { $more_than: [5] }, { property: 'length' }),
    ],
    segments: [
      {
        id: 'seg_vip',
        name: 'Vip',
        type: 'passive',
        filter: { junction: 'and', 'metadata.vip': { conditions: { $is: [true] } } },
      },
    ],
  });
  const paid = (points: number, validation_rule_id: string | null = null) => ({
    event: 'order.paid',
    loyalty: fixed(points),
    validation_rule_id,
  });
  await world.rules(
    'camp_club',
    paid(1),
    paid(10, 'val_large'),
    paid(100, 'val_vip'),
    paid(1000, 'val_organic'),
    paid(10_000, 'val_segment'),
    { event: 'visit', loyalty: fixed(7), validation_rule_id: 'val_long' },
  );
  await world.pay(1000);
  expect(await world.balance('ADA')).toBe(10_101);
  await world.pay(1001);
  expect(await world.balance('ADA')).toBe(10_101 + 10_111);
  await world.ask(createOrder, {
    body: { status: 'PAID', items: [{ product_id: 'prod_tea', quantity: 1 }], customer: { id: 'cust_ada' } },
  });
  expect(await world.balance('ADA')).toBe(10_101 + 10_111 + 11_101);
  await world.visit({ length: 5 });
  await world.visit({ length: 6 });
  expect(await world.balance('ADA')).toBe(10_101 + 10_111 + 11_101 + 7);
  await ledgerOf(world, 'ADA');
});

test('a rule whose validation rule is being deleted earns nothing, and earns again when that is done', async () => {
  const world = await newWorld({ validation_rules: [validation('val_none', 'order.amount', { $less_than: [0] })] });
  await world.rules('camp_club', { event: 'order.paid', loyalty: fixed(5), validation_rule_id: 'val_none' });
  await world.pay(100);
  await world.ask(deleteValidation, { params: { validationRuleId: 'val_none' } });
  await world.pay(100);
  expect(await world.balance('ADA')).toBe(0);
  await world.run();
  await world.pay(100);
  expect(await world.balance('ADA')).toBe(5);
});

test('a rule of a project file keeps the validation rule that a reply says it has, and earns by it', async () => {
  const rule = (id: string, validation_rule_id: string | null) => ({
    id,
    campaign_id: 'camp_club',
    event: 'visit',
    active: true,
    loyalty: {
      type: 'PROPORTIONAL',
      calculation_type: 'CUSTOM_EVENT_METADATA',
      custom_event: { metadata: { property: 'length', every: 1, points: 1 } },
    },
    validation_rule_id,
    custom_event: { schema_id: 'ms_1' },
    automation_id: 'auto_1',
  });
  const world = await newWorld({
    validation_rules: [validation('val_long', 'custom_event.metadata', { $more_than: [5] }, { property: 'length' })],
    earning_rules: [rule('ern_1', 'val_long'), rule('ern_2', null)],
  });
  await world.visit({ length: 3 });
  await world.visit({ length: 10 });
  expect(await world.balance('ADA')).toBe(3 + 20);
});

test('a rule earns inside its own dates and hours alone, under its own expiration', async () => {
  const world = await newWorld();
  const [rule] = await world.rules('camp_club', {
    event: 'visit',
    loyalty: fixed(5),
    start_date: '2026-06-16T00:00:00Z',
    expiration_date: '2026-06-20T00:00:00Z',
    validity_hours: { daily: [{ start_time: '10:00', expiration_time: '14:00' }] },
    expiration_rules: { period_type: 'MONTH', period_value: 1, rounding_type: 'END_OF_MONTH' },
  });
  for (const [time, balance] of [
    ['2026-06-15T12:00:00Z', 0],
    ['2026-06-16T12:00:00Z', 5],
    ['2026-06-16T15:00:00Z', 5],
    ['2026-06-19T12:00:00Z', 10],
    ['2026-06-21T12:00:00Z', 10],
  ] as const) {
    world.clock.set(time);
    await world.visit();
    expect([time, await world.balance('ADA')]).toEqual([time, balance]);
  }
  expect(await world.points('ADA')).toMatchObject({ next_expiration_date: '2026-07-31', next_expiration_points: 10 });
  await world.ask(updateRule, {
    params: { campaignId: 'camp_club', earningRuleId: rule.id },
    body: { expiration_date: null },
  });
  await world.visit();
  expect(await world.balance('ADA')).toBe(15);
});

test('entering a segment earns once, however often that is delivered, and makes a member where the programme lets everybody in', async () => {
  const world = await newWorld({ vouchers: [card('ADA', 0, { holder_id: 'cust_ada' })] });
  const filter = { junction: 'and', 'metadata.roast': { conditions: { $is: ['dark'] } } };
  const { id } = await world.ask(createSegment, { body: { name: 'Dark', type: 'auto-update', filter } });
  const other = await world.ask(createSegment, { body: { name: 'Other', type: 'auto-update', filter } });
  await world.run();
  const entered = (segmentId: string, points: number) => ({
    event: 'customer.segment.entered',
    segment: { id: segmentId },
    loyalty: fixed(points),
  });
  await world.rules('camp_club', entered(id, 20), entered(id, 3), entered(other.id, 100));
  await world.rules('camp_open', entered(id, 50));
  const roast = (name: string) => world.ask(saveCustomer, { body: { id: 'cust_ada', metadata: { roast: name } } });
  await world.follow();
  expect(await world.balance('ADA')).toBe(0);
  await roast('dark');
  await world.follow(5);
  await world.follow(2);
  expect(await world.balance('ADA')).toBe(123);
  const joined = (await world.items('VOUCHER')).filter(({ campaign_id }) => campaign_id === 'camp_open');
  expect(joined.map(({ holder_id, credited_points }) => [holder_id, credited_points])).toEqual([['cust_ada', 50]]);
  await roast('light');
  await world.follow();
  await roast('dark');
  await world.follow(3);
  expect(await world.balance('ADA')).toBe(246);
  await ledgerOf(world, 'ADA');
});

const tierOf = (id: string, from: number, to?: number, campaign_id = 'camp_club') => ({
  id: `ltr_${id}`,
  name: id,
  campaign_id,
  points: { from, ...(to === undefined ? {} : { to }) },
});

const onMove = (kind: string, tier: string, points: number) => ({
  event: `customer.loyalty.tier.${kind}`,
  loyalty_tier: { id: tier },
  loyalty: fixed(points),
});

/** Hands over what moved members, each as often as it says at once, until nothing is new. */
async function handMoves({ items, dependencies }: Awaited<ReturnType<typeof newWorld>>, times = 1) {
  const seen = new Set<string>();
  for (;;) {
    const records = [...(await items('LEDGER')), ...(await items('ACTIVITY'))].map((item) => recordOf(item));
    const fresh = changesIn(records).filter(({ key }) => !seen.has(JSON.stringify(key)));
    if (fresh.length === 0) return;
    for (const { key } of fresh) seen.add(JSON.stringify(key));
    const messages = Array.from({ length: times }, () => messagesFor(fresh.map(({ key }) => key))).flat();
    expect(await runMessages(messages, dependencies, worksWith())).toEqual({ batchItemFailures: [] });
  }
}

/** What the ledger says of points, the last first. */
async function detailsOf({ transactions }: Awaited<ReturnType<typeof newWorld>>, code = 'ADA') {
  const { body } = await transactions(code);
  return body.data.map(({ points, source, details }: { points: number; source: string; details: Details }) => {
    const { balance, ...about } = details;
    return { points, source, operation_type: balance.operation_type, ...about };
  });
}

interface Details {
  balance: { operation_type: string };
}

test('what an order earns came by itself, whoever sent the order, and what somebody added did not', async () => {
  const world = await newWorld();
  await world.rules('camp_club', { event: 'order.paid', loyalty: fixed(4) });
  const order = await world.pay(1000);
  await world.ask(adjustBalance, { params: { memberId: 'ADA' }, body: { points: 1 } });
  expect(await detailsOf(world)).toMatchObject([
    { points: 1, source: 'API', operation_type: 'MANUAL' },
    { points: 4, source: 'Automation', operation_type: 'AUTOMATIC', order: { id: order.id, source_id: null } },
  ]);
});

test('the ledger says which segment points were earned by, and which tier', async () => {
  const world = await newWorld({ loyalty_tiers: [tierOf('bronze', 0, 19), tierOf('silver', 20)] });
  const filter = { junction: 'and', 'metadata.roast': { conditions: { $is: ['dark'] } } };
  const { id } = await world.ask(createSegment, { body: { name: 'Dark', type: 'auto-update', filter } });
  await world.run();
  await world.rules(
    'camp_club',
    { event: 'customer.segment.entered', segment: { id }, loyalty: fixed(20) },
    onMove('upgraded', '__ANY__', 5),
  );
  await world.ask(saveCustomer, { body: { id: 'cust_ada', metadata: { roast: 'dark' } } });
  await world.follow();
  await handMoves(world);
  const silver = { id: 'ltr_silver', name: 'silver' };
  const [second, first] = await detailsOf(world);
  expect([first, second]).toMatchObject([
    { points: 20, segment: { id, name: 'Dark' }, holder_loyalty_tier: { id: 'ltr_bronze', name: 'bronze' } },
    { points: 5, loyalty_tier: silver, holder_loyalty_tier: silver, event: { type: 'customer.loyalty.tier.upgraded' } },
  ]);
  expect(first).not.toHaveProperty('loyalty_tier');
  expect(second).not.toHaveProperty('segment');
});

test('a move between tiers earns by the rules for it, once, and what that leads to as well', async () => {
  const world = await newWorld({
    loyalty_tiers: [
      tierOf('bronze', 0, 99),
      tierOf('silver', 100, 199),
      tierOf('gold', 200),
      tierOf('first', 7, undefined, 'camp_open'),
    ],
  });
  await world.rules(
    'camp_club',
    { event: 'visit', loyalty: fixed(100) },
    onMove('upgraded', 'ltr_silver', 100),
    onMove('upgraded', '__ANY__', 5),
    onMove('joined', 'ltr_first', 1000),
    onMove('left', '__ANY__', 9),
  );
  await world.rules('camp_open', onMove('upgraded', 'ltr_gold', 7));
  await world.visit();
  expect(await world.balance('ADA')).toBe(100);
  await handMoves(world, 4);
  // 100 by the visit, 105 by silver, 5 by gold, and 1000 for joining the first tier of the programme that gold opens.
  expect(await world.balance('ADA')).toBe(100 + 105 + 5 + 1000);
  await ledgerOf(world, 'ADA');
  await handMoves(world, 2);
  expect(await world.balance('ADA')).toBe(1210);
});

test('moves that give points that move end after ten rounds', async () => {
  const world = await newWorld({
    loyalty_tiers: Array.from({ length: 20 }, (_, index) => tierOf(`t${index}`, index * 10, index * 10 + 9)),
  });
  await world.rules('camp_club', { event: 'visit', loyalty: fixed(10) }, onMove('upgraded', '__ANY__', 10));
  await world.visit();
  await handMoves(world);
  expect(await world.balance('ADA')).toBe(10 + 10 * 10);
});

test('a tier that is kept when its days are over earns for being prolonged', async () => {
  const kept = {
    qualification_type: 'BALANCE',
    expiration_date: { type: 'CUSTOM', extend: 'P1M', rounding: { type: 'MONTH', strategy: 'END' } },
  };
  const world = await newWorld({
    campaigns: [programme('camp_club', { loyalty_tiers_expiration: kept })],
    loyalty_tiers: [tierOf('only', 5)],
  });
  await world.rules('camp_club', { event: 'visit', loyalty: fixed(5) }, onMove('prolonged', '__ANY__', 50));
  await world.visit();
  world.clock.set('2026-08-01T12:00:00Z');
  await world.visit();
  await handMoves(world, 3);
  expect(await world.balance('ADA')).toBe(60);
});

test('formulas work out points by the order, its products as they are kept, its customer and the event', async () => {
  const world = await newWorld({
    products: [{ id: 'prod_tea', name: 'Tea', price: 500, metadata: { stars: 4 } }],
    customers: [{ id: 'cust_ada', birthdate: '1990-06-15', metadata: { level: 2 } }],
  });
  const by = (points_formula: string, event = 'order.paid') => ({ event, loyalty: { ...fixed(1), points_formula } });
  await world.rules(
    'camp_club',
    by('ORDER_AMOUNT * CUSTOMER_METADATA("level")'),
    by('CHEAPEST_ORDER_ITEM_PRODUCT_METADATA("stars") * 100'),
    by('IF(YEAR(CUSTOMER_BIRTHDATE) < 2000; 1000; 0)'),
    by('CUSTOM_EVENT_METADATA("length") * 1.4', 'visit'),
  );
  await world.ask(createOrder, {
    body: { status: 'PAID', items: [{ product_id: 'prod_tea', quantity: 1 }], customer: { id: 'cust_ada' } },
  });
  expect(await world.balance('ADA')).toBe(10 + 400 + 1_000);
  await world.visit({ length: 3 });
  expect(await world.balance('ADA')).toBe(1_410 + 4);
  // Without lines and metadata the plain points are what is left.
  await world.pay(100);
  await world.visit();
  expect(await world.balance('ADA')).toBe(1_414 + 2 + 1 + 1_000 + 1);
  await ledgerOf(world, 'ADA');
});

test('transactions and pending points say which rule gave them, as members know it, and in which tier', async () => {
  const world = await newWorld({ loyalty_tiers: [tierOf('bronze', 0, 99), tierOf('silver', 100)] });
  const [rule, later] = await world.rules(
    'camp_club',
    { event: 'order.paid', loyalty: fixed(100), source: { banner: 'Hundred' } },
    { event: 'order.paid', loyalty: fixed(5), pending_points: { period_value: 1 } },
  );
  await world.pay(1);
  await world.pay(1);
  const bronze = { id: 'ltr_bronze', name: 'bronze' };
  const silver = { id: 'ltr_silver', name: 'silver' };
  const pending = await world.ask(listPending, { params: { memberId: 'ADA' } });
  expect(pending.data.map(({ details }: { details: object }) => details)).toMatchObject([
    { earning_rule: { id: later.id, source: { banner: null } }, holder_loyalty_tier: silver },
    { earning_rule: { id: later.id, source: { banner: null } }, holder_loyalty_tier: bronze },
  ]);
  await world.ask(activate, { params: { memberId: 'ADA', pendingPointsId: pending.data[0].id } });
  const { data } = (await world.transactions('ADA')).body;
  expect(data.map(({ details }: { details: object }) => details)).toMatchObject([
    { earning_rule: { id: later.id }, holder_loyalty_tier: silver },
    { earning_rule: { id: rule.id, source: { banner: 'Hundred' } }, holder_loyalty_tier: silver },
    { earning_rule: { id: rule.id, source: { banner: 'Hundred' } }, holder_loyalty_tier: bronze },
  ]);
});
