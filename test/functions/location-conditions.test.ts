import { describe, expect, test } from 'vitest';
import { handler as listSegments } from '../../functions/customers/list-customer-segments.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as createCollection } from '../../functions/product-collections/create-product-collection.ts';
import { handler as listOfCollection } from '../../functions/product-collections/list-collection-products.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { caller } from '../support/call.ts';
import { loadFile } from '../support/project.ts';
import { coupon, shop, vouchers } from '../support/redeeming.ts';

const square = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const place = (id: string, ...coordinates: number[][][]) => ({
  ...{ id, name: id },
  shape: { type: 'polygon', format: 'geojson', geojson: { type: 'Polygon', coordinates } },
});
const town = place('loc_town', square(0, 0, 10), square(4, 4, 2));
const port = place('loc_port', square(20, 0, 10));
const inside = 'geo:1,1';
const outside = 'geo:50,50';
const inHole = 'geo:5,5';

const conditions = { in: { $in_location: ['loc_town', 'loc_port'] }, notIn: { $not_in_location: ['loc_town'] } };
const filterBy = (key: string, operators: object) => ({
  junction: 'and',
  [`metadata.${key}`]: { conditions: operators },
});
const ruled = (id: string, rule: object) => ({
  validation_rules: [{ id: `val_${id}`, name: id, rules: { '1': rule } }],
  validation_rules_assignments: [
    { id: `asgm_${id}`, rule_id: `val_${id}`, related_object_id: id, related_object_type: 'voucher' },
  ],
  vouchers: [coupon(id, { redemption: { quantity: null } })],
});

/** Says whether a cart of this customer and this order may use the code. */
async function judging(file: object) {
  const one = await shop({ locations: [town, port], ...file } as Record<string, unknown[]>);
  const isValid = async (code: string, more: object) =>
    (await one.validate({ redeemables: vouchers(code), order: { amount: 1_000 }, ...more })).body.valid;
  return { ...one, isValid };
}

describe('a rule about a place judges', () => {
  test.each<[string, object, string[]]>([
    ['points in one of its locations', conditions.in, [inside, 'geo:5,25', 'geo:0,0']],
    ['points outside', conditions.notIn, ['geo:5,25', outside, inHole]],
  ])('%s', async (_, operators, met) => {
    const { isValid } = await judging(
      ruled('NEAR', { name: 'customer.metadata', property: 'spot', conditions: operators }),
    );
    for (const spot of [inside, 'geo:5,25', 'geo:0,0', outside, inHole, 'nowhere', 7, null]) {
      const customer = { source_id: 'ann', metadata: { spot } };
      expect([spot, await isValid('NEAR', { customer })]).toEqual([spot, met.some((one) => one === spot)]);
    }
    expect(await isValid('NEAR', { customer: { source_id: 'ann' } })).toBe(false);
  });

  test('the metadata of the order, of its lines, and of their products', async () => {
    const names = ['order.metadata', 'order.items.metadata_any', 'product.metadata'];
    for (const name of names) {
      const { isValid } = await judging(ruled('NEAR', { name, property: 'spot', conditions: conditions.in }));
      const order = (spot: string) => ({
        metadata: { spot },
        items: [{ source_id: 'new', quantity: 1, price: 100, metadata: { spot }, product: { metadata: { spot } } }],
      });
      expect([name, await isValid('NEAR', { order: order(inside) })]).toEqual([name, true]);
      expect([name, await isValid('NEAR', { order: order(outside) })]).toEqual([name, false]);
    }
  });

  test('nothing, if the location is unknown', async () => {
    for (const operator of ['$in_location', '$not_in_location']) {
      const rule = { name: 'order.metadata', property: 'spot', conditions: { [operator]: ['loc_gone'] } };
      const { isValid } = await judging(ruled('NEAR', rule));
      expect(await isValid('NEAR', { order: { amount: 100, metadata: { spot: inside } } })).toBe(false);
    }
  });

  test('a location as the newest project file has it', async () => {
    const rule = { name: 'order.metadata', property: 'spot', conditions: { $in_location: ['loc_town'] } };
    const { id, isValid } = await judging(ruled('NEAR', rule));
    const order = { amount: 100, metadata: { spot: 'geo:5,25' } };
    expect(await isValid('NEAR', { order })).toBe(false);
    await loadFile({ project: { id, name: 'Test' }, locations: [{ ...port, id: 'loc_town' }] });
    expect(await isValid('NEAR', { order })).toBe(true);
  });
});

test('a rule about a segment or a collection of a place lets in its customers and products', async () => {
  const rules = {
    segments: [{ id: 'seg_town', name: 'Town', type: 'passive', filter: filterBy('home', conditions.in) }],
    product_collections: [
      { id: 'pc_town', name: 'Town', type: 'AUTO_UPDATE', filter: filterBy('stall', conditions.in) },
    ],
    customers: [
      { id: 'cust_in', source_id: 'in', metadata: { home: inside } },
      { id: 'cust_out', source_id: 'out', metadata: { home: outside } },
    ],
    products: [
      { id: 'prod_in', source_id: 'here', name: 'Here', price: 500, metadata: { stall: inside } },
      { id: 'prod_out', source_id: 'there', name: 'There', price: 500, metadata: { stall: outside } },
    ],
  };
  const bySegment = await judging({
    ...rules,
    ...ruled('NEAR', { name: 'customer.segment', conditions: { $is: ['seg_town'] } }),
  });
  for (const [source_id, isIn] of [
    ['in', true],
    ['out', false],
  ] as const) {
    expect(await bySegment.isValid('NEAR', { customer: { source_id } })).toBe(isIn);
    const { body } = await caller(listSegments)({ headers: bySegment.headers, params: { customerId: source_id } });
    expect(body.total).toBe(isIn ? 1 : 0);
  }
  const members = await caller(listCustomers)({ headers: bySegment.headers, query: 'segment_id=seg_town' });
  expect(members.body.customers).toMatchObject([{ id: 'cust_in' }]);

  const byCollection = await judging({
    ...rules,
    ...ruled('NEAR', { name: 'product.id', conditions: { $from: ['pc_town'] } }),
  });
  const order = (source_id: string) => ({ order: { items: [{ source_id, quantity: 1 }] } });
  expect(await byCollection.isValid('NEAR', order('here'))).toBe(true);
  expect(await byCollection.isValid('NEAR', order('there'))).toBe(false);
  const listed = await caller(listOfCollection)({
    headers: byCollection.headers,
    params: { productCollectionId: 'pc_town' },
  });
  expect(listed.body.data).toMatchObject([{ id: 'prod_in' }]);
});

test('requests may create segments and collections of places, and an operand that is no id is refused', async () => {
  const { headers } = await judging({});
  const segment = (operand: unknown) => ({
    headers,
    body: { name: 'S', type: 'passive', filter: filterBy('home', { $in_location: operand }) },
  });
  expect((await caller(createSegment)(segment(['loc_town']))).status).toBe(200);
  const collection = { name: 'C', type: 'AUTO_UPDATE', filter: filterBy('stall', conditions.notIn) };
  expect((await caller(createCollection)({ headers, body: collection })).status).toBe(200);
  for (const operand of [[''], [], [{ id: 'loc_town' }], [7]]) {
    const { status, body } = await caller(createSegment)(segment(operand));
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
  }
});
