import { describe, expect, test } from 'vitest';
import { handler as create } from '../../functions/product-collections/create-product-collection.ts';
import { handler as remove } from '../../functions/product-collections/delete-product-collection.ts';
import { handler as get } from '../../functions/product-collections/get-product-collection.ts';
import { handler as listProducts } from '../../functions/product-collections/list-collection-products.ts';
import { handler as list } from '../../functions/product-collections/list-product-collections.ts';
import { handler as update } from '../../functions/product-collections/update-product-collection.ts';
import { handler as deleteProduct } from '../../functions/products/delete-product.ts';
import { handler as updateProduct } from '../../functions/products/update-product.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as deleteRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as updateRule } from '../../functions/validation-rules/update-validation-rule.ts';
import { collection } from '../../lib/collections/resource.ts';
import { caller } from '../support/call.ts';
import { observed } from '../support/commands.ts';
import { testDependencies } from '../support/dependencies.ts';
import { describeCrud } from '../support/describe-crud.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const filterOf = (field: string, conditions: object, junction = 'and') => ({ junction, [field]: { conditions } });
const dynamic = (filter: object, name = 'Found') => ({ type: 'AUTO_UPDATE', name, filter });

describeCrud('product-collections', collection, {
  body: (number) => dynamic(filterOf('price', { $more_than: [number] }), `Over ${number}`),
  refused: {
    name: dynamic(filterOf('price', { $more_than: [1] }), ''),
    'filter.junction': dynamic(filterOf('price', { $more_than: [1] }, 'nor')),
    filter: dynamic({ junction: 'or' }),
    'filter.prize': dynamic(filterOf('prize', { $is: [1] })),
    'filter.name.conditions.$count': dynamic(filterOf('name', { $count: [1] })),
  },
});

const products = ['a', 'b', 'c', 'd'].map((name, index) => ({
  id: `prod_${name}`,
  source_id: name,
  name,
  price: (index + 1) * 10,
  created_at: `2026-01-0${index + 1}T00:00:00.000Z`,
  metadata: { shelf: index % 2 },
}));
const skus = ['a', 'a', 'c'].map((name, index) => ({
  id: `sku_${index}`,
  source_id: `s${index}`,
  product_id: `prod_${name}`,
  price: 30,
}));
const shop = () => loadProject({ products, skus });

const asks = ({ credentials: headers }: TestProject) => ({
  create: async (body: object) => caller(create)({ headers, body }),
  products: async (productCollectionId: string, query = '') =>
    (await caller(listProducts)({ headers, params: { productCollectionId }, query })).body,
  at: (productCollectionId: string) => ({ headers, params: { productCollectionId } }),
});
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('a STATIC collection', () => {
  const named = [
    { object: 'sku', id: 's2' },
    { object: 'product', id: 'prod_b' },
    { object: 'product', id: 'b' },
    { object: 'sku', id: 'sku_0', product_id: 'a' },
  ];

  test('has what it names, each once and by its id, and lists it with its products', async () => {
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
  ])('finds the products and SKUs that meet %j, each by itself', async (filter, ids) => {
    const { create: make, products: members } = asks(await shop());
    const { id } = (await make(dynamic(filter))).body;
    expect(await members(id).then((all) => [idsOf(all), all.total, all.has_more])).toEqual([ids, ids.length, false]);
  });

  test('has what meets it now, and goes by another filter as soon as it has one', async () => {
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

test('a filter is looked for among 1,000 products and SKUs a request, which says where to go on', async () => {
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

test.each([
  [{ name: 'Neither' }, 'type is required'],
  [{ name: 'Neither', type: 'BOTH' }, 'type must be one of STATIC, AUTO_UPDATE'],
])('a collection of neither type is refused: %j', async (body, details) => {
  const reply = await asks(await loadProject()).create(body);
  expect([reply.status, reply.body.details]).toEqual([400, details]);
});

describe('a collection that rules name', () => {
  const filter = filterOf('price', { $more_than: [1] });
  async function named() {
    const project = await shop();
    const { create: make, at } = asks(project);
    const { id } = (await make(dynamic(filter))).body;
    const headers = project.credentials;
    const entry = { object: 'products_collection', id };
    const rules = {
      entry: { applicable_to: { excluded: [entry] } },
      rule: { rules: { '1': { name: 'product.id', conditions: { $is: ['prod_a', id] } } } },
      bundle: {
        bundle_rules: {
          '1': {
            name: 'order.items.any',
            conditions: { $is: [{ ...entry, type: 'products_collection' }] },
            rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } } },
          },
        },
      },
    };
    return {
      id,
      at,
      rules,
      make: (document: object) => caller(createRule)({ headers, body: { name: 'R', ...document } }),
      change: (validationRuleId: string, body: object) =>
        caller(updateRule)({ headers, params: { validationRuleId }, body }),
      drop: (validationRuleId: string) => caller(deleteRule)({ headers, params: { validationRuleId } }),
      remove: () => caller(remove)(at(id)),
      read: () => caller(get)(at(id)),
    };
  }

  test('is not deleted while they do, and they are named', async () => {
    const { id, rules, make, change, drop, remove: removing, read } = await named();
    const made = [];
    for (const document of Object.values(rules)) made.push((await make(document)).body.id);
    await make({ rules: { '1': { name: 'product.id', conditions: { $is: ['pc_other'] } } } });
    const refused = await removing();
    expect(refused.body).toMatchObject({
      code: 400,
      key: 'resource_in_use',
      resource_id: id,
      resource_type: 'products_collection',
      related_object_ids: made.toSorted(),
      related_object_type: 'validation_rules',
    });
    expect((await read()).status).toBe(200);
    await change(made[0], { applicable_to: null });
    await drop(made[1]);
    expect((await removing()).body.related_object_ids).toEqual([made[2]]);
    await change(made[2], { bundle_rules: null });
    expect((await removing()).status).toBe(204);
    expect((await read()).status).toBe(404);
  });

  test('is not deleted under a rule that comes to name it between being looked for and the deletion', async () => {
    for (const how of ['make', 'change'] as const) {
      const { rules, make, change, at, id } = await named();
      const known = (await make({})).body.id;
      const meanwhile = { make: () => make(rules.entry), change: () => change(known, rules.rule) };
      let rule: string | undefined;
      const dependencies = testDependencies();
      const dynamodb = observed(dependencies.dynamodb, {
        before: async ({ name }) => {
          if (name === 'TransactWriteCommand') rule ??= (await meanwhile[how]()).body.id;
        },
      });
      const { body } = await caller(remove, { ...dependencies, dynamodb })(at(id));
      expect(rule).toMatch(/^val_/);
      expect(body).toMatchObject({ key: 'resource_in_use', related_object_ids: [rule] });
      expect((await caller(get)(at(id))).status).toBe(200);
    }
  });

  test('is named by each of twenty rules that are made at once', async () => {
    const { rules, make, remove: removing } = await named();
    const made = await Promise.all(Array.from({ length: 20 }, () => make(rules.rule)));
    expect((await removing()).body.related_object_ids).toEqual(made.map(({ body }) => body.id).sort());
  });
});

test('All Products is there in every project, as it is', async () => {
  const project = await shop();
  const { at } = asks(project);
  const { body } = await caller(get)(at('pc_a11pr0dUc75'));
  expect(body).toMatchObject({ id: 'pc_a11pr0dUc75', name: 'All Products', object: 'products_collection' });
  for (const reply of [
    await caller(update)({ ...at(body.id), body: { name: 'Some' } }),
    await caller(remove)(at(body.id)),
  ]) {
    expect([reply.status, reply.body.key]).toEqual([400, 'resource_protected']);
  }
  expect((await caller(list)({ headers: project.credentials })).body).toMatchObject({ data: [], total: 0 });
});

test('a project has at most 100 collections, whoever asks at the same time', async () => {
  const product_collections = Array.from({ length: 95 }, (_, index) => ({ name: `C${index}`, type: 'STATIC' }));
  const { create: make, at } = asks(await loadProject({ product_collections }));
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => make({ type: 'STATIC', name: 'One more', products: [] })),
  );
  const made = replies.filter(({ status }) => status === 200);
  expect(made).toHaveLength(5);
  expect(new Set(replies.map(({ body }) => body.key))).toEqual(new Set([undefined, 'too_many_resources']));
  expect((await caller(remove)(at(made[0]?.body.id))).status).toBe(204);
  expect((await make({ type: 'STATIC', name: 'Another', products: [] })).status).toBe(200);
});
