import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../../functions/campaigns/create-campaign.ts';
import { handler as getCampaign } from '../../../functions/campaigns/get-campaign.ts';
import { handler as getCustomer } from '../../../functions/customers/get-customer.ts';
import { handler as sendEvent } from '../../../functions/events/send-event.ts';
import { handler as memberTiers } from '../../../functions/loyalties/list-member-tiers.ts';
import { handler as transferPoints } from '../../../functions/loyalties/transfer-points.ts';
import { handler as createCollection } from '../../../functions/product-collections/create-product-collection.ts';
import { handler as listCollections } from '../../../functions/product-collections/list-product-collections.ts';
import { handler as createProduct } from '../../../functions/products/create-product.ts';
import { handler as getProduct } from '../../../functions/products/get-product.ts';
import { handler as createSku } from '../../../functions/skus/create-sku.ts';
import { handler as getSku } from '../../../functions/skus/get-sku.ts';
import { handler as enableVoucher } from '../../../functions/vouchers/enable-voucher.ts';
import { handler as getVoucher } from '../../../functions/vouchers/get-voucher.ts';
import type { Endpoint } from '../../../lib/http/operation.ts';
import { role } from '../../../lib/management/resource.ts';
import { exportProject } from '../../../lib/project-file/export.ts';
import { ProjectFileError } from '../../../lib/project-file/faults.ts';
import { switchOffAppKey } from '../../../lib/projects/manage-app-keys.ts';
import { hashSecret } from '../../../lib/projects/secret.ts';
import { itemsOfProject } from '../../../lib/table/keys.ts';
import { Table } from '../../../lib/table/table.ts';
import { Update } from '../../../lib/table/update.ts';
import { vouchers } from '../../../lib/vouchers/voucher.ts';
import acme from '../../support/acme.json' with { type: 'json' };
import { caller } from '../../support/call.ts';
import { ownTable, testDependencies, testTime, uniqueId } from '../../support/dependencies.ts';
import { itemsOf, runOutbox } from '../../support/outbox.ts';
import { credentialsOf, loadFile } from '../../support/project.ts';

type Dependencies = ReturnType<typeof testDependencies>;
type Entry = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: entries are looked into by name, as the loader has checked them.
type ProjectFile = { project: Entry } & Record<Exclude<string, 'project'>, any>;

const cleanUps: (() => Promise<void>)[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-export-test-'));
});
afterAll(async () => {
  await Promise.all(cleanUps.map((cleanUp) => cleanUp()));
  await rm(folder, { recursive: true });
});

const tableOf = ({ dynamodb, tableName }: Dependencies) => new Table(dynamodb, tableName, testTime);

/** A container on a table of its own: the Acme file has ids of keys that only one project of a table can have. */
const withOwnTable = async () => testDependencies({ tableName: await ownTable((cleanUp) => cleanUps.push(cleanUp)) });

async function exported(dependencies: Dependencies, projectId = 'proj_acme'): Promise<ProjectFile> {
  const path = join(folder, uniqueId('file-'));
  await exportProject(tableOf(dependencies), projectId, path);
  return JSON.parse(await readFile(path, 'utf8'));
}

const nameOf = (entry: Entry) =>
  String(
    entry.id ??
      entry.code ??
      entry.email ??
      entry.app_id ??
      entry.client_application_id ??
      entry.management_id ??
      entry.name,
  );

/** Lists are sets: the table has its own order. */
function sorted({ project, ...lists }: ProjectFile) {
  const inOrder = Object.entries<Entry[]>(lists).map(([list, entries]) => [
    list,
    entries.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
  ]);
  return { project, ...Object.fromEntries(inOrder) };
}

/** What an export can't know: tokens in clear, and which of two ways to name a campaign a file has chosen. */
function asExported(file: ProjectFile): ProjectFile {
  const hashed = (entries: Entry[] = [], token: string) =>
    entries.map(({ [token]: secret, ...entry }) => ({ ...entry, [`${token}_hash`]: hashSecret(String(secret)) }));
  const idOf = (name: unknown) => file.campaigns?.find((campaign: Entry) => campaign.name === name)?.id;
  return {
    ...file,
    app_keys: hashed(file.app_keys, 'app_token'),
    client_keys: hashed(file.client_keys, 'client_token'),
    management_keys: hashed(file.management_keys, 'management_token'),
    validation_rules: file.validation_rules?.map((rule: Entry) => ({
      ...{ type: 'expression', context_type: 'global', created_at: testTime.toISOString(), object: 'validation_rules' },
      ...rule,
    })),
    earning_rules: file.earning_rules?.map((rule: Entry) => ({
      ...{ created_at: testTime.toISOString(), object: 'earning_rule' },
      ...rule,
    })),
    vouchers: (file.vouchers ?? []).map(({ campaign, ...voucher }: Entry) =>
      campaign === undefined ? voucher : { ...voucher, campaign_id: idOf(campaign) },
    ),
  };
}

describe('the Acme file', () => {
  let dependencies: Dependencies;
  let first: ProjectFile;

  beforeAll(async () => {
    dependencies = await withOwnTable();
    await loadFile(acme, testTime, dependencies);
    first = await exported(dependencies);
  });

  test('comes out as it went in, up to ids and hashes', () => {
    expect(sorted(first)).toEqual(sorted(asExported(acme)));
  });

  test('loads into an empty table from its export, and is exported from there just the same', async () => {
    const other = await withOwnTable();
    await loadFile(first, new Date('2026-08-01T00:00:00Z'), other);
    expect(sorted(await exported(other))).toEqual(sorted(first));
    const [key] = acme.app_keys;
    const headers = { 'x-app-id': key?.app_id ?? '', 'x-app-token': key?.app_token ?? '' };
    expect((await caller(getVoucher, other)({ params: { code: 'CLUB-ADA' }, headers })).status).toBe(200);
  });

  test('changes nothing when its export is loaded where it came from', async () => {
    const items = async () => {
      const all: Entry[] = [];
      for await (const page of tableOf(dependencies).scan(itemsOfProject('proj_acme'))) all.push(...page);
      return all;
    };
    const withoutFileHash = (all: Entry[]) =>
      new Map(all.map(({ loaded_file, ...item }) => [`${item.pk} ${item.sk}`, item]));
    const before = withoutFileHash(await items());
    await loadFile(first, new Date('2026-08-01T00:00:00Z'), dependencies);
    expect(withoutFileHash(await items())).toEqual(before);
  });
});

describe('a project that has lived', () => {
  const headers = { 'x-app-id': 'shop', 'x-app-token': 'the-token-of-the-shop' };
  const file = {
    project: { id: 'proj_lived', name: 'Lived' },
    app_keys: [
      { app_id: 'shop', app_token: 'the-token-of-the-shop', name: 'Shop' },
      { app_id: 'till', app_token: 'the-token-of-the-till', name: 'Till' },
    ],
    categories: [{ id: 'cat_old', name: 'Old name' }],
    customers: [{ id: 'a customer, with spaces' }, { id: 'cust_bob', source_id: 'bob' }],
    event_schema: [{ name: 'came_in', metadata: {} }],
    earning_rules: [
      {
        id: 'ern_1',
        campaign_id: 'camp_club',
        event: 'came_in',
        active: true,
        loyalty: { type: 'FIXED', points: 5 },
        pending_points: { days: 14 },
      },
    ],
    campaigns: [
      {
        id: 'camp_club',
        name: 'Club',
        campaign_type: 'LOYALTY_PROGRAM',
        type: 'AUTO_UPDATE',
        voucher: { type: 'LOYALTY_CARD' },
        loyalty_tiers_expiration: {
          qualification_type: 'BALANCE',
          start_date: { type: 'IMMEDIATE' },
          expiration_date: { type: 'CUSTOM', extend: 'P1Y' },
        },
      },
      { id: 'camp_friends', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM', type: 'AUTO_UPDATE' },
    ],
    loyalty_tiers: [
      { id: 'ltr_low', name: 'Low', campaign_id: 'camp_club', points: { from: 0, to: 99 } },
      { id: 'ltr_high', name: 'High', campaign_id: 'camp_club', points: { from: 100 } },
    ],
    vouchers: [
      { code: 'ADA', type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 100 } },
      {
        code: 'BOB/2',
        type: 'LOYALTY_CARD',
        campaign_id: 'camp_club',
        holder_id: 'cust_bob',
        loyalty_card: { points: 30, lots: [{ points: 30, expires: '2027-01-31' }] },
      },
      { code: 'ASLEEP', type: 'DISCOUNT_VOUCHER', active: false },
      { code: 'FRIEND', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_friends', holder_id: 'cust_bob' },
    ],
    validation_rules: [{ id: 'val_1', name: 'Basket over 20' }],
    validation_rules_assignments: [
      { rule_id: 'val_1', related_object_id: 'ASLEEP', related_object_type: 'voucher' },
      { rule_id: 'val_1', related_object_id: 'camp_club', related_object_type: 'campaign' },
    ],
    activities: [
      {
        type: 'customer.confirmed',
        data: { data: { customer: { id: 'a customer, with spaces' } } },
        category: 'Old name',
      },
    ],
    pending_points: [
      {
        ...{ id: 'lopp_1', code: 'ADA', points: 7, activates_at: '2026-12-24T00:00:00.000Z' },
        segment: { id: 'seg_1', name: 'Regulars' },
        loyalty_tier: { id: 'ltr_low', name: 'Low' },
        holder_loyalty_tier: { id: 'ltr_high', name: 'High' },
      },
    ],
  };

  let here: Dependencies;
  let there: Dependencies;
  let moved: ProjectFile;

  beforeAll(async () => {
    [here, there] = await Promise.all([withOwnTable(), withOwnTable()]);
    await loadFile(file, testTime, here);
    const call = (handler: Endpoint, params: Record<string, string>, body?: unknown) =>
      caller(handler, here)({ params, headers, body });
    const came = {
      event: 'came_in',
      customer: { source_id: 'new' },
      referral: { code: 'FRIEND' },
      loyalty: { code: 'ADA' },
    };
    const ofFive = { junction: 'and', price: { conditions: { $is: [5] } } };
    const transfer = [{ code: 'ADA', points: 60, source_id: 'tx-1' }];
    const replies = [
      await call(enableVoucher, { code: 'ASLEEP' }),
      await call(transferPoints, { campaignId: 'camp_club', memberId: 'BOB/2' }, transfer),
      await call(createCampaign, {}, { name: 'Codes', vouchers_count: 30 }),
      await call(sendEvent, {}, came),
      await call(createProduct, {}, { source_id: 'mug', metadata: {} }),
      await call(createSku, { productId: 'mug' }, { source_id: 'small', price: 5, attributes: { size: 'S' } }),
      await call(createCollection, {}, { type: 'STATIC', name: 'C', products: [{ object: 'sku', id: 'small' }] }),
      await call(createCollection, {}, { type: 'AUTO_UPDATE', name: 'D', filter: ofFive }),
    ];
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    await runOutbox('proj_lived', here);
    await switchOffAppKey(tableOf(here), 'till');
    await loadFile({ project: file.project, categories: [{ id: 'cat_old', name: 'New name' }] }, testTime, here);
    moved = await exported(here, 'proj_lived');
    await loadFile(moved, testTime, there);
  });

  test('moves to another table: its export is the same there', async () => {
    expect(sorted(await exported(there, 'proj_lived'))).toEqual(sorted(moved));
  });

  const seen = async (dependencies: Dependencies, handler: Endpoint, params: Record<string, string>) => {
    const { status, body } = await caller(handler, dependencies)({ params, headers });
    expect(status).toBe(200);
    return body;
  };

  test.each(['ADA', 'BOB/2', 'ASLEEP'])('voucher %s is seen there as here, but for its ids', async (code) => {
    const [one, other] = await Promise.all([here, there].map((table) => seen(table, getVoucher, { code })));
    const ids = { id: other.id, assets: other.assets };
    const assignments = JSON.parse(JSON.stringify(one.validation_rules_assignments).replaceAll(one.id, other.id));
    expect(other).toEqual({ ...one, ...ids, validation_rules_assignments: assignments });
  });

  test('products, SKUs and collections are seen there as here', async () => {
    const all = (table: Dependencies) =>
      Promise.all([
        seen(table, getProduct, { productId: 'mug' }),
        seen(table, getSku, { skuId: 'small' }),
        seen(table, listCollections, {}),
      ]);
    const [one, other] = await Promise.all([here, there].map(all));
    expect(other).toEqual(one);
    expect(one).toMatchObject([{ skus: { total: 1 } }, { price: 5 }, { total: 2 }]);
  });

  test.each(['Club', 'Codes'])('campaign %s is seen there as here', async (campaignId) => {
    const [one, other] = await Promise.all([here, there].map((table) => seen(table, getCampaign, { campaignId })));
    expect(other).toEqual(one);
  });

  test.each(['bob', 'new'])('customer %s is seen there as here, and is not referred in again', async (customerId) => {
    const [one, other] = await Promise.all([here, there].map((table) => seen(table, getCustomer, { customerId })));
    const referralCode = (text: string) => text.replace(/v_[\w-]{22}/g, 'the id of FRIEND');
    expect(JSON.parse(referralCode(JSON.stringify(other)))).toEqual(JSON.parse(referralCode(JSON.stringify(one))));
    expect(one).toMatchObject(
      customerId === 'bob'
        ? { loyalty: { referred_customers: 1, campaigns: { Friends: { referred_customers: 1 } } } }
        : { referrals: { total: 1 } },
    );
    const again = { event: 'came_in', customer: { source_id: 'new' }, referral: { code: 'FRIEND' } };
    expect((await caller(sendEvent, there)({ headers, body: again })).status).toBe(200);
    expect((await seen(there, getCustomer, { customerId })).referrals).toMatchObject({ total: one.referrals.total });
  });

  test('a member keeps the tier that his balance alone would not give him', async () => {
    const [one, other] = await Promise.all([here, there].map((table) => seen(table, memberTiers, { memberId: 'ADA' })));
    expect(one.data.map(({ id }: { id: string }) => id)).toEqual(['ltr_high']);
    expect(other).toEqual(one);
  });

  test('generated codes come along, and points that are pending are due there on their day', async () => {
    expect(moved.vouchers.filter(({ type }: Entry) => type === 'DISCOUNT_VOUCHER')).toHaveLength(32);
    const pending = (await itemsOf('proj_lived', 'PENDING_POINTS', there)).toSorted(
      (a, b) => Number(a.points) - Number(b.points),
    );
    expect(pending).toMatchObject([
      { points: 5, dueAt: '2026-06-29T00:00:00.000Z', earning_rule_id: 'ern_1', event: 'came_in' },
      { points: 7, dueAt: '2026-12-24T00:00:00.000Z', project_id: 'proj_lived' },
    ]);
    expect(pending[1], 'what they were earned with').toMatchObject({
      segment: { id: 'seg_1', name: 'Regulars' },
      loyalty_tier: { id: 'ltr_low', name: 'Low' },
      holder_loyalty_tier: { id: 'ltr_high', name: 'High' },
    });
  });

  test('a key that is off stays off, a renamed category is not looked for by its old name', () => {
    expect(moved.app_keys.map(({ app_id, active }: Entry) => [app_id, active])).toEqual([
      ['shop', undefined],
      ['till', false],
    ]);
    const confirmed = moved.activities.filter(({ type }: Entry) => type === 'customer.confirmed');
    expect(confirmed).toHaveLength(1);
    expect(confirmed[0]).not.toHaveProperty('category');
  });
});

describe('an export', () => {
  const minimal = () => ({ project: { id: uniqueId('proj_'), name: 'Small' } });
  const shared = testDependencies();

  test('of a project with nothing in it loads', async () => {
    const file = minimal();
    await loadFile(file);
    expect(await exported(shared, file.project.id)).toEqual(file);
  });

  test('has no item of a project whose id begins the same', async () => {
    const file = minimal();
    await loadFile(file);
    await loadFile({ project: { id: `${file.project.id}_2`, name: 'Other' }, roles: [{ id: 'role_1', name: 'R' }] });
    expect(await exported(shared, file.project.id)).toEqual(file);
  });

  test('has nothing that the project is deleting', async () => {
    const file = minimal();
    await loadFile({ ...file, roles: [{ id: 'role_1', name: 'R' }] });
    const deleted = new Update().set(['deleted_at'], 'now').build();
    await tableOf(shared).change(role.few(file.project.id, 'role_1'), deleted);
    expect(await exported(shared, file.project.id)).toEqual(file);
  });

  test('is for its owner alone to read, and leaves nothing else behind', async () => {
    const own = await mkdtemp(join(folder, 'own-'));
    const file = minimal();
    await loadFile(file);
    await exportProject(tableOf(shared), file.project.id, join(own, 'out.json'));
    expect(await readdir(own)).toEqual(['out.json']);
    expect((await stat(join(own, 'out.json'))).mode & 0o777).toBe(0o600);
  });

  test('that does not fit together, since the project was changed meanwhile, is not there', async () => {
    const file = { ...minimal(), vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] };
    await loadFile(file);
    const [voucher] = await itemsOf(file.project.id, 'VOUCHER');
    await tableOf(shared).change(vouchers(file.project.id, String(voucher?.id)), {
      set: 'SET #holder = :holder',
      condition: '',
      names: { '#holder': 'holder_id' },
      values: { ':holder': 'cust_that_came_later' },
    });
    const own = await mkdtemp(join(folder, 'own-'));
    const failed = exportProject(tableOf(shared), file.project.id, join(own, 'out.json'));
    await expect(failed).rejects.toThrow(ProjectFileError);
    expect(await readdir(own)).toEqual([]);
  });

  test('of a campaign whose codes are being generated says so, and that it has failed', async () => {
    const file = {
      ...minimal(),
      app_keys: [{ app_id: uniqueId('app-'), app_token: 'a-token-of-twenty-signs', name: 'Shop' }],
    };
    await loadFile(file);
    const { body } = await caller(createCampaign)({ headers: credentialsOf(file), body: { vouchers_count: 10 } });
    const path = join(folder, uniqueId('file-'));
    const { unfinished } = await exportProject(tableOf(shared), file.project.id, path);
    expect(unfinished).toEqual([body.id]);
    const { campaigns } = JSON.parse(await readFile(path, 'utf8'));
    expect(campaigns).toMatchObject([
      { id: body.id, creation_status: 'FAILED', vouchers_generation_status: 'FAILED', vouchers_count: 0 },
    ]);
  });
});

describe('a key in a file', () => {
  const keyed = (key: Entry) => ({ project: { id: uniqueId('proj_'), name: 'K' }, app_keys: [{ name: 'K', ...key }] });

  test.each([
    ['neither a token nor a hash', { app_id: 'a' }, 'app_keys[0] must have either an app_token or an app_token_hash'],
    [
      'both',
      { app_id: 'a', app_token: 'x'.repeat(20), app_token_hash: hashSecret('x') },
      'app_keys[0] must have either an app_token or an app_token_hash',
    ],
    ['a hash that is none', { app_id: 'a', app_token_hash: 'x' }, 'app_keys[0].app_token_hash must be a SHA-256 hash'],
  ])('with %s is refused', async (_, key, fault) => {
    const refusal = await loadFile(keyed(key)).catch((error: ProjectFileError) => error.faults);
    expect(refusal).toEqual([expect.stringContaining(fault)]);
  });
});
