import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { exportedAt } from '../../../support/before-source.ts';
import { patience, testDependencies, uniqueId } from '../../../support/dependencies.ts';
import type { Entry, ProjectFile } from '../../../support/exported.ts';
import { newKeyOf, newMigration, removeAll } from '../../../support/migration.ts';
import { killLaunched, serve } from '../../../support/npm-start.ts';
import { operate } from '../../../support/operator.ts';
import { itemsOf } from '../../../support/outbox.ts';
import { projectFile, withFile } from '../../../support/project.ts';
import { isLong } from '../../../support/sampled.ts';
import { seeded } from '../../../support/seeded.ts';

/** `MIGRATION_MEMBERS=100000` is the size of a large shop. Codes, orders, redemptions and changes follow from it. */
const members = Number(process.env.MIGRATION_MEMBERS ?? (isLong ? 300 : 60));
const changes = Math.max(10, members / 100);
/** Five runs die while they ask the source, two while they read or write the table, and three while they write. */
const kills = 10;
const limits = (death: number) => {
  if (death < 5) return { calls: draw(6) };
  return death < 7 ? { commands: draw(Math.max(8, members / 4)) } : { writes: draw(Math.max(4, members / 40)) };
};
const draw = seeded(members);

const folders: string[] = [];
let url: string;
let engine: string;
let copyUrl: string;
let copyEngine: string;
beforeAll(async () => {
  const [source, target] = [await serve({ RATE_LIMIT_PER_MINUTE: '100000' }), await serve({})];
  url = source.address;
  engine = source.engine;
  copyUrl = target.address;
  copyEngine = target.engine;
});
afterAll(async () => {
  killLaunched();
  await removeAll(folders);
});

const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const created_at = '2026-01-02T03:04:05.678Z';

function cardOf(index: number): Entry {
  const lots = [
    { points: 10 + index, expires: `2028-0${1 + (index % 9)}-15` },
    { points: 5, expires: null },
  ];
  const balance = 15 + index;
  return {
    code: `CARD-${index}`,
    type: 'LOYALTY_CARD',
    campaign_id: 'camp_club',
    holder_id: `cust_${index}`,
    loyalty_card: { points: balance + 7, balance, lots },
    redemption: { quantity: null, redeemed_quantity: 1, redeemed_points: 7 },
    created_at,
  };
}

function shop() {
  const card = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } };
  const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } };
  return projectFile({
    campaigns: [
      { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC', voucher: card, created_at },
      { id: 'camp_sale', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher: coupon, created_at },
    ],
    customers: numbered(members, (index) => ({
      id: `cust_${index}`,
      source_id: `s${index}`,
      name: `N ${index}`,
      created_at,
    })),
    vouchers: [
      ...numbered(members, cardOf),
      ...numbered(members, (index) => ({
        code: `SALE-${index}`,
        type: 'DISCOUNT_VOUCHER',
        campaign_id: 'camp_sale',
        created_at,
      })),
    ],
    orders: numbered(members / 5, (index) => ({
      id: `ord_${index}`,
      status: 'PAID',
      amount: 1_000 + index,
      total_amount: 1_000 + index,
      customer_id: `cust_${index}`,
      created_at,
    })),
    pending_points: numbered(members / 10, (index) => ({
      id: `lopp_${index}`,
      code: `CARD-${index}`,
      points: 25,
      activates_at: '2028-03-01',
      created_at,
    })),
    redemptions: numbered(members / 2, (index) => ({
      id: `r_${index}`,
      date: created_at,
      result: 'SUCCESS',
      voucher_code: `SALE-${index}`,
      campaign_id: 'camp_sale',
      campaign: 'Sale',
    })),
  });
}

/** Returns what a member or a shop could tell apart: balances, lots, dates, counts, names. */
function figuresOf(file: ProjectFile) {
  const sorted = (list: string, pick: (entry: Entry) => unknown) =>
    (file[list] ?? []).map((entry: Entry) => JSON.stringify(pick(entry))).sort();
  return {
    vouchers: sorted('vouchers', ({ code, loyalty_card, holder_id, created_at: at, redemption, campaign_id }) => {
      const { points, balance, lots } = (loyalty_card ?? {}) as Entry;
      const { redeemed_quantity = 0, redeemed_points = 0 } = (redemption ?? {}) as Entry;
      return { code, campaign_id, holder_id, at, points, balance, lots, redeemed_quantity, redeemed_points };
    }),
    customers: sorted('customers', ({ id, source_id, name, created_at: at }) => ({ id, source_id, name, at })),
    orders: sorted('orders', ({ id, status, amount, total_amount, customer_id }) => [
      id,
      status,
      amount,
      total_amount,
      customer_id,
    ]),
    pending: sorted('pending_points', ({ id, code, points, activates_at }) => [id, code, points, activates_at]),
  };
}

/** Returns the first figures that only one side has, because a report of two long lists would never end. */
function apart(one: ProjectFile, other: ProjectFile): string[] {
  const ours = Object.values(figuresOf(one)).flat();
  const theirs = Object.values(figuresOf(other)).flat();
  const [here, there] = [new Set(ours), new Set(theirs)];
  const lone = [...ours.filter((figure) => !there.has(figure)), ...theirs.filter((figure) => !here.has(figure))];
  return [...lone.slice(0, 20), ...(ours.length === theirs.length ? [] : [`${ours.length} and ${theirs.length}`])];
}

test(`${members} members with lots, as many codes, orders and redemptions are equal after ${kills} deaths, follow later changes, and pass the check`, {
  timeout: 7_200_000,
}, async () => {
  const file = shop();
  const env = { DYNAMODB_ENDPOINT: engine, TABLE_NAME: 'tessera' };
  const loaded = await withFile(file, (path) => operate('load', [path], { env }));
  expect(loaded.code, loaded.stderr).toBe(0);
  const [key] = file.app_keys;
  const credentials = { url, appId: key?.app_id ?? '', appToken: key?.app_token ?? '' };

  const target = createDynamodbClient(copyEngine, patience);
  onTestFinished(() => target.destroy());
  const place = { dynamodb: createDocumentClient(target), tableName: 'tessera' };
  const { folder, project, run } = await newMigration(credentials, folders, uniqueId('proj_'), place);
  const both = () => Promise.all([exportedAt(copyEngine, project.id), exportedAt(engine, file.project.id)]);

  let calls = 0;
  for (let death = 0; death < kills; death++) {
    const one = await run(limits(death));
    expect([death, one.done]).toEqual([death, undefined]);
    calls += one.calls - one.polls;
  }
  const last = await run();
  calls += last.calls - last.polls;
  expect(calls).toBeLessThan(300);
  expect(apart(...(await both()))).toEqual([]);
  const records = await itemsOf(project.id, 'REDEMPTION', { ...testDependencies(), ...place });
  expect(records.length).toBe(members / 2);
  expect((await run()).written).toBe(0);

  const headers = {
    'x-app-id': credentials.appId,
    'x-app-token': credentials.appToken,
    'content-type': 'application/json',
  };
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    expect([path, response.status]).toEqual([path, 200]);
    await response.body?.cancel();
  };
  for (let index = 0; index < changes; index++) {
    const kind = index % 3;
    if (kind === 0)
      await send('POST', `/v1/loyalties/members/CARD-${index}/balance`, { points: 11, source_id: uniqueId('b') });
    if (kind === 1) await send('PUT', `/v1/customers/cust_${index}`, { name: `Later ${index}` });
    if (kind === 2) await send('POST', `/v1/vouchers/SALE-${index}/redemption`, { order: { amount: 100 } });
  }
  const later = await run();
  expect(later.written).toBeGreaterThan(0);
  expect(later.written).toBeLessThan(2 * changes + 20);
  expect(later.calls - later.polls).toBeLessThan(300);
  expect(apart(...(await both()))).toEqual([]);
  expect((await run()).written).toBe(0);

  const ownKey = await newKeyOf(project.id, { ...env, DYNAMODB_ENDPOINT: copyEngine });
  const sides = ['--from', url, '--app-id', credentials.appId, '--to', copyUrl, '--to-app-id', ownKey.appId];
  const checked = await operate(
    'migrate',
    ['check', ...sides, '--project', project.id, '--folder', folder, '--calls', '6000'],
    {
      env: { SOURCE_APP_TOKEN: credentials.appToken, TARGET_APP_TOKEN: ownKey.appToken },
    },
  );
  expect([checked.code, checked.stdout, checked.stderr]).toEqual([0, expect.stringContaining('are equal'), '']);
});
