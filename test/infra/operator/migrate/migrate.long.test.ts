import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Entry, exported, type ProjectFile } from '../../../support/exported.ts';
import { demoKey, newMigration, removeAll } from '../../../support/migration.ts';
import { killLaunched, serve } from '../../../support/npm-start.ts';
import { itemsOf } from '../../../support/outbox.ts';

const folders: string[] = [];
let url: string;
let file: Entry & Record<string, Entry[]>;

beforeAll(async () => {
  url = (await serve({})).address;
  const { default: demo } = await import('../../../../infra/local/demo-project.json', { with: { type: 'json' } });
  file = demo as unknown as typeof file;
});
afterAll(async () => {
  killLaunched();
  await removeAll(folders);
});

const headers = { 'x-app-id': demoKey.appId, 'x-app-token': demoKey.appToken, 'content-type': 'application/json' };

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  expect([path, response.ok, response.ok ? '' : text]).toEqual([path, true, '']);
  return text === '' ? undefined : JSON.parse(text);
}

const start = () => newMigration({ url, ...demoKey }, folders);

/** Copies the demo once for several tests. */
function copiedOnce() {
  let copied: Promise<Awaited<ReturnType<typeof start>> & { first: Ran }> | undefined;
  const copy = async () => {
    const migration = await start();
    return { ...migration, first: await migration.run() };
  };
  return () => {
    copied ??= copy();
    return copied;
  };
}

type Ran = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['run']>>;

/** The copy before the tests change the source, and one after it. */
const [beforeChanges, afterChanges] = [copiedOnce(), copiedOnce()];

const found = (copy: ProjectFile, list: string): Entry[] => copy[list] ?? [];
const namesIn = (entries: readonly Entry[]) =>
  entries.map((entry) => String(entry.id ?? entry.code ?? entry.name)).sort();
const named = (copy: ProjectFile, list: string, name: string) =>
  found(copy, list).find((entry) => [entry.id, entry.code, entry.name].includes(name));

/** Leaves out what differs by nature: counters that no request shows, and the order of items in the table. */
const cardOf = (copy: ProjectFile, code: string) => {
  const { loyalty_card, gift, redemption, holder_id } = named(copy, 'vouchers', code) ?? {};
  return { loyalty_card, gift, redemption, holder_id };
};

const copied = [
  ...['campaigns', 'categories', 'earning_rules', 'locations', 'loyalty_tiers', 'product_collections', 'products'],
  ...['promotion_stacks', 'promotion_tiers', 'referral_holders', 'reward_assignments', 'rewards', 'segments', 'skus'],
  ...['validation_rules', 'validation_rules_assignments', 'vouchers', 'customers', 'orders'],
];

test('a project is copied with its ids, and cards keep lots and pending points', async () => {
  const {
    project,
    first: { done },
  } = await beforeChanges();
  const copy = await exported(project.id);
  for (const list of copied) expect([list, namesIn(found(copy, list))]).toEqual([list, namesIn(file[list] ?? [])]);
  const pending = (file.pending_points ?? []).filter(({ state = 'PENDING' }) => state === 'PENDING');
  expect(namesIn(found(copy, 'pending_points'))).toEqual(namesIn(pending));
  const card = (file.vouchers ?? []).find(({ code }) => code === 'CREW-INGRID')?.loyalty_card as Entry;
  expect(cardOf(copy, 'CREW-INGRID').loyalty_card).toMatchObject({ points: card.points, lots: card.lots });
  const off = (entries: readonly Entry[]) => namesIn(entries.filter(({ active }) => active === false));
  expect(off(found(copy, 'campaigns'))).toEqual(off(file.campaigns ?? []));
  const [{ id: _, created_at: __, object: ___, ...stacking } = {}] = file.stacking_rules ?? [];
  expect(found(copy, 'stacking_rules')).toEqual([expect.objectContaining(stacking)]);
  expect(done?.refused).toEqual([]);
});

test('a further run writes nothing, and one after changes at the source writes those', async () => {
  const { project, run } = await beforeChanges();
  expect((await run()).written).toBe(0);

  await call('POST', '/v1/vouchers/LATER-1', { type: 'GIFT_VOUCHER', gift: { amount: 500 } });
  await call('POST', '/v1/loyalties/members/CREW-INGRID/balance', { points: 250, source_id: 'later' });
  await call('POST', '/v1/vouchers/TIN-WINDOW/redemption', { gift: { credits: 100 }, order: { amount: 10_000 } });
  await call('PUT', '/v1/customers/cust_oluf', { name: 'Oluf the Later' });
  const [pending] = (await call('GET', '/v1/loyalties/camp_crew/pending-points')).data;
  await call('POST', `/v1/loyalties/members/${pending.voucher_id}/pending-points/${pending.id}/cancel`);
  const before = await exported(project.id);
  const { done, written } = await run();
  expect(written).toBeGreaterThan(0);
  const copy = await exported(project.id);
  expect(named(copy, 'vouchers', 'LATER-1')).toMatchObject({ gift: { amount: 500, balance: 500 } });
  const pointsOf = (one: ProjectFile) => (cardOf(one, 'CREW-INGRID').loyalty_card as Entry).balance as number;
  expect(pointsOf(copy) - pointsOf(before)).toBe(250);
  const giftOf = (one: ProjectFile) => (cardOf(one, 'TIN-WINDOW').gift as Entry).balance as number;
  expect(giftOf(before) - giftOf(copy)).toBe(100);
  expect(named(copy, 'customers', 'cust_oluf')).toMatchObject({ name: 'Oluf the Later' });
  expect(await itemsOf(project.id, 'REDEMPTION')).toEqual([
    expect.objectContaining({ voucher_code: 'TIN-WINDOW', gift_credits: 100, status: 'SUCCEEDED' }),
  ]);
  expect(done?.forgotten).toBe(1);
  expect(namesIn(found(copy, 'pending_points'))).not.toContain(pending.id);
  expect((await run()).written).toBe(0);
});

test('a run that dies at any call of the source is continued by the next one', async () => {
  const { project, run } = await start();
  let runs = 0;
  let calls = 0;
  for (let isDone = false; !isDone; runs += 1) {
    const one = await run({ calls: 1 });
    calls += one.calls;
    isDone = one.done !== undefined;
  }
  expect(runs).toBeGreaterThan(30);
  // Each run but the last made its one call, and none was made twice.
  expect(calls).toBeLessThanOrEqual(runs);
  const whole = await afterChanges();
  expect(await asCopied(project.id)).toEqual(await asCopied(whole.project.id));
});

test('a run that dies at any command to the table is continued by the next one', async () => {
  const whole = await afterChanges();
  const { sent } = whole.first;
  const { project, run } = await start();
  const step = Math.ceil(sent / 12);
  let died = 0;
  for (let commands = 1; (await run({ commands })).done === undefined; commands += step) died += 1;
  expect(died).toBeGreaterThan(5);
  expect(await asCopied(project.id)).toEqual(await asCopied(whole.project.id));
});

/** Returns everything that was copied, without the order of the table and without dates that a load sets. */
async function asCopied(projectId: string) {
  const copy = await exported(projectId);
  const lists = [...copied, 'pending_points', 'publications'].map((list) => {
    const entries = found(copy, list).map(({ created_at: _, ...entry }) => JSON.stringify(sortKeys(entry)));
    return [list, entries.sort()];
  });
  const redemptions = await itemsOf(projectId, 'REDEMPTION');
  return {
    ...Object.fromEntries(lists),
    redemptions: redemptions.map(({ id, status, voucher_code }) => [id, status, voucher_code]),
  };
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}
