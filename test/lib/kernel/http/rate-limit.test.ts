import { describe, expect, test } from 'vitest';
import { compose } from '#kernel/http/composition.ts';
import { defaultRateLimitPerMinute, RateLimiter } from '#kernel/http/rate-limit.ts';
import { handler as brandHandler } from '../../../../functions/management/get-brand.ts';
import { handler as issueHandler } from '../../../../functions/oauth/issue-token.ts';
import { handler as voucherHandler } from '../../../../functions/vouchers/get-voucher.ts';
import { caller, type Reply } from '../../../support/call.ts';
import { coldDependencies, standingClock, testDependencies } from '../../../support/dependencies.ts';
import { credentialsOf, loadFile, loadProject, projectFile } from '../../../support/project.ts';
import { bearer, form, issueToken } from '../../../support/tokens.ts';

const at = (time: string) => new Date(`2026-06-15T${time}Z`);
const params = { code: 'ONE' };

const vouchers = [{ code: 'ONE', type: 'DISCOUNT_VOUCHER' }];
const [project, other] = await Promise.all([loadProject({ vouchers }), loadProject({ vouchers })]);

/** One container that allows a key this many calls a minute. */
function container(limit: number, start = at('12:00:15.500')) {
  const clock = standingClock(start);
  const dependencies = coldDependencies({ clock, rateLimiter: new RateLimiter(limit) });
  return { clock, dependencies, call: caller(voucherHandler, dependencies) };
}

const ratesOf = ({ headers }: Reply) =>
  ['Limit', 'Remaining', 'Retry'].map((name) => headers[`X-Rate-Limit-${name}`] ?? null);

describe('the calls of an app key', () => {
  test('are reported as remaining calls in each reply, and refused at zero until the next minute of the clock', async () => {
    const { clock, call } = container(2);
    const get = () => call({ params, headers: project.credentials });
    const first = await get();
    expect([first.status, ratesOf(first)]).toEqual([200, ['2', '1', '45']]);
    clock.advance(40);
    const second = await get();
    expect([second.status, ratesOf(second)]).toEqual([200, ['2', '0', '5']]);
    const third = await get();
    expect([third.status, third.body.key, ratesOf(third)]).toEqual([429, 'too_many_requests', ['2', '0', '5']]);
    expect(third.headers['Retry-After']).toBe('5');
    clock.set(at('12:01:00.000'));
    const next = await get();
    expect([next.status, ratesOf(next)]).toEqual([200, ['2', '1', '60']]);
  });

  test('count whether they succeed, fail, or come with a token, even one that does not open the path', async () => {
    const { call, dependencies } = container(4);
    const token = bearer(await issueToken(project.credentials, 'vouchers campaigns'));
    const closed = bearer(await issueToken(project.credentials, 'campaigns'));
    const sent = [
      await call({ params, headers: project.credentials }),
      await call({ params: { code: 'NOPE' }, headers: project.credentials }),
      await call({ params, headers: closed }),
      await call({ params, headers: token }),
      await call({ params, headers: token }),
      await caller(issueHandler, dependencies)({ headers: { ...project.credentials, ...form }, body: 'scope=api' }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([200, 404, 403, 200, 429, 429]);
    expect(sent.map((reply) => ratesOf(reply)[1])).toEqual(['3', '2', '1', '0', '0', '0']);
  });

  test('leave the calls of another key alone', async () => {
    const { call } = container(1);
    await call({ params, headers: project.credentials });
    expect((await call({ params, headers: project.credentials })).status).toBe(429);
    expect((await call({ params, headers: other.credentials })).status).toBe(200);
  });

  test('cost no further call of the table, and a refused one costs none at all', async () => {
    const { call, dependencies } = container(2);
    for (let sent = 0; sent < 3; sent++) await call({ params, headers: project.credentials });
    const calls = dependencies.lines.map((line) => JSON.parse(line));
    expect(calls.map(({ status, dynamodb_calls }) => [status, dynamodb_calls])).toEqual([
      [200, 3],
      [200, 1],
      [429, 0],
    ]);
    expect(calls[2]).toMatchObject({ error_key: 'too_many_requests', app_id: project.credentials['x-app-id'] });
  });
});

describe('the calls of a manager', () => {
  const request = { params: { projectId: 'proj_none', brandingId: 'brd_none' } };
  const managed = (limit: number) => testDependencies({ rateLimiter: new RateLimiter(limit), managementGuard: 'keys' });

  test("are counted and refused like an app key's calls, and apart from them", async () => {
    const file = projectFile();
    const id = file.app_keys[0]?.app_id ?? '';
    await loadFile({ ...file, management_keys: [{ management_id: id, management_token: 'a-token-of-the-manager' }] });
    const headers = { 'x-management-id': id, 'x-management-token': 'a-token-of-the-manager' };
    const dependencies = managed(2);
    const call = caller(brandHandler, dependencies);
    const sent = [await call({ ...request, headers }), await call({ ...request, headers })];
    const refused = await call({ ...request, headers });
    expect([...sent, refused].map((reply) => [reply.status, ratesOf(reply)[1]])).toEqual([
      [404, '1'],
      [404, '0'],
      [429, '0'],
    ]);
    expect((await caller(voucherHandler, dependencies)({ params, headers: credentialsOf(file) })).status).toBe(404);
  });
});

test("a caller with missing or wrong credentials uses up nobody's calls and sees no count", async () => {
  const { call } = container(1);
  const refused = await call({ params, headers: { ...project.credentials, 'x-app-token': 'wrong' } });
  expect([refused.status, ratesOf(refused)]).toEqual([401, [null, null, null]]);
  expect((await call({ params, headers: project.credentials })).status).toBe(200);
});

test('the counts of a minute take limited memory, for any number of keys', () => {
  const limiter = new RateLimiter(1);
  const now = at('12:00:00');
  limiter.count('first', now);
  expect(limiter.count('first', now).exceeded).toBe(true);
  for (let key = 0; key < 20_000; key++) limiter.count(`app-${key}`, now);
  expect(limiter.count('first', now).exceeded).toBe(false);
});

test('a clock that is set back opens a window, and never more than a minute away', () => {
  const limiter = new RateLimiter(1);
  limiter.count('app', at('12:05:00'));
  expect(limiter.count('app', at('12:00:59.999'))).toEqual({
    window: at('12:00:00').getTime() / 60_000,
    limit: 1,
    windowInSeconds: 60,
    remaining: 0,
    retryInSeconds: 1,
    exceeded: false,
  });
});

describe('the environment sets the limit', () => {
  const limitOf = (RATE_LIMIT_PER_MINUTE?: string) => {
    const env = { TABLE_NAME: 'table', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', RATE_LIMIT_PER_MINUTE };
    const { rateLimiter, dynamodb } = compose(env);
    dynamodb.destroy();
    return rateLimiter.count('app', at('12:00:00')).limit;
  };

  test('as a number of calls, with a generous default', () => {
    expect(limitOf('7')).toBe(7);
    expect(limitOf()).toBe(defaultRateLimitPerMinute);
  });

  test.each(['0', '-1', '1.5', 'none', '', '1e3'])('and refuses %j', (value) => {
    expect(() => limitOf(value)).toThrow('must be a whole number');
  });
});
