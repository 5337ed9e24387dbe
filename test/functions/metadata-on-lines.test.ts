import { describe, expect, test } from 'vitest';
import { findOperation } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { valuesBefore as old, declaredProperties as properties } from '../support/declared-metadata.ts';
import { card, programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';

/** Rules and collections compare the metadata of lines and products as declared, and show and store it as sent. */

const { size, ...valid } = old;

/** Conditions that hold only as the type is declared. */
const conditions: [string, object][] = [
  ['size', { $more_than: [9] }],
  ['since', { $is: ['2026-02-01T01:30:00Z'] }],
  ['born', { $is: ['2026-02-01T00:00:00Z'] }],
  ['place', { $is: ['geo:59.5,10'] }],
];

const coupon = { code: 'A', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };

async function world(rule: object, lists: object = {}) {
  const project = await loadProject({
    products: [{ id: 'prod_1', name: 'Tin', price: 100, metadata: old }],
    skus: [{ id: 'sku_1', product_id: 'prod_1', sku: 'Small tin', price: 100, metadata: old }],
    validation_rules: [{ id: 'val_1', name: 'Some', rules: { '1': rule, logic: '1' } }],
    vouchers: [coupon],
    validation_rules_assignments: [{ rule_id: 'val_1', related_object_type: 'voucher', related_object_id: 'A' }],
    ...lists,
  });
  const call = (name: string, request: object) =>
    caller(findOperation(name).handler)({ headers: project.credentials, ...request });
  return {
    call,
    declare: async (related_object: string) => {
      const body = { related_object, properties };
      expect((await call('create-metadata-schema', { params: { projectId: project.id }, body })).status).toBe(200);
    },
    validate: async (line: object) => {
      const order = { items: [{ quantity: 1, amount: 100, ...line }] };
      const body = { redeemables: [{ object: 'voucher', id: 'A' }], order };
      return (await call('validate-redeemables', { body })).body;
    },
  };
}

const byProduct = { product_id: 'prod_1' };

describe('a declared type decides how a rule on lines compares', () => {
  test.each(conditions)('the metadata of a product: %s %j', async (property, meant) => {
    const { declare, validate } = await world({ name: 'product.metadata', property, conditions: meant });
    expect((await validate(byProduct)).valid).toBe(false);
    await declare('product');
    expect((await validate(byProduct)).valid).toBe(true);
  });

  test.each([
    ['the metadata of a SKU', 'product.metadata', { sku_id: 'sku_1' }],
    ['all products', 'product.metadata.match_all', byProduct],
    ['the products of a discount', 'product.metadata.discount_applicable', byProduct],
  ])('%s', async (_, name, line) => {
    const { declare, validate } = await world({ name, property: 'size', conditions: { $more_than: [9] } });
    expect((await validate(line)).valid).toBe(false);
    await declare('product');
    expect((await validate(line)).valid).toBe(true);
  });

  test.each(conditions.slice(1))('the metadata of a line, by both names: %s %j', async (property, meant) => {
    const any = { name: 'order.items.metadata_any', property, conditions: meant };
    const within = {
      name: 'order.items.any',
      conditions: { $is: ['prod_1'] },
      rules: { '1': { name: 'order.items.metadata', property, conditions: meant }, logic: '1' },
    };
    const line = { ...byProduct, metadata: valid };
    for (const rule of [any, within]) {
      const { declare, validate } = await world(rule);
      expect((await validate(line)).valid).toBe(false);
      await declare('product');
      expect((await validate(line)).valid).toBe(false);
      await declare('order_item');
      expect((await validate(line)).valid).toBe(true);
    }
  });
});

test('a rule on lines leaves metadata unchanged in replies and in stored orders', async () => {
  const { call, declare, validate } = await world({
    name: 'order.items.metadata_any',
    property: 'since',
    conditions: { $is: ['2026-02-01T01:30:00Z'] },
  });
  await declare('order_item');
  await declare('product');
  const line = { ...byProduct, quantity: 1, amount: 100, metadata: valid };
  expect((await validate(line)).order.items[0].metadata).toEqual(valid);
  const body = { redeemables: [{ object: 'voucher', id: 'A' }], order: { items: [line] } };
  const { order } = (await call('redeem-redeemables', { body })).body;
  const stored = await call('get-order', { params: { orderId: order.id } });
  expect(stored.body.items[0].metadata).toEqual(valid);
});

test('a declared type decides which products a collection finds, and so which rules their lines meet', async () => {
  const filter = { junction: 'and', 'metadata.size': { conditions: { $more_than: [9] } } };
  const { call, declare, validate } = await world(
    { name: 'product.id', conditions: { $from: ['pc_1'] } },
    { product_collections: [{ id: 'pc_1', name: 'Large', type: 'AUTO_UPDATE', filter }] },
  );
  const found = async () => {
    const { body } = await call('list-collection-products', { params: { productCollectionId: 'pc_1' } });
    return body.data.map(({ id }: { id: string }) => id).toSorted();
  };
  expect([await found(), (await validate(byProduct)).valid]).toEqual([[], false]);
  await declare('product');
  expect([await found(), (await validate(byProduct)).valid]).toEqual([['prod_1', 'sku_1'], true]);
});

test('a declared type decides how an earning rule compares the products of a paid order', async () => {
  const { call, declare } = await world(
    { name: 'product.metadata', property: 'size', conditions: { $more_than: [9] } },
    {
      campaigns: [programme('camp_club')],
      customers: [{ id: 'cust_1' }],
      vouchers: [coupon, card('CARD', 0, { holder_id: 'cust_1' })],
    },
  );
  const earning = { event: 'order.paid', loyalty: { type: 'FIXED', points: 5 }, validation_rule_id: 'val_1' };
  const made = await call('create-earning-rules', { params: { campaignId: 'camp_club' }, body: [earning] });
  expect(made.status).toBe(200);
  const pay = async () => {
    const body = { status: 'PAID', customer: { id: 'cust_1' }, items: [{ ...byProduct, quantity: 1, amount: 100 }] };
    expect((await call('create-order', { body })).status).toBe(200);
    return (await call('get-voucher', { params: { code: 'CARD' } })).body.loyalty_card.balance;
  };
  expect(await pay()).toBe(0);
  await declare('product');
  expect(await pay()).toBe(5);
});
