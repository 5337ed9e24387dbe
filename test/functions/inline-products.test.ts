import { expect, test } from 'vitest';
import { handler as validateFromPage } from '../../functions/client/validate-from-page.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { assignedRule, coupon } from '../support/lists.ts';
import { onPage, withPages } from '../support/pages.ts';
import { dynamic, filterOf } from '../support/product-collections.ts';
import { loadFile, loadProject, projectFile, type TestProject } from '../support/project.ts';

/** Filters of collections find what a line says of its product, if no product is stored or the line overrides it. */

const collections = {
  pc_green: filterOf('metadata.leaf', { $is: ['green'] }),
  pc_small: filterOf('metadata.size', { $is: ['S'] }),
};

const lists = {
  products: [
    { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500, metadata: { leaf: 'black', origin: 'Assam' } },
  ],
  skus: [{ id: 'sku_tin', source_id: 'tin', product_id: 'prod_tea', price: 700, metadata: { size: 'L' } }],
  product_collections: Object.entries(collections).map(([id, filter]) => ({ id, ...dynamic(filter, id) })),
  vouchers: ['green', 'small'].map((code) =>
    coupon(code, { type: 'PERCENT', percent_off: 50, effect: 'APPLY_TO_ITEMS' }, { active: true }),
  ),
  validation_rules: Object.keys(collections).map((id) => ({
    ...{ id: `val_${id}`, name: id },
    rules: { 1: { name: 'order.items.any', conditions: { $from: [id] } } },
    applicable_to: { included: [{ object: 'products_collection', id }], excluded: [], included_all: false },
  })),
  validation_rules_assignments: Object.keys(collections).map((id) => assignedRule(`val_${id}`, 'voucher', id.slice(3))),
};

const asking = (project: TestProject, code: string, item: object) => ({
  headers: project.credentials,
  body: { redeemables: [{ object: 'voucher', id: code }], order: { items: [{ quantity: 1, price: 100, ...item }] } },
});
const green = { metadata: { leaf: 'green' } };
const small = { metadata: { size: 'S' } };

test.each<[string, string, object, boolean]>([
  ['a product that is not stored', 'green', { source_id: 'new', product: green }, true],
  ['a product without any name', 'green', { product: { name: 'New', ...green } }, true],
  ['a SKU that is not stored', 'small', { source_id: 's1', related_object: 'sku', sku: small }, true],
  ['another metadata', 'green', { source_id: 'new', product: { metadata: { leaf: 'white' } } }, false],
  ['a stored product, which counts as stored', 'green', { source_id: 'tea', product: green }, false],
  [
    'a stored product that the line overrides',
    'green',
    { source_id: 'tea', product: { override: true, ...green } },
    true,
  ],
  ['a stored SKU, which counts as stored', 'small', { sku_id: 'sku_tin', sku: small }, false],
  ['a stored SKU that the line overrides', 'small', { sku_id: 'sku_tin', sku: { override: true, ...small } }, true],
  ['a new product that the line stores', 'green', { source_id: 'mate', product: { override: true, ...green } }, true],
])('of %s', async (_, code, item, isFound) => {
  const project = await loadProject(lists);
  const { body } = await caller(validateHandler)(asking(project, code, item));
  expect([body.valid, body.order?.total_discount_amount ?? 0]).toEqual([isFound, isFound ? 50 : 0]);
  const redeemed = await caller(redeemHandler)(asking(project, code, item));
  expect(redeemed.status).toBe(isFound ? 200 : 400);
});

test('an override keeps metadata that the line does not name', async () => {
  const own = await loadProject({
    ...lists,
    product_collections: [{ id: 'pc_green', ...dynamic(filterOf('metadata.origin', { $is: ['Assam'] })) }],
  });
  const order = { items: [{ source_id: 'tea', product: { override: true, ...green } }] };
  const body = { redeemables: [{ object: 'voucher', id: 'green' }], order };
  const reply = await caller(validateHandler)({ headers: own.credentials, body });
  expect(reply.body.valid).toBe(true);
});

test('a stored order keeps what its lines said of products that are not stored', async () => {
  const { credentials: headers } = await loadProject(lists);
  const items = [{ quantity: 1, price: 100, source_id: 'new', product: green }];
  const { body } = await caller(createOrder)({ headers, body: { items } });
  const redeemables = [{ object: 'voucher', id: 'green' }];
  const reply = await caller(validateHandler)({ headers, body: { redeemables, order: { id: body.id } } });
  expect([reply.body.valid, reply.body.order?.total_discount_amount]).toEqual([true, 50]);
});

test('a browser cannot describe its products: collections use the stored ones', async () => {
  const file = projectFile({
    products: [{ id: 'prod_tea', source_id: 'tea', name: 'Green tea', price: 100 }],
    product_collections: [{ id: 'pc_named', ...dynamic(filterOf('name', { $is: ['Green tea'] })) }],
    vouchers: lists.vouchers,
    validation_rules: [
      { id: 'val_tea', name: 'Tea', rules: { 1: { name: 'order.items.any', conditions: { $from: ['pc_named'] } } } },
    ],
    validation_rules_assignments: [{ rule_id: 'val_tea', related_object_type: 'voucher', related_object_id: 'green' }],
  });
  const paged = withPages(file);
  await loadFile(paged);
  const headers = onPage(paged);
  const redeemables = [{ object: 'voucher', id: 'green' }];
  const validity = async (item: object) => {
    const { status, body } = await caller(validateFromPage)({
      headers,
      body: { redeemables, order: { items: [{ quantity: 1, price: 100, ...item }] } },
    });
    return [status, body.valid];
  };
  expect(await validity({ source_id: 'tea' })).toEqual([200, true]);
  expect(await validity({ source_id: 'own', product: { name: 'Green tea' } })).toEqual([200, false]);
});
