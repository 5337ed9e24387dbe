import { describe, expect, test } from 'vitest';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as listOrders } from '../../functions/orders/list-orders.ts';
import { handler as listProducts } from '../../functions/products/list-products.ts';
import { handler as listSkus } from '../../functions/skus/list-skus.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

const numbers = Array.from({ length: 30 }, (_, index) => index);
/** Makes elements, the oldest first. Every third is red. */
const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
const metadata = (index: number) => ({ colour: index % 3 === 0 ? 'red' : 'blue', size: index });

const project = await loadProject({
  customers: numbers.map((index) => ({
    id: `cust_${index}`,
    source_id: `c-${index}`,
    name: `Name ${index}`,
    phone: `+47 ${index}`,
    birthdate: `19${60 + index}-01-01`,
    address: { city: 'Oslo', country: index < 10 ? 'NO' : 'SE' },
    created_at: at(index),
    metadata: metadata(index),
  })),
  products: numbers.map((index) => ({
    id: `prod_${index}`,
    name: `Product ${index}`,
    price: index * 100,
    attributes: index < 10 ? ['size'] : [],
    created_at: at(index),
    metadata: metadata(index),
  })),
  skus: numbers.map((index) => ({
    id: `sku_${String(index).padStart(2, '0')}`,
    product_id: 'prod_0',
    sku: `Size ${index}`,
    price: index * 100,
    created_at: at(index),
    metadata: metadata(index),
  })),
  orders: numbers.map((index) => ({
    id: `ord_${index}`,
    status: index < 10 ? 'PAID' : 'CREATED',
    amount: index * 100,
    customer_id: `cust_${index % 5}`,
    created_at: at(index),
    metadata: metadata(index),
  })),
});

const lists = {
  customers: { handler: listCustomers, key: 'customers', params: {} },
  products: { handler: listProducts, key: 'products', params: {} },
  skus: { handler: listSkus, key: 'skus', params: { productId: 'prod_0' } },
  orders: { handler: listOrders, key: 'orders', params: {} },
} as const;

type List = keyof typeof lists;

async function shown(list: List, query: string) {
  const { handler, key, params } = lists[list];
  const { status, body } = await caller(handler)({ headers: project.credentials, params, query });
  expect([status, body.details]).toEqual([200, undefined]);
  const ids: string[] = body[key].map(({ id }: { id: string }) => id);
  return { ...body, ids, numbers: ids.map((id) => Number(id.replace(/^\D+/, ''))) };
}

const filter = (field: string, operator: string, value: string | number) =>
  `filters[${field}][conditions][${operator}]=${value}`;

describe.each(['customers', 'products', 'skus', 'orders'] as const)('the list of %s', (list) => {
  test('is filtered by metadata, newest first, with the total of the matches', async () => {
    const red = numbers.filter((index) => index % 3 === 0).reverse();
    const found = await shown(list, `${filter('metadata.colour', '$is', 'red')}&limit=4`);
    expect([found.numbers, found.total, found.has_more]).toEqual([red.slice(0, 4), 10, true]);
    const both = `${filter('metadata.colour', '$is', 'red')}&${filter('metadata.size', '$more_than', 20)}`;
    expect((await shown(list, both)).numbers).toEqual(red.filter((index) => index > 20));
    const either = `filters[junction]=or&${filter('metadata.size', '$is', 3)}&${filter('id', '$ends_with', '_10')}`;
    expect((await shown(list, either)).numbers).toEqual([10, 3]);
  });

  test('continues by its cursor without a loss', async () => {
    const found: number[] = [];
    for (let behind: string | undefined = ''; behind !== undefined; ) {
      const page = await shown(list, `${filter('metadata.colour', '$is', 'blue')}&limit=7&starting_after_id=${behind}`);
      found.push(...page.numbers);
      behind = page.has_more ? page.more_starting_after : undefined;
    }
    expect(found).toEqual(numbers.filter((index) => index % 3 !== 0).reverse());
  });

  test('refuses unknown fields and operators', async () => {
    const { handler, params } = lists[list];
    const call = (query: string) => caller(handler)({ headers: project.credentials, params, query });
    const field = (await call(filter('shoe_size', '$is', 1))).body;
    expect([field.key, field.details]).toEqual(['invalid_query_params', expect.stringContaining('metadata.*')]);
    const operator = (await call(filter('created_at', '$like', 1))).body;
    expect([operator.key, operator.details]).toEqual(['invalid_query_params', expect.stringContaining('$before')]);
  });
});

test.each<[List, string, number[]]>([
  ['customers', filter('address.country', '$is', 'NO'), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
  ['customers', `${filter('birthdate', '$before', '1963-01-01')}&city=Oslo`, [2, 1, 0]],
  ['customers', `${filter('phone', '$ends_with', ' 7')}&order=source_id`, [7]],
  ['products', `${filter('attributes', '$contains', 'size')}&order=created_at&limit=3`, [0, 1, 2]],
  ['products', `${filter('price', '$less_than', 300)}&start_date=${at(1)}`, [2, 1]],
  ['skus', filter('sku', '$in', 'Size 4'), [4]],
  ['orders', `${filter('status', '$is', 'PAID')}&${filter('customer_id', '$is', 'cust_4')}`, [9, 4]],
  ['orders', `${filter('amount', '$more_than', 2700)}&order=updated_at`, [28, 29]],
])('%s are filtered by %s', async (list, query, expected) => {
  expect((await shown(list, query)).numbers).toEqual(expected);
});

test('a page in another order also continues from its cursor', async () => {
  const first = await shown('orders', `${filter('status', '$is', 'PAID')}&order=-updated_at&limit=6`);
  expect(first.numbers).toEqual([9, 8, 7, 6, 5, 4]);
  const rest = `${filter('status', '$is', 'PAID')}&order=-updated_at&limit=6&starting_after_id=${first.more_starting_after}`;
  expect((await shown('orders', rest)).numbers).toEqual([3, 2, 1, 0]);
});
