import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { role } from '#addons/admin/management/resource.ts';
import { exportProject } from '#addons/admin/project-file/export.ts';
import { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { hashSecret } from '#kernel/access/projects/secret.ts';
import { Update } from '#kernel/table/update.ts';
import { handler as createCampaign } from '../../../../../functions/campaigns/create-campaign.ts';
import { handler as getVoucher } from '../../../../../functions/vouchers/get-voucher.ts';
import acme from '../../../../support/acme.json' with { type: 'json' };
import { caller } from '../../../../support/call.ts';
import { ownTable, testDependencies, testTime, uniqueId } from '../../../../support/dependencies.ts';
import { type Entry, exported, type ProjectFile, sorted } from '../../../../support/exported.ts';
import { tableOfFile } from '../../../../support/listed.ts';
import { itemsOf } from '../../../../support/outbox.ts';
import { credentialsOf, loadFile } from '../../../../support/project.ts';
import { readState } from '../../../../support/table-state.ts';

/** The Acme file has ids of keys that only one project of a table can have. */
const dependencies = testDependencies({ tableName: await ownTable(afterAll) });

/** Differences that an export cannot avoid: tokens in clear text, and the choice between two ways to name a campaign. */
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
  let first: ProjectFile;

  beforeAll(async () => {
    await loadFile(acme, testTime, dependencies);
    first = await exported('proj_acme', dependencies);
  });

  test('is exported unchanged, except for ids and hashes', () => {
    expect(sorted(first)).toEqual(sorted(asExported(acme)));
  });

  test('loads into an empty table from its export, and its export from there is equal', async () => {
    const other = testDependencies({ tableName: await ownTable() });
    await loadFile(first, new Date('2026-08-01T00:00:00Z'), other);
    expect(sorted(await exported('proj_acme', other))).toEqual(sorted(first));
    const [key] = acme.app_keys;
    const headers = { 'x-app-id': key?.app_id ?? '', 'x-app-token': key?.app_token ?? '' };
    expect((await caller(getVoucher, other)({ params: { code: 'CLUB-ADA' }, headers })).status).toBe(200);
  });

  test('changes nothing when its export is loaded into the same table', async () => {
    const withoutFileHash = async () =>
      new Map([...(await readState(dependencies))].map(([key, { loaded_file, ...item }]) => [key, item]));
    const before = await withoutFileHash();
    await loadFile(first, new Date('2026-08-01T00:00:00Z'), dependencies);
    expect(await withoutFileHash()).toEqual(before);
  });
});

describe('an export', () => {
  const minimal = () => ({ project: { id: uniqueId('proj_'), name: 'Small' } });
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  test('of an empty project loads', async () => {
    const file = minimal();
    await loadFile(file);
    expect(await exported(file.project.id)).toEqual(file);
  });

  test('has no item of a project whose id has the same beginning', async () => {
    const file = minimal();
    await loadFile(file);
    await loadFile({ project: { id: `${file.project.id}_2`, name: 'Other' }, roles: [{ id: 'role_1', name: 'R' }] });
    expect(await exported(file.project.id)).toEqual(file);
  });

  test('has nothing that the project is deleting', async () => {
    const file = minimal();
    await loadFile({ ...file, roles: [{ id: 'role_1', name: 'R' }] });
    const deleted = new Update().set(['deleted_at'], 'now').build();
    await tableOfFile().change(role.few(file.project.id, 'role_1'), deleted);
    expect(await exported(file.project.id)).toEqual(file);
  });

  test('can be read by its owner alone, and leaves no other file behind', async () => {
    const file = minimal();
    await loadFile(file);
    await exportProject(tableOfFile(), file.project.id, join(folder, 'out.json'));
    expect(await readdir(folder)).toEqual(['out.json']);
    expect((await stat(join(folder, 'out.json'))).mode & 0o777).toBe(0o600);
  });

  test('is not written if changes meanwhile make it inconsistent', async () => {
    const file = { ...minimal(), vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] };
    await loadFile(file);
    const [voucher] = await itemsOf(file.project.id, 'VOUCHER');
    await tableOfFile().change(vouchers(file.project.id, String(voucher?.id)), {
      set: 'SET #holder = :holder',
      condition: '',
      names: { '#holder': 'holder_id' },
      values: { ':holder': 'cust_that_came_later' },
    });
    const failed = exportProject(tableOfFile(), file.project.id, join(folder, 'out.json'));
    await expect(failed).rejects.toThrow(ProjectFileError);
    expect(await readdir(folder)).toEqual([]);
  });

  test('of a campaign whose codes are being generated says so, and says if it has failed', async () => {
    const file = {
      ...minimal(),
      app_keys: [{ app_id: uniqueId('app-'), app_token: 'a-token-of-twenty-signs', name: 'Shop' }],
    };
    await loadFile(file);
    const { body } = await caller(createCampaign)({ headers: credentialsOf(file), body: { vouchers_count: 10 } });
    const path = join(folder, 'out.json');
    const { unfinished } = await exportProject(tableOfFile(), file.project.id, path);
    expect(unfinished).toEqual([body.id]);
    const { campaigns } = JSON.parse(await readFile(path, 'utf8'));
    expect(campaigns).toMatchObject([
      { id: body.id, creation_status: 'FAILED', vouchers_generation_status: 'FAILED', vouchers_count: 0 },
    ]);
  });
});
