import { expect, test } from 'vitest';
import { product as productResource } from '#engine/catalogue/products/resource.ts';
import { findCustomer } from '#engine/customers/find-customer.ts';
import { readFacts } from '#engine/customers/read-facts.ts';
import { CompiledRules, compileRule } from '#engine/rules/compile.ts';
import type { CountedSubject } from '#engine/rules/counter.ts';
import { changeColdCounts, listMovedCounters } from '#engine/rules/counts.ts';
import { mergeNeeds } from '#engine/rules/needs.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { getResource } from '#kernel/kit/resource/operations.ts';
import { commit } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as createSegment } from '../../../../functions/segments/create-segment.ts';
import { caller } from '../../../support/call.ts';
import { testDependencies, testTime } from '../../../support/dependencies.ts';
import { tableOfFile } from '../../../support/listed.ts';
import { loadProject } from '../../../support/project.ts';

const dark = { junction: 'and', 'metadata.roast': { conditions: { $is: ['dark'] } } };

async function shop() {
  const { id, credentials: headers } = await loadProject({
    customers: ['cust_1', 'cust_2'].map((id) => ({ id, source_id: id, metadata: { roast: 'dark' } })),
    products: [{ id: 'prod_1', source_id: 'own', name: 'Beans' }],
    product_collections: ['pc_1', 'pc_2'].map((id, index) => ({
      id,
      name: id,
      type: 'STATIC',
      products: [{ id: index === 0 ? 'prod_1' : 'prod_2', object: 'product' }],
    })),
    segments: [{ id: 'seg_dark', name: 'D', type: 'passive', filter: dark }],
  });
  const body = { type: 'static', name: 'S', customers: ['cust_1'] };
  const fixed: string = (await caller(createSegment)({ headers, body })).body.id;
  const project = await findProject(tableOfFile(), id);
  if (!project) throw new Error('the project was not loaded');
  return { project, table: tableOfFile(), now: testTime, fixed };
}

const rule = (name: string, ...values: string[]) =>
  compileRule({ rules: { '1': { name, conditions: { $in: values } } } }).needs;

test('one call reads everything that the rules of a request need, at any number, and nothing else', async () => {
  const context = await shop();
  const customer = await findCustomer(context, 'cust_1');
  const limits = ['redemption.count.daily', 'redemption.count.per_customer', 'campaign.redemptions.count'];
  const counted = ['v_1', 'v_2', 'v_3'].map(
    (id): CountedSubject => ({ redeemable: { object: 'voucher', id }, campaign_id: 'camp_1', customer: 'cust_1' }),
  );
  const needs = mergeNeeds([
    rule('customer.segment', context.fixed, 'seg_gone'),
    rule('order.items.any', 'pc_1', 'pc_2', 'pc_gone'),
    ...Array.from({ length: 50 }, () => rule('customer_segment', 'seg_dark')),
    ...limits.map((name) => compileRule({ rules: { '1': { name, conditions: { $less_than: [5] } } } }).needs),
  ]);
  const { dynamodb, tableName } = testDependencies();
  const table = new Table(dynamodb, tableName, testTime);
  const facts = await readFacts({ ...context, table }, needs, { customer, counted });
  expect(table.meter.calls).toBe(1);
  expect(facts.segments).toEqual([context.fixed, 'seg_dark']);
  const product = await getResource(context, productResource, 'prod_1');
  expect(facts.collectionsOf({}, { product })).toEqual(['pc_a11pr0dUc75', 'pc_1']);
  expect(facts.collectionsOf({}, {})).toEqual(['pc_a11pr0dUc75']);
  expect(facts.counts).toEqual(counted.map(() => Object.fromEntries(limits.map((name) => [name, 0]))));

  const idle = new Table(dynamodb, tableName, testTime);
  await readFacts({ ...context, table: idle }, mergeNeeds([]), { customer: undefined, counted });
  expect(idle.meter.calls).toBe(0);
  const other = await readFacts(context, needs, { customer: await findCustomer(context, 'cust_2'), counted: [] });
  expect(other.segments).toEqual(['seg_dark']);
});

const voucher = { object: 'voucher', id: 'v_1' } as const;

test('counters move by their own events, for their own subjects, in their own period', async () => {
  const context = await shop();
  const { project, table, now } = context;
  const counted: CountedSubject = { redeemable: voucher, campaign_id: 'camp_1', customer: 'cust_1', api_key: 'app_1' };
  const asked = ['campaign.orders.amount', 'redemption.count.weekly', 'redemption.count.per_customer'];
  const redeemed = { now, order: { amount: 700, items: [] } };
  const needs = mergeNeeds(asked.map((name) => rule(name, '1')));
  const move = async () => {
    const moved = listMovedCounters(project.id, { counted, needs: [needs], context: redeemed, isShared: false }, now);
    const { counters } = await readFacts(context, needs, { customer: undefined, counted: [counted] });
    const own = moved.map((one) => ({ ...one, isShared: false }));
    expect(await commit(table, changeColdCounts(own, counters, { now }))).toBe(true);
  };
  const countsOf = async (one: CountedSubject, at = now) => {
    const facts = await readFacts({ ...context, now: at }, needs, { customer: undefined, counted: [one] });
    return asked.map((name) => facts.counts[0]?.[name]);
  };
  await move();
  await move();
  expect(await countsOf(counted)).toEqual([1400, 2, 2]);
  // This is the sixth day of its week, and the first day of the next week.
  expect(await countsOf(counted, new Date('2026-06-21T23:59:59Z'))).toEqual([1400, 2, 2]);
  expect(await countsOf(counted, new Date('2026-06-22T00:00:00Z'))).toEqual([1400, 0, 2]);
  expect(await countsOf({ ...counted, customer: 'cust_2' })).toEqual([1400, 2, 0]);
  expect(await countsOf({ redeemable: voucher })).toEqual([undefined, 2, undefined]);
  expect(await countsOf({ ...counted, redeemable: { ...voucher, id: 'v_2' } })).toEqual([1400, 0, 0]);
});

test('a document is compiled once, and again when it has changed', () => {
  const rules = new CompiledRules(200);
  const document = (least: number) => ({
    rules: { '1': { name: 'order.amount', conditions: { $more_than: [least] } } },
  });
  const first = rules.of(document(1));
  expect(rules.of(document(1))).toBe(first);
  expect(rules.of(document(2))).not.toBe(first);
  for (let least = 3; least < 10; least++) rules.of(document(least));
  const again = rules.of(document(1));
  expect(again).not.toBe(first);
  expect(again.judge({ now: testTime, order: { amount: 2, items: [] } }).met).toBe(true);
});
