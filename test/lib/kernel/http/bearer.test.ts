import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { scopeNames } from '#kernel/access/scopes.ts';
import { operation } from '#kernel/http/operation.ts';
import { handler as revokeHandler } from '../../../../functions/oauth/revoke-token.ts';
import { handler as voucherHandler } from '../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../support/call.ts';
import { standingClock, testDependencies } from '../../../support/dependencies.ts';
import { credentialsOf, loadFile, loadProject, projectFile } from '../../../support/project.ts';
import { bearer, form, issueToken } from '../../../support/tokens.ts';

const vouchers = [{ code: 'ONE', type: 'DISCOUNT_VOUCHER' }];
const params = { code: 'ONE' };
const project = await loadProject({ vouchers });

const families = ['campaigns', 'vouchers', 'promotions', 'loyalties', 'customers', 'events'] as const;

/** A path of each family, called through the wrapper of every endpoint. */
const pathOf = (scope: (typeof families)[number]) =>
  operation(
    {
      route: `GET /v1/${scope}`,
      scope,
      summary: 'Show which project the caller is of',
      answers: 'The project.',
      reply: v.object({ project: v.string() }),
    },
    async (call) => ({ project: call.project.id }),
  );

describe('a bearer token', () => {
  test('opens the project of the key that requested it', async () => {
    const token = await issueToken(project.credentials, 'vouchers');
    const { status, body } = await caller(voucherHandler)({ params, headers: bearer(token) });
    expect([status, body.code]).toEqual([200, 'ONE']);
    const other = await loadProject();
    const foreign = await issueToken(other.credentials, 'vouchers');
    expect((await caller(voucherHandler)({ params, headers: bearer(foreign) })).status).toBe(404);
  });

  test.each(scopeNames)(
    'with the scope %s opens the families that it names, and gets 403 from the others',
    async (scope) => {
      const dependencies = testDependencies();
      const token = await issueToken(project.credentials, scope, dependencies);
      for (const family of families) {
        const { status, headers, body } = await caller(pathOf(family), dependencies)({ headers: bearer(token) });
        if (scope === 'api' || scope === family) {
          expect([status, body]).toEqual([200, { project: project.id }]);
        } else {
          expect([status, body.key]).toEqual([403, 'insufficient_scope']);
          expect(headers['WWW-Authenticate']).toBe(`Bearer error="insufficient_scope", scope="${family}"`);
        }
      }
    },
  );

  test('expires after 900 seconds, also in a container that knows it', async () => {
    const clock = standingClock();
    const dependencies = testDependencies({ clock });
    const token = await issueToken(project.credentials, 'api', dependencies);
    const status = async () => (await caller(voucherHandler, dependencies)({ params, headers: bearer(token) })).status;
    clock.advance(870);
    expect(await status()).toBe(200);
    clock.advance(29);
    expect(await status()).toBe(200);
    clock.advance(1);
    expect(await status()).toBe(401);
  });

  test('stops within 60 seconds after its key is disabled or it is revoked', async () => {
    const file = projectFile({ vouchers });
    await loadFile(file);
    const clock = standingClock();
    const call = caller(voucherHandler, testDependencies({ clock }));
    const [first, second] = [
      await issueToken(credentialsOf(file), 'api'),
      await issueToken(credentialsOf(file), 'api'),
    ];
    const status = async (token: string) => (await call({ params, headers: bearer(token) })).status;
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    await caller(revokeHandler)({ headers: { ...credentialsOf(file), ...form }, body: `access_token=${first}` });
    clock.advance(60);
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    await loadFile({ ...file, app_keys: file.app_keys.map((key) => ({ ...key, active: false })) });
    clock.advance(60);
    expect(await status(second)).toBe(401);
  });

  test('stops at once if it is revoked in the same process, as on the local server', async () => {
    const dependencies = testDependencies();
    const token = await issueToken(project.credentials, 'vouchers', dependencies);
    const call = caller(voucherHandler, dependencies);
    expect((await call({ params, headers: bearer(token) })).status).toBe(200);
    const headers = { ...project.credentials, ...form };
    await caller(revokeHandler, dependencies)({ headers, body: `access_token=${token}` });
    expect((await call({ params, headers: bearer(token) })).status).toBe(401);
  });

  test('costs a warm call no more DynamoDB calls than app headers', async () => {
    const dependencies = testDependencies();
    const call = caller(voucherHandler, dependencies);
    const token = await issueToken(project.credentials, 'vouchers');
    const costOf = async (headers: Record<string, string>) => {
      await call({ params, headers });
      await call({ params, headers });
      return JSON.parse(dependencies.lines.at(-1) ?? '').dynamodb_calls;
    };
    expect(await costOf(bearer(token))).toBe(await costOf(project.credentials));
    expect(JSON.parse(dependencies.lines.at(-1) ?? '')).toMatchObject({ app_id: project.credentials['x-app-id'] });
    expect(dependencies.lines.join()).not.toContain(token);
  });
});

describe('an Authorization header', () => {
  test('alone decides, whatever the app headers contain', async () => {
    const call = caller(voucherHandler);
    const token = await issueToken(project.credentials, 'vouchers');
    const wrongApp = { 'x-app-id': 'nobody', 'x-app-token': 'wrong' };
    expect((await call({ params, headers: { ...wrongApp, ...bearer(token) } })).status).toBe(200);
    expect((await call({ params, headers: { ...project.credentials, ...bearer('wrong') } })).status).toBe(401);
  });

  test.each([
    ['an unknown token', `Bearer ${'A'.repeat(43)}`, 'Bearer error="invalid_token"'],
    ['a token of 10 KB', `Bearer ${'x'.repeat(10_000)}`, 'Bearer error="invalid_token"'],
    ['Bearer without a value', 'Bearer', 'Bearer error="invalid_token"'],
    ['Bearer and a space', 'Bearer ', 'Bearer error="invalid_token"'],
    ['two values', 'Bearer a b', 'Bearer error="invalid_token"'],
    ['another scheme', 'Basic dXNlcjpwYXNz', 'Bearer'],
    ['nothing', '', 'Bearer'],
  ])('with %s is refused with 401 and a challenge', async (_, authorization, challenge) => {
    const headers = { ...project.credentials, authorization };
    const reply = await caller(voucherHandler)({ params, headers });
    expect([reply.status, reply.body.key]).toEqual([401, 'unauthorized']);
    expect(reply.headers['WWW-Authenticate']).toBe(challenge);
  });

  test('may have the scheme in any case', async () => {
    const token = await issueToken(project.credentials, 'vouchers');
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const { status } = await caller(voucherHandler)({ params, headers: { authorization: `${scheme} ${token}` } });
      expect(status).toBe(200);
    }
  });
});
