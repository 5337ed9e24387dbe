import { describe, expect, test } from 'vitest';
import { handler as update } from '../../functions/product-collections/update-product-collection.ts';
import { handler as deleteProduct } from '../../functions/products/delete-product.ts';
import { handler as updateProduct } from '../../functions/products/update-product.ts';
import { caller } from '../support/call.ts';
import { asks, dynamic, filterOf, shop } from '../support/product-collections.ts';
import { loadProject } from '../support/project.ts';

const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('a STATIC collection', () => {
  const named = [
    { object: 'sku', id: 's2' },
    { object: 'product', id: 'prod_b' },
    { object: 'product', id: 'b' },
    { object: 'sku', id: 'sku_0', product_id: 'a' },
  ];

  test('has the named members, each once and by its id, and lists them with their products', async () => {
    const project = await shop();
    const { create: make, products: members, at } = asks(project);
    const { body } = await make({ type: 'STATIC', name: 'Mine', products: named });
    expect(Object.entries(body)).toEqual(
      Object.entries({
        id: expect.stringMatching(/^pc_/),
        name: 'Mine',
        type: 'STATIC',
        products: [
          { id: 'sku_2', product_id: 'prod_c', object: 'sku' },
          { id: 'prod_b', object: 'product' },
          { id: 'sku_0', product_id: 'prod_a', object: 'sku' },
        ],
        created_at: expect.any(String),
        object: 'products_collection',
      }),
    );
    const listed = await members(body.id);
    expect(listed).toMatchObject({ object: 'list', data_ref: 'data', total: 3, has_more: false });
    expect(listed.data).toMatchObject([
      { id: 'sku_2', object: 'sku', price: 30, product: { id: 'prod_c', name: 'c', object: 'product' } },
      { id: 'prod_b', object: 'product' },
      { id: 'sku_0', product: { id: 'prod_a' } },
    ]);
    expect(idsOf(await members(body.id, 'limit=2&page=2&order=created_at'))).toEqual(['sku_2']);
    await caller(deleteProduct)({ headers: project.credentials, params: { productId: 'c' } });
    expect(await members(body.id)).toMatchObject({ total: 2 });
    expect((await caller(update)({ ...at(body.id), body: { name: 'Ours' } })).body).toMatchObject({
      name: 'Ours',
      products: body.products,
    });
    const refused = await caller(update)({ ...at(body.id), body: { filter: filterOf('price', { $is: [1] }) } });
    expect([refused.status, refused.body.key]).toEqual([400, 'invalid_payload']);
  });

  test.each([
    ['an unknown product', [{ object: 'product', id: 'jug' }], [404, 'product', 'jug']],
    ['a SKU as a product', [{ object: 'product', id: 's2' }], [404, 'product', 's2']],
    ['a SKU of another product', [{ object: 'sku', id: 's2', product_id: 'a' }], [404, 'sku', 's2']],
    ['more than 20', Array.from({ length: 21 }, () => ({ object: 'product', id: 'a' })), [400, undefined, undefined]],
    ['something else', [{ object: 'voucher', id: 'a' }], [400, undefined, undefined]],
  ])('of %s is refused', async (_, wanted, expected) => {
    const { status, body } = await asks(await shop()).create({ type: 'STATIC', name: 'No', products: wanted });
    expect([status, body.resource_type, body.resource_id]).toEqual(expected);
  });
});

describe('an AUTO_UPDATE collection', () => {
  test.each<[object, string[]]>([
    [filterOf('price', { $is: [30] }), ['prod_c', 'sku_2', 'sku_0', 'sku_1']],
    [filterOf('object', { $is: ['sku'] }), ['sku_2', 'sku_0', 'sku_1']],
    [filterOf('product_id', { $is: ['prod_a'] }), ['sku_0', 'sku_1']],
    [filterOf('skus', { $count: [2] }), ['prod_a']],
    [filterOf('metadata.shelf', { $is: [1] }), ['prod_d', 'prod_b']],
    [filterOf('created_at', { $before: ['2026-01-03'] }), ['prod_b', 'prod_a']],
    [{ ...filterOf('name', { $in: ['a', 'd'] }), source_id: { conditions: { $starts_with: ['d'] } } }, ['prod_d']],
    [{ ...filterOf('name', { $is: ['a'] }, 'OR'), source_id: { conditions: { $is: ['s2'] } } }, ['sku_2', 'prod_a']],
  ])('finds the products and SKUs that meet %j, each separately', async (filter, ids) => {
    const { create: make, products: members } = asks(await shop());
    const { id } = (await make(dynamic(filter))).body;
    expect(await members(id).then((all) => [idsOf(all), all.total, all.has_more])).toEqual([ids, ids.length, false]);
  });

  test('has the members that meet it now, and uses a new filter at once', async () => {
    const project = await shop();
    const { create: make, products: members, at } = asks(project);
    const { id } = (await make(dynamic(filterOf('price', { $more_than: [39] })))).body;
    expect(idsOf(await members(id))).toEqual(['prod_d']);
    const headers = project.credentials;
    await caller(updateProduct)({ headers, params: { productId: 'a' }, body: { price: 99 } });
    expect(idsOf(await members(id))).toEqual(['prod_d', 'prod_a']);
    await caller(update)({ ...at(id), body: { filter: filterOf('price', { $more_than: [98] }) } });
    expect(idsOf(await members(id))).toEqual(['prod_a']);
  });

  test.each(['', 'order=created_at', 'order=updated_at', 'order=-updated_at'])(
    'is walked without a gap or a repeat, by pages and by cursor, with "%s"',
    async (order) => {
      const { products: members } = asks(await shop());
      const all = idsOf(await members('pc_a11pr0dUc75', `${order}&limit=100`));
      expect(all).toHaveLength(7);
      const byPage = await Promise.all(
        [1, 2, 3, 4].map((page) => members('pc_a11pr0dUc75', `${order}&limit=2&page=${page}`)),
      );
      expect(byPage.flatMap(idsOf)).toEqual(all);
      const walked: string[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page = await members('pc_a11pr0dUc75', `${order}&limit=2${cursor && `&starting_after_id=${cursor}`}`);
        walked.push(...idsOf(page));
        cursor = page.more_starting_after;
      }
      expect(walked).toEqual(all);
    },
  );
});

test('a filter looks through 1,000 products and SKUs in a request, and says where to go on', async () => {
  const many = Array.from({ length: 1_030 }, (_, index) => ({ id: `prod_${index}`, price: index < 3 ? 1 : 2 }));
  const dated = many.map((one, index) => ({ ...one, created_at: new Date(1e12 + index).toISOString() }));
  const cheap = { name: 'Cheap', id: 'pc_cheap', type: 'AUTO_UPDATE', filter: filterOf('price', { $is: [1] }) };
  const { products: members } = asks(await loadProject({ products: dated, product_collections: [cheap] }));
  const first = await members('pc_cheap');
  expect(first).toMatchObject({ data: [], total: 0, has_more: true, more_starting_after: 'prod_30' });
  const second = await members('pc_cheap', 'starting_after_id=prod_30&limit=2');
  expect([idsOf(second), second.has_more]).toEqual([['prod_2', 'prod_1'], true]);
  const third = await members('pc_cheap', `starting_after_id=${second.more_starting_after}`);
  expect([idsOf(third), third.has_more]).toEqual([['prod_0'], false]);
});
