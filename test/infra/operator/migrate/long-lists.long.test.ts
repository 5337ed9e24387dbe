import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { exportedAt, loadAt, standBefore } from '../../../support/before-source.ts';
import { type Entry, exported, type ProjectFile } from '../../../support/exported.ts';
import { longLists, shop, size } from '../../../support/long-lists.ts';
import { newMigration, removeAll } from '../../../support/migration.ts';
import { killLaunched, serve } from '../../../support/npm-start.ts';
import { itemsOf } from '../../../support/outbox.ts';
import { credentialsOf } from '../../../support/project.ts';
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

/** The pages of a source: their length, and the number of the last page that it gives. */
interface Cap {
  readonly limit: number;
  readonly pages: number;
}

interface Behaviour {
  /** Whether lists give cursors. Otherwise they have numbers of pages alone. */
  readonly hasCursors?: boolean;
  /** Whether the export of orders has their lines. */
  readonly exportsLines?: boolean;
  /** Whether lists accept bounds of time that other services may not know. */
  readonly hasWindows?: boolean;
  /** Does something at the source before a reply. */
  readonly before?: (asked: Asked) => Promise<void>;
}

/** Copies a shop from a source whose lists end at a cap. */
async function capped({ limit, pages }: Cap, behaviour: Behaviour = {}) {
  const { hasCursors = false, exportsLines = false, hasWindows = true, before } = behaviour;
  const file = shop();
  await loadAt(engine, file);
  const served = await standBefore(url, async (asked, real) => {
    await before?.(asked);
    const { method, path, body } = asked;
    const asksLines = path === '/v1/exports' && body.includes('"items"');
    if (asksLines && !exportsLines) return { status: 400, json: { key: 'invalid_export_fields' } };
    if (method !== 'GET' || path.startsWith('/files/') || path.startsWith('/v1/exports/')) return real();
    if (Number(asked.query.get('page') ?? 1) > pages) return { status: 400, json: { key: 'invalid_query_params' } };
    const query = new URLSearchParams(asked.query);
    query.set('limit', String(limit));
    if (!hasWindows) for (const bound of ['created_at[after]', 'created_at[before]']) query.delete(bound);
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

async function send(headers: Record<string, string>, method: string, path: string, body?: object): Promise<void> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
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

test('lines of orders come with the export of a source that has them there, without a page of the list', async () => {
  let pages = 0;
  const before = async ({ path }: Asked) => {
    if (path === '/v1/orders') pages += 1;
  };
  const { file, credentials, project, run } = await capped({ limit: 3, pages: 2 }, { exportsLines: true, before });
  expect((await run()).done?.refused).toEqual([]);
  await send(credentials, 'PUT', '/v1/orders/ord_4', { items: [{ amount: 9 }] });
  await run();
  expect(pages).toBe(0);
  expect(longLists(await exported(project.id))).toEqual(longLists(await exportedAt(engine, file.project.id)));
  expect((await run()).written).toBe(0);
});

test('assignments of a source without windows are read by rule, also after a death, and without those that a rule has lost', async () => {
  const { file, credentials, project, run } = await capped({ limit: 3, pages: 2 }, { hasWindows: false });
  const assigned = ({ validation_rules_assignments: all }: ProjectFile) =>
    (all ?? []).map(({ rule_id, related_object_id }: Entry) => `${rule_id} ${related_object_id}`).sort();
  let calls = 14;
  while ((await run({ calls })).done === undefined) calls += 3;
  const at = () => exportedAt(engine, file.project.id);
  expect(assigned(await exported(project.id))).toEqual(assigned(await at()));
  expect(assigned(await at()).length).toBe(size);
  const [first] = (await at()).validation_rules_assignments;
  await send(credentials, 'DELETE', `/v1/validation-rules/${first.rule_id}/assignments/${first.id}`);
  await run();
  expect(assigned(await exported(project.id))).toEqual(assigned(await at()));
  expect((await run()).written).toBe(0);
});
