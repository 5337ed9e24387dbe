import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { exportedAt, loadAt, standBefore } from '../../../support/before-source.ts';
import { type Entry, exported, type ProjectFile } from '../../../support/exported.ts';
import { newMigration, removeAll } from '../../../support/migration.ts';
import { killLaunched, serve } from '../../../support/npm-start.ts';
import { itemsOf } from '../../../support/outbox.ts';
import { credentialsOf, projectFile } from '../../../support/project.ts';
import type { Asked } from '../../../support/served-replies.ts';

const folders: string[] = [];
let url: string;
let engine: string;
beforeAll(async () => {
  const served = await serve({ PROJECT_FILE: '' });
  url = served.address;
  engine = served.engine;
});
afterAll(async () => {
  killLaunched();
  await removeAll(folders);
});

const open: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(open.splice(0).map((close) => close())));

const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Two objects in a row have the same moment, so that a window may begin between them. */
const momentOf = (index: number) => `2026-01-02T03:${String(10 + Math.floor(index / 2))}:00.000Z`;

const size = 25;

/** A shop whose every list is longer than the pages of its source. */
function shop() {
  return projectFile({
    campaigns: [
      {
        id: 'camp_club',
        name: 'Club',
        campaign_type: 'LOYALTY_PROGRAM',
        type: 'STATIC',
        voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
      },
    ],
    customers: numbered(size, (index) => ({ id: `cust_${index}`, name: `N ${index}`, created_at: momentOf(index) })),
    products: numbered(size, (index) => ({
      id: `prod_${index}`,
      name: `P ${index}`,
      price: 100 + index,
      created_at: momentOf(index),
    })),
    vouchers: numbered(size, (index) => ({
      code: `CARD-${index}`,
      type: 'LOYALTY_CARD',
      campaign_id: 'camp_club',
      holder_id: `cust_${index}`,
      loyalty_card: { points: 50, balance: 50 },
      created_at: momentOf(index),
    })),
    orders: numbered(size, (index) => ({
      id: `ord_${index}`,
      status: 'PAID',
      amount: 2 * (100 + index),
      total_amount: 2 * (100 + index),
      customer_id: `cust_${index}`,
      items: [
        {
          object: 'order_item',
          product_id: `prod_${index}`,
          quantity: 2,
          price: 100 + index,
          amount: 2 * (100 + index),
          subtotal_amount: 2 * (100 + index),
        },
      ],
      created_at: momentOf(index),
    })),
    redemptions: numbered(size, (index) => ({
      id: `r_${index}`,
      date: '2026-02-01T00:00:00.000Z',
      result: 'SUCCESS',
      voucher_code: `CARD-${index}`,
      campaign_id: 'camp_club',
      campaign: 'Club',
      points: 1,
      order: { id: `ord_${index}`, amount: 2 * (100 + index) },
    })),
  });
}

/** The pages of a source: their length, and the number of the last one that it gives. */
interface Cap {
  readonly limit: number;
  readonly pages: number;
}

interface Behaviour {
  /** Whether lists give cursors. Otherwise they have numbers of pages alone. */
  readonly hasCursors?: boolean;
  /** Does something at the source before a reply. */
  readonly before?: (asked: Asked) => Promise<void>;
}

/** Copies a shop from a source whose lists end at a cap. */
async function capped({ limit, pages }: Cap, { hasCursors = false, before }: Behaviour = {}) {
  const file = shop();
  await loadAt(engine, file);
  const served = await standBefore(url, async (asked, real) => {
    await before?.(asked);
    const { method, path } = asked;
    if (method !== 'GET' || path.startsWith('/files/') || path.startsWith('/v1/exports/')) return real();
    if (Number(asked.query.get('page') ?? 1) > pages) return { status: 400, json: { key: 'invalid_query_params' } };
    const query = new URLSearchParams(asked.query);
    query.set('limit', String(limit));
    const given = await real(query);
    if (hasCursors) return given;
    const { has_more: _, more_starting_after: __, ...numberedPages } = JSON.parse(given.text ?? '{}');
    return { ...given, text: JSON.stringify(numberedPages) };
  });
  open.push(served.close);
  const credentials = credentialsOf(file);
  const own = { appId: credentials['x-app-id'], appToken: credentials['x-app-token'] };
  return { file, credentials, ...(await newMigration({ url: served.url, ...own }, folders)) };
}

const figuresOf = ({ id, product_id, quantity, price, amount }: Entry) => [id, product_id, quantity, price, amount];

/** Returns the lists that are longer than pages, without the order of the table. */
function longLists(file: ProjectFile) {
  const sorted = (list: string, pick: (entry: Entry) => unknown) =>
    (file[list] ?? []).map((entry: Entry) => JSON.stringify(pick(entry))).sort();
  return {
    customers: sorted('customers', ({ id, name }) => [id, name]),
    products: sorted('products', ({ id, name, price }) => [id, name, price]),
    orders: sorted('orders', ({ id, status, amount, items }) => [
      id,
      status,
      amount,
      (items as Entry[]).map(figuresOf),
    ]),
    cards: sorted('vouchers', ({ code, loyalty_card }) => [code, (loyalty_card as Entry).balance]),
  };
}

async function send(headers: Record<string, string>, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([path, response.ok]).toEqual([path, true]);
  await response.body?.cancel();
}

test('a project with lists beyond the last page is copied whole, and is equal after changes between its pages', async () => {
  let headers: Record<string, string> = {};
  const points = { points: 5, source_id: 'later' };
  const left = new Map<string, () => Promise<void>>([
    ['/v1/products 2', () => send(headers, 'POST', '/v1/products', { name: 'Between', price: 7 })],
    ['/v1/products 1', () => send(headers, 'PUT', '/v1/products/prod_1', { name: 'Changed behind' })],
    ['/v1/orders 1', () => send(headers, 'PUT', '/v1/orders/ord_2', { items: [{ amount: 9 }] })],
    ['/v1/orders 2', () => send(headers, 'POST', '/v1/orders', { items: [{ amount: 5 }], amount: 5 })],
    ['/v1/rewards 1', () => send(headers, 'POST', '/v1/customers', { source_id: 'new', name: 'New' })],
  ]);
  const before = async ({ path, query }: Asked) => {
    const at = `${path} ${query.get('page') ?? 1}`;
    const act = left.get(at);
    left.delete(at);
    await act?.();
  };
  const { file, credentials, project, run } = await capped({ limit: 3, pages: 2 }, { before });
  headers = credentials;
  const { done } = await run();
  expect(done?.refused).toEqual([]);
  expect([...left.keys()]).toEqual([]);
  const first = await exported(project.id);
  expect([first.customers.length, first.orders.length, first.products.length]).toEqual([size + 1, size, size + 1]);
  const records = await itemsOf(project.id, 'REDEMPTION');
  expect(records.length).toBe(size);
  expect(records.find(({ id }) => id === 'r_7')?.order).toMatchObject({
    id: 'ord_7',
    amount: 214,
    items: [{ product_id: 'prod_7', quantity: 2, amount: 214 }],
  });
  await send(headers, 'POST', '/v1/loyalties/members/CARD-3/balance', points);
  await run();
  expect(longLists(await exported(project.id))).toEqual(longLists(await exportedAt(engine, file.project.id)));
  expect((await run()).written).toBe(0);
});

test('lines of orders are read by cursors, and again only where orders have changed', async () => {
  let pages = 0;
  const before = async ({ path }: Asked) => {
    if (path === '/v1/orders') pages += 1;
  };
  const { credentials, project, run } = await capped({ limit: 3, pages: 2 }, { hasCursors: true, before });
  await run();
  expect(pages).toBe(Math.ceil(size / 3));
  pages = 0;
  await send(credentials, 'PUT', `/v1/orders/ord_${size - 1}`, { metadata: { later: true } });
  await run();
  expect(pages).toBe(1);
  const { orders } = await exported(project.id);
  expect(orders.filter(({ items }: Entry) => (items as unknown[]).length === 1).length).toBe(size);
  expect(orders.find(({ id }: Entry) => id === `ord_${size - 1}`)).toMatchObject({ metadata: { later: true } });
});
