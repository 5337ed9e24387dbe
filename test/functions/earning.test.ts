import { expect, test } from 'vitest';
import { handler as updateRule } from '../../functions/loyalties/update-earning-rule.ts';
import { handler as deleteValidation } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as unassign } from '../../functions/validation-rules/delete-validation-rule-assignment.ts';
import { handler as listAssignments } from '../../functions/validation-rules/list-validation-rule-assignments.ts';
import { fixed, openEarning } from '../support/earning.ts';
import { earningRule, passiveSegment, validationRule } from '../support/lists.ts';
import { ledgerOf } from '../support/loyalty.ts';

const validation = (id: string, name: string, conditions: object, more: object = {}) =>
  validationRule(id, id, { name, conditions, ...more });

test('an order earns by the rules whose validation rules it meets, and the sums are exact', async () => {
  const world = await openEarning({
    products: [{ id: 'prod_tea', name: 'Tea', price: 500, metadata: { organic: true } }],
    validation_rules: [
      validation('val_large', 'order.amount', { $more_than: [1000] }),
      validation('val_vip', 'customer.metadata', { $is: [true] }, { property: 'vip' }),
      validation('val_organic', 'product.metadata', { $is: [true] }, { property: 'organic' }),
      validation('val_segment', 'customer.segment', { $is: ['seg_vip'] }),
      validation('val_long', 'custom_event.metadata', { $more_than: [5] }, { property: 'length' }),
    ],
    segments: [passiveSegment('seg_vip', 'Vip', { 'metadata.vip': { conditions: { $is: [true] } } })],
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
  await world.pay({ amount: 1000 });
  expect(await world.balance('ADA')).toBe(10_101);
  await world.pay({ amount: 1001 });
  expect(await world.balance('ADA')).toBe(10_101 + 10_111);
  await world.pay({ items: [{ product_id: 'prod_tea', quantity: 1 }] });
  expect(await world.balance('ADA')).toBe(10_101 + 10_111 + 11_101);
  await world.visit({ length: 5 });
  await world.visit({ length: 6 });
  expect(await world.balance('ADA')).toBe(10_101 + 10_111 + 11_101 + 7);
  await ledgerOf(world, 'ADA');
});

test('a rule with a deleted validation rule earns nothing until that is removed', async () => {
  const world = await openEarning({ validation_rules: [validation('val_none', 'order.amount', { $less_than: [0] })] });
  await world.rules('camp_club', { event: 'order.paid', loyalty: fixed(5), validation_rule_id: 'val_none' });
  const params = { validationRuleId: 'val_none' };
  const { data } = await world.ask(listAssignments, { params });
  await world.pay({ amount: 100 });
  await world.ask(deleteValidation, { params });
  await world.pay({ amount: 100 });
  await world.run();
  await world.pay({ amount: 100 });
  expect(await world.balance('ADA')).toBe(0);
  await world.ask(unassign, { params: { ...params, assignmentId: data[0].id } });
  await world.pay({ amount: 100 });
  expect(await world.balance('ADA')).toBe(5);
});

test('a rule of a project file keeps the validation rule of a reply, and earns by it', async () => {
  const rule = (id: string, validation_rule_id: string | null) =>
    earningRule(
      id,
      'visit',
      {
        type: 'PROPORTIONAL',
        calculation_type: 'CUSTOM_EVENT_METADATA',
        custom_event: { metadata: { property: 'length', every: 1, points: 1 } },
      },
      { validation_rule_id, custom_event: { schema_id: 'ms_1' }, automation_id: 'auto_1' },
    );
  const world = await openEarning({
    validation_rules: [validation('val_long', 'custom_event.metadata', { $more_than: [5] }, { property: 'length' })],
    earning_rules: [rule('ern_1', 'val_long'), rule('ern_2', null)],
  });
  await world.visit({ length: 3 });
  await world.visit({ length: 10 });
  expect(await world.balance('ADA')).toBe(3 + 20);
});

test('a rule earns only within its own dates and hours, under its own expiration', async () => {
  const world = await openEarning();
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

test('formulas calculate points from the order, its stored products, its customer and the event', async () => {
  const world = await openEarning({
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
  await world.pay({ items: [{ product_id: 'prod_tea', quantity: 1 }] });
  expect(await world.balance('ADA')).toBe(10 + 400 + 1_000);
  await world.visit({ length: 3 });
  expect(await world.balance('ADA')).toBe(1_410 + 4);
  // Without lines and metadata only the plain points remain.
  await world.pay({ amount: 100 });
  await world.visit();
  expect(await world.balance('ADA')).toBe(1_414 + 2 + 1 + 1_000 + 1);
  await ledgerOf(world, 'ADA');
});
