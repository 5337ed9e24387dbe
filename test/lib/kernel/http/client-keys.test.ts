import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Project } from '#kernel/access/projects/project.ts';
import type { Caller } from '#kernel/http/context.ts';
import { operation } from '#kernel/http/operation.ts';
import { handler as getVoucher } from '../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../support/call.ts';
import { standingClock, testDependencies } from '../../../support/dependencies.ts';
import { onPage, page, withPages } from '../../../support/pages.ts';
import { credentialsOf, loadFile, projectFile } from '../../../support/project.ts';
import { bearer, issueToken } from '../../../support/tokens.ts';

const otherPage = 'http://localhost:8080';

let made = 0;

const common = {
  summary: 'Check',
  answers: 'The number of calls, and the caller.',
  body: v.object({}),
  reply: v.object({ made: v.number(), project: v.string(), app: v.string() }),
} as const;

async function count({ project, caller: { appName: app } }: { project: Project; caller: Caller }) {
  made += 1;
  return { made, project: project.id, app };
}

/** A path for web pages, and its twin for servers. */
const check = operation(
  { ...common, route: 'POST /client/v1/checks', caller: 'client', scope: 'client_validations' },
  count,
);
const serverCheck = operation({ ...common, route: 'POST /v1/checks', scope: 'validations' }, count);

function fileWith(origins = [page, otherPage]) {
  return withPages(projectFile({ vouchers: [{ code: 'ONE', type: 'DISCOUNT_VOUCHER' }] }), origins, 'Pages');
}

type File = ReturnType<typeof fileWith>;

async function loaded(): Promise<File> {
  const file = fileWith();
  await loadFile(file);
  return file;
}

describe('a client key', () => {
  test.each([page, otherPage])(
    'opens client paths to a web page of %s, which alone may read the reply',
    async (origin) => {
      const file = await loaded();
      const { status, body, headers } = await caller(check)({ headers: onPage(file, origin), body: {} });
      expect([status, body.project, body.app]).toEqual([200, file.project.id, 'Pages']);
      expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': origin, Vary: 'Origin' });
    },
  );

  test('lets a web page read the faults of its request, but no refusal of the key', async () => {
    const file = await loaded();
    const faulty = await caller(check)({ headers: onPage(file), body: 'no JSON' });
    expect([faulty.status, faulty.headers['Access-Control-Allow-Origin']]).toEqual([415, page]);
    const foreign = await caller(check)({ headers: onPage(file, 'https://other.example'), body: {} });
    expect([foreign.status, foreign.headers['Access-Control-Allow-Origin']]).toEqual([401, undefined]);
  });

  test('is refused if it is missing, incomplete or wrong', async () => {
    const file = await loaded();
    const { 'x-client-application-id': id, 'x-client-token': token, origin } = onPage(file);
    const refused: Record<string, string>[] = [
      {},
      { 'x-client-token': token, origin },
      { 'x-client-application-id': id, origin },
      { 'x-client-application-id': id, 'x-client-token': token },
      { 'x-client-application-id': id, 'x-client-token': `${token}x`, origin },
      { 'x-client-application-id': id, 'x-client-token': token, origin: page.toUpperCase() },
      { 'x-client-application-id': id, 'x-client-token': token, origin: 'null' },
      { ...credentialsOf(file), origin },
    ];
    const replies = await Promise.all(refused.map((headers) => caller(check)({ headers, body: {} })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
  });

  test('opens no server path', async () => {
    const { 'x-client-application-id': id, 'x-client-token': token, ...rest } = onPage(await loaded());
    for (const headers of [
      { ...rest, 'x-client-application-id': id, 'x-client-token': token },
      { ...rest, 'x-app-id': id, 'x-app-token': token },
    ]) {
      expect((await caller(getVoucher)({ params: { code: 'ONE' }, headers })).status).toBe(401);
    }
  });

  test('works from a newly added web page at once, and from a removed one for at most 60 seconds', async () => {
    const file = await loaded();
    const clock = standingClock();
    const call = caller(check, testDependencies({ clock }));
    const status = async (origin: string) => (await call({ headers: onPage(file, origin), body: {} })).status;
    expect(await status(page)).toBe(200);
    const moved = 'https://new.example';
    await loadFile({ ...file, client_keys: file.client_keys.map((key) => ({ ...key, origins: [moved] })) });
    expect(await status(moved)).toBe(200);
    clock.advance(60);
    expect(await status(page)).toBe(401);
  });

  test('has its request carried out once for an idempotency key, apart from an app key with the same id', async () => {
    const file = fileWith();
    const [{ app_id: id = '' } = {}] = file.app_keys;
    const same = { ...file, client_keys: file.client_keys.map((key) => ({ ...key, client_application_id: id })) };
    await loadFile(same);
    const ask = async (endpoint: typeof check, headers: Record<string, string>) =>
      (await caller(endpoint)({ headers: { ...headers, 'idempotency-key': 'one' }, body: {} })).body.made;
    const first = await ask(check, onPage(same));
    expect(await ask(check, onPage(same))).toBe(first);
    expect(await ask(serverCheck, credentialsOf(same))).toBe(first + 1);
  });

  test('belongs to one project alone', async () => {
    const file = await loaded();
    const thief = { ...projectFile(), client_keys: file.client_keys };
    await expect(loadFile(thief)).rejects.toMatchObject({
      faults: ['client_keys[0] has the id of a key of another project'],
    });
  });
});

describe('a bearer token on a client path', () => {
  test.each([
    ['client_api', 200],
    ['client_validations', 200],
    ['vouchers client_validations', 200],
    ['api', 403],
    ['client_redeem', 403],
    ['validations', 403],
  ])('with the scope %s is answered %i', async (scope, expected) => {
    const token = await issueToken(credentialsOf(await loaded()), scope, testDependencies());
    const { status, headers, body } = await caller(check)({ headers: bearer(token), body: {} });
    expect(status).toBe(expected);
    if (expected === 403) {
      expect(headers['WWW-Authenticate']).toBe('Bearer error="insufficient_scope", scope="client_validations"');
      expect(body.details).toBe('the token must have the scope client_api or client_validations');
    }
  });

  test('opens no server path with client_api', async () => {
    const token = await issueToken(credentialsOf(await loaded()), 'client_api', testDependencies());
    expect((await caller(getVoucher)({ params: { code: 'ONE' }, headers: bearer(token) })).status).toBe(403);
  });
});

test('an operation cannot be described with a scope that its callers cannot have', () => {
  const description = { route: 'GET /v1/x', summary: 'X', answers: 'X.', reply: v.object({}) } as const;
  const use = async () => ({});
  expect(() => operation({ ...description, scope: 'client_events' }, use)).toThrow('client_events');
  expect(() => operation({ ...description, caller: 'client', scope: 'events' }, use)).toThrow('events');
});
