import { expect, test } from 'vitest';
import { handler as createSku } from '../../../../../functions/skus/create-sku.ts';
import { handler as getSku } from '../../../../../functions/skus/get-sku.ts';
import { caller } from '../../../../support/call.ts';
import { itemsOf } from '../../../../support/outbox.ts';
import { credentialsOf, faultsOf, loadFile, projectFile } from '../../../../support/project.ts';

const mugs = (more: object = {}) =>
  projectFile({
    // References come before the entries that they name.
    skus: [{ id: 'sku_small', source_id: 'small', product_id: 'prod_mug', price: 4 }],
    products: [{ id: 'prod_mug', source_id: 'mug', price: 5 }, { id: 'prod_cup' }],
    ...more,
  });

test('a file loads its SKUs with their products, and changes nothing when it is loaded again', async () => {
  const file = mugs();
  await loadFile(file);
  const before = await itemsOf(file.project.id, '');
  expect(before).toContainEqual(expect.objectContaining({ id: 'prod_mug', children: 1 }));
  await loadFile(file);
  expect(await itemsOf(file.project.id, '')).toEqual(before);
});

test('a SKU of a file is a SKU of the API, which changes it', async () => {
  const file = mugs();
  await loadFile(file);
  const [headers, params] = [credentialsOf(file), { productId: 'mug', skuId: 'small' }];
  await caller(createSku)({ headers, params, body: { source_id: 'small', price: 3, metadata: { a: 1 } } });
  expect((await caller(getSku)({ headers, params })).body).toMatchObject({ id: 'sku_small', price: 3 });
  await loadFile({ ...file, skus: [{ source_id: 'small', product_id: 'prod_mug', price: 2 }] });
  expect((await caller(getSku)({ headers, params })).body).toMatchObject({ id: 'sku_small', price: 2, metadata: {} });
});

test('a SKU without a product in the file, or moved to another product, is refused', async () => {
  const unknown = mugs({ skus: [{ product_id: 'prod_jug' }, { product_id: 'mug' }, {}] });
  expect(await faultsOf(unknown)).toEqual([
    'skus[2].product_id is required',
    expect.stringContaining('skus[0].product_id'),
    expect.stringContaining('skus[1].product_id'),
  ]);
  const file = mugs();
  await loadFile(file);
  const moved = { ...file, skus: [{ id: 'sku_small', source_id: 'small', product_id: 'prod_cup' }] };
  expect(await faultsOf(moved)).toContain("skus[0].product_id differs from the stored value, which can't be changed");
});

test('a collection has the fields of its type', async () => {
  const filter = { junction: 'and', price: { conditions: { $is: [5] } } };
  const product_collections = [
    { name: 'Both', type: 'STATIC', filter, products: [] },
    { name: 'Neither', type: 'AUTO_UPDATE' },
    { name: 'Other', type: 'AUTO_UPDATE', filter, products: [] },
    { name: 'Wrong', type: 'AUTO_UPDATE', filter: { junction: 'and', prize: { conditions: { $is: [5] } } } },
    { name: 'Right', type: 'AUTO_UPDATE', filter },
  ];
  expect(await faultsOf(mugs({ product_collections }))).toEqual([
    'product_collections[0].filter must be left out of a STATIC collection',
    'product_collections[1].filter is required',
    'product_collections[2].products must be left out of an AUTO_UPDATE collection',
    expect.stringMatching(/^product_collections\[3\]\.filter\.prize is not a field to filter by/),
  ]);
});
