import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { inviteeItem, inviteeKey } from '#addons/admin/management/invitation.ts';
import { projectsById } from '#kernel/access/projects/project.ts';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { settleDue } from '#registry.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as invite } from '../../functions/management/invite-user.ts';
import { handler as issue } from '../../functions/oauth/issue-token.ts';
import { handler as listVouchers } from '../../functions/vouchers/list-vouchers.ts';
import { caller } from '../support/call.ts';
import { newDeletionWorld } from '../support/deleted-projects.ts';
import { loadDemo } from '../support/demo.ts';
import { filesOf, testDependencies, testTime } from '../support/dependencies.ts';
import { asServer, callCold, manageProjects, projectBody } from '../support/managed-projects.ts';
import { deliver, openJobs } from '../support/outbox.ts';
import { faultsOf, loadFile, loadProject, projectFile } from '../support/project.ts';

describe('the deletion of a project', () => {
  test('refuses its keys and tokens, and lists and reads do not have it', async () => {
    const { own, dependencies } = await newDeletionWorld();
    const { body: made } = await own.create();
    const keys = asServer(made.server_side_key);
    const fresh = () => ({ ...dependencies, credentialCache: new CredentialCache() });
    const token = await caller(
      issue,
      fresh(),
    )({
      headers: keys,
      body: { grant_type: 'client_credentials', scope: 'api' },
    });
    const bearer = { authorization: `Bearer ${token.body.access_token}` };
    const statuses = async () => [
      (await caller(listVouchers, fresh())({ headers: keys })).status,
      (await caller(listVouchers, fresh())({ headers: bearer })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    expect((await own.remove(made.id)).status).toBe(204);
    expect(await statuses()).toEqual([401, 401]);
    const cold = manageProjects(fresh());
    expect((await cold.list()).body.data).toEqual([]);
    for (const reply of [
      await cold.get(made.id),
      await cold.update(made.id, { currency: 'EUR' }),
      await cold.remove(made.id),
      await cold.listKeys(made.id),
    ]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'project', resource_id: made.id });
    }
  });

  test('deletes every kind of item, its files and its invitations, counts them, and touches no other project', {
    timeout: 120_000,
  }, async () => {
    const world = await newDeletionWorld();
    const { dependencies, own, all, left, job, finish, table } = world;
    const { id } = await loadDemo(dependencies);
    const other = await loadProject({ vouchers: [{ code: 'KEPT', type: 'DISCOUNT_VOUCHER' }] }, dependencies);
    const projects = { [id]: 'ADMIN', [other.id]: 'VIEWER' };
    const invitation = { email: 'ana@mail.example', first_name: 'Ana', last_name: 'Lund', projects };
    expect((await caller(invite, dependencies)({ body: invitation })).status).toBe(204);
    const files = ['rows', 'exports', 'archives'] as const;
    for (const project of [id, other.id]) {
      for (const area of files) {
        await dependencies.files.put({
          area,
          projectId: project,
          place: 'a.csv',
          name: 'a',
          type: 'text/csv',
          content: 'a',
        });
      }
    }
    const others = (await left(other.id)).filter((item) => !JSON.stringify(item).includes(`"${id}"`));
    const count = (await all()).filter(
      ({ pk, project_id }) => String(pk).startsWith(`${id}#`) || project_id === id,
    ).length;

    await own.remove(id);
    await finish(id);
    expect((await left(id)).filter(({ sk }) => sk !== 'JOB')).toEqual([]);
    // The tombstone stays.
    expect(await job(id)).toMatchObject({ state: 'DONE', deleted_count: count - 1 });
    expect([filesOf(id).size, filesOf(other.id).size]).toEqual([0, files.length]);
    const invitee = await table.get(inviteeKey(invitation.email), inviteeItem);
    expect(invitee?.invitations.map(({ project_id }) => project_id)).toEqual([other.id]);
    expect(await left(other.id)).toEqual(expect.arrayContaining(others));
    expect((await table.getMany([projectsById(id)], { deletedToo: true }))[0]).not.toHaveProperty('secret');
  });

  test('ends only after a whole pass finds nothing, and takes what late writers bring back', async () => {
    const { own, dependencies, left, job, clock, tableName } = await newDeletionWorld();
    const { id } = await loadProject({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] }, dependencies);
    await own.remove(id);
    const run = async () => deliver([await job(id)], dependencies);
    const late = (name: string) =>
      dependencies.dynamodb.send(
        new PutCommand({ TableName: tableName, Item: { pk: `${id}#ORDER#${name}`, sk: 'ORDER' } }),
      );
    await run();
    expect([await left(id), (await job(id)).state]).toEqual([[], 'OPEN']);
    await late('within the minute');
    await run();
    expect([await left(id), (await job(id)).state]).toEqual([[], 'OPEN']);
    clock.advance(900);
    await late('at the last moment');
    await run();
    expect([await left(id), (await job(id)).state]).toEqual([[], 'OPEN']);
    await run();
    expect((await job(id)).state).toBe('DONE');
    const waits = dependencies.queues.messages.flatMap(({ delayInS = 0 }) => (delayInS > 0 ? [delayInS] : []));
    expect(waits).toEqual([900, 900]);
  });

  test('ends jobs of the project that are open, without a failure and without a new item', async () => {
    const { own, dependencies, left, finish, clock } = await newDeletionWorld();
    const { body: made } = await own.create();
    const reply = await caller(
      createCampaign,
      dependencies,
    )({
      headers: asServer(made.server_side_key),
      body: {
        name: 'Codes',
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'STATIC',
        vouchers_count: 2_100,
        voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
      },
    });
    expect(reply.status).toBe(200);
    await deliver(await openJobs(made.id, dependencies), dependencies);
    const chunks = (await openJobs(made.id, dependencies)).filter(({ kind }) => kind === 'generate-chunk');
    expect(chunks).toHaveLength(3);
    await own.remove(made.id);
    clock.advance(61);
    await deliver(chunks.slice(0, 1), dependencies);
    expect((await left(made.id)).filter(({ sk }) => sk === 'VOUCHER')).toEqual([]);
    await finish(made.id);
    await deliver(chunks, dependencies);
    await settleDue({ ...dependencies });
    expect(await left(made.id)).toEqual([]);
    expect(dependencies.lines.join()).not.toContain('given_up');
  });

  test('takes back what another container writes with a key that it still trusts, and ends', async () => {
    const { own, dependencies, left, job, finish, clock } = await newDeletionWorld();
    const { body: made } = await own.create();
    const other = { ...dependencies, credentialCache: new CredentialCache() };
    const headers = asServer(made.server_side_key);
    const write = async (name: string) => (await caller(createCustomer, other)({ headers, body: { name } })).status;
    expect(await write('Before')).toBe(200);
    await own.remove(made.id);
    await deliver([await job(made.id)], dependencies);
    clock.advance(59);
    expect(await write('Within the minute')).toBe(200);
    clock.advance(2);
    expect(await write('After it')).toBe(401);
    expect(await left(made.id)).not.toEqual([]);
    await finish(made.id);
    expect(await left(made.id)).toEqual([]);
    expect((await job(made.id)).state).toBe('DONE');
  });

  test('is done once by twenty requests at once', async () => {
    const { own, job } = await newDeletionWorld();
    const { body: made } = await own.create();
    const replies = await Promise.all(Array.from({ length: 20 }, () => own.remove(made.id)));
    expect(replies.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    for (const { status } of replies) expect([204, 404]).toContain(status);
    expect(await job(made.id)).toMatchObject({ state: 'OPEN', kind: 'delete-project' });
  });

  test('leaves no project with an id or a key by which a file or a request could bring it back', async () => {
    const own = manageProjects();
    const file = projectFile();
    await loadFile(file);
    const { id } = file.project;
    await own.remove(id);
    expect(await faultsOf(file)).toEqual([expect.stringContaining('no other project gets its id')]);
    expect((await own.get(id)).status).toBe(404);
    const before = await testDependencies().dynamodb.send(
      new ScanCommand({
        TableName: testDependencies().tableName,
        FilterExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': stripKey(projectsById(id)).pk },
      }),
    );
    expect(before.Items).toEqual([expect.objectContaining({ deleted_at: testTime.toISOString() })]);
  });
});

test('a key of a project with another name is not refused with it', async () => {
  const own = manageProjects();
  const [one, other] = [(await own.create(projectBody())).body, (await own.create(projectBody())).body];
  await own.remove(one.id);
  expect((await callCold(listVouchers, asServer(other.server_side_key))).status).toBe(200);
});
