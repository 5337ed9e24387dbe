import { describe, expect, test } from 'vitest';
import { handler as validate } from '../../functions/client/validate-from-page.ts';
import { handler as issue } from '../../functions/oauth/issue-token.ts';
import { handler as listVouchers } from '../../functions/vouchers/list-vouchers.ts';
import { caller } from '../support/call.ts';
import { coldDependencies, standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { asPage, asServer, callCold, manageProjects, projectBody } from '../support/managed-projects.ts';
import { operate } from '../support/operator.ts';
import { loadProject } from '../support/project.ts';

const own = manageProjects();

/** Makes a key of a new project, and calls with each of its tokens at a given time. */
async function newKey(type = 'SERVER', more: object = {}) {
  const { id: projectId } = await loadProject();
  const { status, body: key } = await own.createKey(projectId, { type, name: 'Till', ...more });
  expect(status).toBe(200);
  const statusOf = async (token: string, at: Date = testTime) => {
    const pair = { app_id: key.id, app_token: token };
    const dependencies = { ...coldDependencies(), clock: standingClock(at) };
    return (await caller(listVouchers, dependencies)({ headers: asServer(pair) })).status;
  };
  return { projectId, key, statusOf };
}

const hoursLater = (hours: number) => new Date(testTime.getTime() + hours * 3_600_000);

describe('a key of a project', () => {
  test.each([
    ['SERVER', {}],
    ['CLIENT', { origins: ['https://shop.example'] }],
    ['MANAGEMENT', {}],
  ])('of the type %s shows its token once', async (type, more) => {
    const { projectId, key } = await newKey(type, more);
    const { token, ...shown } = key;
    expect(token).toMatch(/^[\w-]{43}$/);
    const { body } = await own.listKeys(projectId);
    expect(body.data).toContainEqual(shown);
    expect(JSON.stringify(body)).not.toContain(token);
    expect(shown).toMatchObject({ type, name: 'Till', active: true, valid_tokens: 1 });
  });

  test('opens the paths of its type for its project alone', async () => {
    const { key: server, statusOf } = await newKey();
    expect(await statusOf(server.token)).toBe(200);
    expect(await statusOf('wrong')).toBe(401);
    const origin = 'https://shop.example';
    const { key: client } = await newKey('CLIENT', { origins: [origin] });
    const body = { redeemables: [{ object: 'voucher', id: 'X' }] };
    const pair = { app_id: client.id, app_token: client.token };
    expect((await callCold(validate, asPage(pair, origin), { body })).status).toBe(200);
    const { key: manager, projectId } = await newKey('MANAGEMENT');
    const guarded = { ...testDependencies(), managementGuard: 'keys' as const };
    const headers = { 'x-management-id': manager.id, 'x-management-token': manager.token };
    expect((await manageProjects(guarded, headers).get(projectId)).status).toBe(200);
  });

  test('has two tokens after a rotation, until the older one ends a day later to the millisecond', async () => {
    const { projectId, key, statusOf } = await newKey();
    const { body: rotated } = await own.rotateKey(projectId, key.id);
    expect(rotated).toMatchObject({ valid_tokens: 2, older_token_valid_until: hoursLater(24).toISOString() });
    expect(rotated.token).not.toBe(key.token);
    const justBefore = new Date(hoursLater(24).getTime() - 1);
    expect([await statusOf(key.token, justBefore), await statusOf(rotated.token, justBefore)]).toEqual([200, 200]);
    expect([await statusOf(key.token, hoursLater(24)), await statusOf(rotated.token, hoursLater(24))]).toEqual([
      401, 200,
    ]);
    expect((await own.rotateKey(projectId, key.id)).body.key).toBe('resource_in_use');
    const later = manageProjects(testDependencies({ clock: standingClock(hoursLater(25)) }));
    expect((await later.listKeys(projectId)).body.data).toContainEqual(
      expect.objectContaining({ id: key.id, valid_tokens: 1 }),
    );
    const { body: third } = await later.rotateKey(projectId, key.id, {
      older_token_valid_until: hoursLater(30).toISOString(),
    });
    const tokens = [key.token, rotated.token, third.token];
    const at = async (hours: number) => Promise.all(tokens.map((token) => statusOf(token, hoursLater(hours))));
    expect([await at(26), await at(30)]).toEqual([
      [401, 200, 200],
      [401, 401, 200],
    ]);
  });

  test('ends the older token at once with an end in the past', async () => {
    const { projectId, key, statusOf } = await newKey();
    const { body } = await own.rotateKey(projectId, key.id, { older_token_valid_until: '2020-01-01T00:00:00Z' });
    expect([await statusOf(key.token), await statusOf(body.token)]).toEqual([401, 200]);
  });

  test('is rotated once by twenty requests at once', async () => {
    const { projectId, key, statusOf } = await newKey();
    const replies = await Promise.all(Array.from({ length: 20 }, () => own.rotateKey(projectId, key.id)));
    const done = replies.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect([await statusOf(key.token), await statusOf(done[0]?.body.token)]).toEqual([200, 200]);
  });

  test('is refused for ever when it is revoked, with both of its tokens and its bearer tokens', async () => {
    const { projectId, key, statusOf } = await newKey();
    const { body: rotated } = await own.rotateKey(projectId, key.id);
    const { body: bearer } = await callCold(issue, asServer({ app_id: key.id, app_token: key.token }), {
      body: { grant_type: 'client_credentials', scope: 'api' },
    });
    const withBearer = () => callCold(listVouchers, { authorization: `Bearer ${bearer.access_token}` });
    expect((await withBearer()).status).toBe(200);
    for (const _ of ['once', 'again']) expect((await own.revokeKey(projectId, key.id)).status).toBe(204);
    expect([await statusOf(key.token), await statusOf(rotated.token), (await withBearer()).status]).toEqual([
      401, 401, 401,
    ]);
    expect((await own.rotateKey(projectId, key.id)).body.key).toBe('resource_in_use');
    expect((await own.listKeys(projectId)).body.data).toContainEqual(
      expect.objectContaining({ id: key.id, active: false, valid_tokens: 0 }),
    );
  });

  test('takes origins for web pages alone, and needs a name and a known type', async () => {
    const { id } = await loadProject();
    for (const body of [
      { type: 'SERVER', name: 'Till', origins: ['https://shop.example'] },
      { type: 'CLIENT', name: 'Shop', origins: ['shop.example'] },
      { type: 'ROOT', name: 'Till' },
      { type: 'SERVER' },
    ]) {
      expect((await own.createKey(id, body)).body.key).toBe('invalid_payload');
    }
  });

  test('for pages is refused if no page could use it', async () => {
    const { id } = await loadProject();
    const key = { type: 'CLIENT', name: 'Shop' };
    for (const body of [key, { ...key, origins: [] }]) {
      const { status, body: refused } = await own.createKey(id, body);
      expect([status, refused.key, refused.details]).toEqual([
        400,
        'invalid_payload',
        expect.stringContaining('origins must name a page, such as https://shop.example'),
      ]);
    }
    const made = await own.create(projectBody({ client_trusted_domains: ['shop.example'] }));
    expect((await own.createKey(made.body.id, key)).status).toBe(200);
  });

  test('that the project does not have is 404', async () => {
    const [mine, other] = [await newKey(), await newKey()];
    for (const reply of [
      await own.rotateKey(mine.projectId, other.key.id),
      await own.revokeKey(mine.projectId, other.key.id),
    ]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'project_key', resource_id: other.key.id });
    }
    expect(await other.statusOf(other.key.token)).toBe(200);
  });
});

test('the command for app keys rotates with an end too', async () => {
  const { key, statusOf } = await newKey();
  const { code, stdout } = await operate('app-key', ['rotate', key.id, '--hours', '0']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/until \d{4}-/)]);
  const token = /^token +(\S+)$/m.exec(stdout)?.[1] ?? '';
  const now = new Date();
  expect([await statusOf(key.token, now), await statusOf(token, now)]).toEqual([401, 200]);
});
