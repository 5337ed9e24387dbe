import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import demo from '../../../../infra/local/demo-project.json' with { type: 'json' };
import { Progress } from '../../../../infra/operator/migrate/state.ts';
import { type Change, exportedAt, standBefore } from '../../../support/before-source.ts';
import { type Entry, exported, type ProjectFile } from '../../../support/exported.ts';
import { demoKey, newKeyOf, newMigration, removeAll } from '../../../support/migration.ts';
import { killLaunched, serve } from '../../../support/npm-start.ts';
import { operate } from '../../../support/operator.ts';
import { loadFile } from '../../../support/project.ts';
import type { Asked } from '../../../support/served-replies.ts';

const folders: string[] = [];
let url: string;
let engine: string;
beforeAll(async () => {
  const served = await serve({});
  url = served.address;
  engine = served.engine;
});
afterAll(async () => {
  killLaunched();
  await removeAll(folders);
});

const open: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(open.splice(0).map((close) => close())));

/** Stands before the demo as a service with faults. */
async function faulty(change: Change) {
  const served = await standBefore(url, change);
  open.push(served.close);
  return { ...(await newMigration({ url: served.url, ...demoKey }, folders)), asked: served.asked };
}

async function send(method: string, path: string, body: object) {
  const headers = { 'x-app-id': demoKey.appId, 'x-app-token': demoKey.appToken, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  expect([path, response.status]).toEqual([path, 200]);
  await response.body?.cancel();
}

const found = (copy: ProjectFile, list: string): Entry[] => copy[list] ?? [];
const isFile = ({ path }: Asked) => path.startsWith('/files/');

describe('a source', () => {
  test('that fails now and then, and cuts files off, is copied whole', async () => {
    const cut = new Set<string>();
    const { project, run } = await faulty(async (asked, real, number) => {
      if (number % 5 === 0) return { status: 500, json: {} };
      if (number % 7 === 0) return { status: 429, headers: { 'retry-after': '1' }, json: {} };
      const given = await real();
      if (!isFile(asked) || cut.has(asked.path)) return given;
      cut.add(asked.path);
      // Every second file ends in the middle of a line, although its connection ends well.
      return { ...given, text: given.text?.slice(0, -2) ?? '', cutOff: cut.size % 2 === 0 };
    });
    const { done } = await run();
    expect(cut.size).toBeGreaterThan(3);
    expect(done?.counts).toMatchObject({ vouchers: 12, customers: 5, campaigns: 7, pending_points: 3 });
    expect(found(await exported(project.id), 'vouchers').length).toBe(12);
  });

  test('without the fields that only this service has gives lots by the expiration of points, and the report names the rest', async () => {
    const { project, run } = await faulty(async ({ path, body }, real) => {
      const isRefused = path === '/v1/exports' && /loyalty_lots|"summary"|"source_id","failure_code"/.test(body);
      return isRefused ? { status: 400, json: { key: 'invalid_export_fields' } } : real();
    });
    const publication = { customer: { id: 'cust_oluf' }, voucher: 'TIN-LANTERN', source_id: 'once' };
    await send('POST', '/v1/publications', publication);
    const { done } = await run();
    const notes = done?.notes.join('\n');
    expect(notes).toContain('customers come without their referrals and credits');
    expect(notes).toContain('publications come without their id and source_id');
    const [copy, wanted] = [await exported(project.id), await exportedAt(engine, demo.project.id)];
    const cardsOf = (file: ProjectFile) =>
      found(file, 'vouchers')
        .filter(({ type }) => type === 'LOYALTY_CARD')
        .map(({ code, loyalty_card, gift }) => ({ code, gift, lots: (loyalty_card as Entry).lots }))
        .sort((one, other) => (String(one.code) < String(other.code) ? -1 : 1));
    expect(cardsOf(copy)).toEqual(cardsOf(wanted));
    expect(cardsOf(copy).some(({ lots }) => lots !== undefined)).toBe(true);
  });

  test('whose key reads only a part is copied in that part, and the report says what is missing', async () => {
    const { project, run } = await faulty(async ({ path }, real) =>
      ['/v1/rewards', '/v1/redemptions'].includes(path) || path.endsWith('/holders')
        ? { status: 403, json: { details: 'no scope' } }
        : real(),
    );
    const gift = { gift: { credits: 10 }, customer: { id: 'cust_sian' }, order: { amount: 5_000 } };
    await send('POST', '/v1/vouchers/TIN-WINDOW/redemption', gift);
    const { done } = await run();
    expect(done?.refused.map(([name]) => name).sort()).toEqual(['redemption_rows', 'referral_holders', 'rewards']);
    expect(done?.notes.join('\n')).toContain('redemptions come without their discounts, links and key');
    expect(done?.notes.join('\n')).toContain('reward_assignments left out, because reward_id names no reward');
    const copy = await exported(project.id);
    expect([found(copy, 'rewards').length, found(copy, 'vouchers').length]).toEqual([0, 12]);
  });

  test('with vouchers of a deleted campaign and unknown fields is copied without them, and the report names them', async () => {
    const { project, run } = await faulty(async ({ path }, real) => {
      const given = await real();
      if (path !== '/v1/campaigns') return given;
      const list = JSON.parse(given.text ?? '');
      const left = list.campaigns.filter(({ id }: Entry) => id !== 'camp_gift');
      return {
        json: { ...list, total: left.length, campaigns: left.map((one: Entry) => ({ ...one, colour: 'red' })) },
      };
    });
    const { done } = await run();
    const notes = done?.notes.join('\n');
    expect(notes).toContain('campaigns.colour is unknown here, and was left out');
    expect(notes).toMatch(/vouchers left out, because campaign_id names no campaign of this file: TIN-/);
    const copy = await exported(project.id);
    expect(found(copy, 'vouchers').map(({ code }) => code)).not.toContain('TIN-LANTERN');
    expect(found(copy, 'campaigns').length).toBe(6);
  });
});

describe('the command', () => {
  const env = () => ({ DYNAMODB_ENDPOINT: engine, TABLE_NAME: 'tessera', SOURCE_APP_TOKEN: demoKey.appToken });

  async function args(project: string) {
    const folder = await mkdtemp(join(tmpdir(), 'tessera-migration-'));
    folders.push(folder);
    const own = ['--from', url, '--app-id', demoKey.appId, '--project', project, '--folder', folder];
    return [...own, '--calls', '6000'];
  }

  test('copies, and its check finds both sides equal, then what changed since', async () => {
    const project = 'proj_checked';
    const own = await args(project);
    const copied = await operate('migrate', own, { env: env() });
    expect([copied.code, copied.stdout]).toEqual([0, expect.stringContaining('12 vouchers')]);
    expect(copied.stdout).toContain('App keys and tokens: make new keys');

    const { appId, appToken } = await newKeyOf(project, env());
    const beside = ['--to', url, '--to-app-id', appId];
    const check = () =>
      operate('migrate', ['check', ...own, ...beside], { env: { ...env(), TARGET_APP_TOKEN: appToken } });
    const equal = await check();
    expect([equal.code, equal.stdout, equal.stderr]).toEqual([
      0,
      expect.stringMatching(/sums, \d+ samples and the answers to \d+ customers who have redeemed are equal/),
      '',
    ]);

    const headers = { 'x-app-id': demoKey.appId, 'x-app-token': demoKey.appToken, 'content-type': 'application/json' };
    const body = JSON.stringify({ points: 40, source_id: 'since' });
    const sent = await fetch(`${url}/v1/loyalties/members/CREW-OLUF/balance`, { method: 'POST', headers, body });
    expect(sent.status).toBe(200);
    const { code, stderr } = await check();
    expect(code).toBe(1);
    expect(stderr).toContain('it was changed at the source after the copy: run the migration again');
    expect(stderr).toContain('/v1/vouchers/CREW-OLUF loyalty_card.balance');
    expect(stderr).toMatch(/campaign .*: points: \d+ at the source, \d+ here/);
  });

  test.each<[string, Change, string]>([
    [
      'leads to another address',
      async () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/v1/categories' }, json: {} }),
      'GET /v1/categories leads to http://127.0.0.1:9',
    ],
    [
      'has cursors that stand still',
      async () => ({ json: { data_ref: 'data', data: [{ id: 'a' }], has_more: true, more_starting_after: 'a' } }),
      'GET /v1/categories repeats itself',
    ],
    ['gives a text for a list', async () => ({ json: 'categories' }), 'GET /v1/categories must answer with an object'],
  ])('ends with words if the source %s', async (_, change, words) => {
    const served = await standBefore(url, change);
    open.push(served.close);
    const own = await args('proj_hostile');
    const { code, stdout, stderr } = await operate('migrate', ['--from', served.url, ...own.slice(2)], { env: env() });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`The source answers what cannot be copied: ${words}`);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('says which name is taken here, writes nothing, and copies after the name was changed at the source', async () => {
    const project = 'proj_taken';
    const named = (await (await fetch(`${url}/v1/campaigns/camp_gift`, { headers: headersOf() })).json()) as Entry;
    const other = { id: 'camp_other', name: named.name, campaign_type: 'GIFT_VOUCHERS', type: 'STATIC' };
    await loadFile({ project: { id: project, name: 'Taken' }, campaigns: [other] });
    let name = String(named.name);
    const served = await standBefore(url, async ({ path }, real) => {
      const given = await real();
      const isNamed = path === '/v1/campaigns' || path.startsWith('/files/');
      return isNamed ? { ...given, text: given.text?.replaceAll(String(named.name), name) ?? '' } : given;
    });
    open.push(served.close);
    const migration = await newMigration({ url: served.url, ...demoKey }, folders, project);
    await expect(migration.run()).rejects.toMatchObject({
      faults: [expect.stringMatching(/^campaigns\[\d+\]\.name belongs to another campaign of the project$/)],
    });
    expect(found(await exported(project), 'vouchers')).toEqual([]);
    name = 'Renamed tins';
    await migration.run();
    const copy = await exported(project);
    expect(found(copy, 'vouchers').length).toBe(12);
    expect(found(copy, 'campaigns').find(({ id }) => id === 'camp_gift')).toMatchObject({ name });
  });

  test('leaves out metadata that a schema here refuses, and the report names the entry', async () => {
    const project = 'proj_schemas';
    const channel = { type: 'number', array: false, optional: true };
    const created_at = '2020-01-01T00:00:00.000Z';
    const metadata_schemas = [{ related_object: 'campaign', properties: { channel }, created_at }];
    await loadFile({ project: { id: project, name: 'Schemas' }, metadata_schemas });
    const { done } = await (await newMigration({ url, ...demoKey }, folders, project)).run();
    expect(done?.notes.join('\n')).toMatch(/campaigns without a field, because metadata\.channel must be a number/);
    expect(found(await exported(project), 'campaigns').length).toBe(7);
  });

  test.each([
    ['wrong credentials', ['--app-token', 'wrong'], 'The source refuses: GET /v1/categories is answered with 401'],
    ['no address', ['--from', 'shop'], '--from: "shop" is not an http or https URL without a path'],
    ['no id of a project', ['--project', '../shop'], '--project must have 1 to 64 letters, digits, "_" or "-"'],
    ['a name without an end', ['--name', 'n'.repeat(3_000)], '--name must'],
    ['no number of calls', ['--calls', '0'], '--calls: "0" is not a number from 1 to 999999'],
  ])('explains %s', async (_, more, words) => {
    const { code, stderr } = await operate('migrate', [...(await args('proj_refused')), ...more], { env: env() });
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(words);
  });

  test('names the project after the app key of the source without another name', async () => {
    const own = await args('');
    const others = own.filter((_, at) => own[at] !== '--project' && own[at - 1] !== '--project');
    const { code, stdout } = await operate('migrate', others, { env: env() });
    expect([code, stdout]).toEqual([0, expect.stringContaining('proj_demo-app is in tessera')]);
  });

  test('refuses a folder of another migration', async () => {
    const own = await args('proj_own');
    const folder = own[own.indexOf('--folder') + 1] ?? '';
    const progress = await Progress.open(folder, { from: url, project: 'proj_own' });
    await progress.note('categories', { done: true });
    const { code, stderr } = await operate('migrate', [...own, '--project', 'proj_other'], { env: env() });
    expect([code, stderr]).toEqual([1, expect.stringContaining('to proj_own')]);
  });
});

function headersOf() {
  return { 'x-app-id': demoKey.appId, 'x-app-token': demoKey.appToken };
}
