import { expect, test } from 'vitest';
import { handler as getCustomer } from '../../../../../functions/customers/get-customer.ts';
import { handler as createOrder } from '../../../../../functions/orders/create-order.ts';
import { handler as getOrder } from '../../../../../functions/orders/get-order.ts';
import { handler as listOrders } from '../../../../../functions/orders/list-orders.ts';
import { handler as updateOrder } from '../../../../../functions/orders/update-order.ts';
import { caller } from '../../../../support/call.ts';
import { club } from '../../../../support/club.ts';
import { ownTable, testDependencies, testTime } from '../../../../support/dependencies.ts';
import { exported } from '../../../../support/exported.ts';
import { earningRule } from '../../../../support/lists.ts';
import { itemsOf } from '../../../../support/outbox.ts';
import { credentialsOf, faultsOf, loadFile, projectFile } from '../../../../support/project.ts';

const earning_rules = [...club.earning_rules, earningRule('ern_paid', 'order.paid', { type: 'FIXED', points: 10 })];

const stored = {
  id: 'ord_old',
  source_id: 'old',
  status: 'PAID',
  amount: 300,
  total_amount: 300,
  items: [{ quantity: 1, price: 300, amount: 300 }],
  customer_id: 'cust_bob',
};

test('an order of a file is an order of the API, and loading the file again keeps its later changes', async () => {
  const file = projectFile({ ...club, earning_rules, orders: [stored, {}] });
  await loadFile(file);
  const before = await itemsOf(file.project.id, '');
  await loadFile(file);
  expect(await itemsOf(file.project.id, '')).toEqual(before);
  const [headers, params] = [credentialsOf(file), { orderId: 'old' }];
  const shown = (await caller(getOrder)({ headers, params })).body;
  expect(shown).toMatchObject({ id: 'ord_old', customer: { id: 'cust_bob' }, updated_at: null });
  expect((await caller(listOrders)({ headers })).body.total).toBe(2);
  await caller(updateOrder)({ headers, params, body: { status: 'CANCELED' } });
  await loadFile(file);
  expect((await caller(getOrder)({ headers, params })).body).toMatchObject({ status: 'CANCELED', amount: 300 });
  const pasted = projectFile({ ...club, orders: [shown] });
  await loadFile(pasted);
  expect((await caller(getOrder)({ headers: credentialsOf(pasted), params })).body).toEqual(shown);
});

test("exported orders load unchanged: they earn no second time, and their customer's figures follow them", async () => {
  const file = projectFile({ ...club, earning_rules });
  await loadFile(file);
  const headers = credentialsOf(file);
  const customer = { source_id: 'shop-2' };
  for (const amount of [500, 300]) {
    await caller(createOrder)({ headers, body: { source_id: `o-${amount}`, status: 'PAID', amount, customer } });
  }
  const other = testDependencies({ tableName: await ownTable() });
  await loadFile(await exported(file.project.id), testTime, other);

  const summary = async () =>
    (await caller(getCustomer, other)({ headers, params: { customerId: 'shop-2' } })).body.summary.orders;
  const update = (orderId: string, body: object) => caller(updateOrder, other)({ headers, params: { orderId }, body });
  expect(await summary()).toMatchObject({ total_amount: 800, total_count: 2, average_amount: 400 });
  const items = await itemsOf(file.project.id, '', other);
  await update('o-500', { status: 'CANCELED' });
  expect(await summary()).toMatchObject({ total_amount: 300, total_count: 1, last_order_amount: 300 });
  expect((await update('o-500', { status: 'PAID', items: [{ price: 1 }] })).body.amount).toBe(500);
  const ledger = (all: object[]) => all.filter((item) => 'sequence' in item).length;
  expect(ledger(await itemsOf(file.project.id, '', other))).toBe(ledger(items));
});

test('entries that are not valid orders, and rules that no order meets, are refused at their places', async () => {
  const rule = (loyalty: object, event: string) => earningRule(`ern_${event}`, event, loyalty);
  const byOrder = {
    type: 'PROPORTIONAL',
    calculation_type: 'ORDER_AMOUNT',
    order: { amount: { every: 1, points: 1 } },
  };
  const byEvent = { type: 'PROPORTIONAL', metadata_key: 'amount', points: 1, every: 1 };
  const faults = await faultsOf(
    projectFile({
      ...club,
      orders: [{ status: 'GONE', amount: -1, items: [{ price: 2 }] }],
      earning_rules: [rule(byOrder, 'visited'), rule(byEvent, 'order.paid')],
      event_schema: [{ name: 'order.paid', metadata: {} }, ...club.event_schema],
    }),
  );
  expect(faults.join('; ')).toMatch(/orders\[0\]\.status .*orders\[0\]\.amount .*orders\[0\]\.items\[0\]\.quantity /);
  expect(faults).toEqual(
    expect.arrayContaining([
      expect.stringContaining('earning_rules[0].event must be order.paid'),
      expect.stringContaining('earning_rules[1].loyalty must have a calculation_type'),
      expect.stringContaining('event_schema[0].name must not be order.paid'),
    ]),
  );
});
