import { describe, expect, test } from 'vitest';
import { isOfTill } from '#kernel/http/limit-till.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { handler as qualifyFromPage } from '../../functions/client/qualify-from-page.ts';
import { handler as validateFromPage } from '../../functions/client/validate-from-page.ts';
import { handler as validateVoucherFromPage } from '../../functions/client/validate-voucher-from-page.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { coldDependencies, standingClock, testDependencies } from '../support/dependencies.ts';
import { exported } from '../support/exported.ts';
import { itemsOf } from '../support/outbox.ts';
import { pageProject } from '../support/page-project.ts';
import { onPage } from '../support/pages.ts';
import { credentialsOf, faultsOf, loadFile, projectFile } from '../support/project.ts';
import { bearer, issueToken } from '../support/tokens.ts';

const cart = { redeemables: [{ object: 'voucher', id: 'TEN' }], order: { amount: 1_000 } };
const discount = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' };
const vouchers = [{ code: 'TEN', type: 'DISCOUNT_VOUCHER', active: true, discount }];

function fileWith(settings: object) {
  const file = projectFile({ vouchers });
  return { ...file, project: { ...file.project, ...settings } };
}

async function shop(settings: object, clock = standingClock()) {
  const file = fileWith(settings);
  await loadFile(file);
  /** Makes one container. */
  const container = () => coldDependencies({ clock, rateLimiter: new RateLimiter() });
  return { file, clock, container, id: file.project.id, headers: credentialsOf(file) };
}

describe('a project with a limit on its till', () => {
  test('shares its calls among validations, redemptions and qualifications, of keys and tokens, in all containers', async () => {
    const { headers, container, clock } = await shop({ till_rate: 8 });
    const token = bearer(await issueToken(headers, 'api'));
    const call = (handler: typeof validate, body: object, credentials: Record<string, string> = headers) =>
      caller(handler, container())({ headers: credentials, body });
    const statuses = [];
    for (let turn = 0; turn < 2; turn++) {
      statuses.push((await call(validate, cart)).status);
      statuses.push((await call(validate, cart, token)).status);
      statuses.push((await call(redeem, cart)).status);
      statuses.push((await caller(qualify, container())({ headers, body: { order: cart.order } })).status);
    }
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 200));
    const dependencies = container();
    const refused = await caller(redeem, dependencies)({ headers, body: cart });
    expect([refused.status, refused.body.key]).toEqual([429, 'too_many_requests']);
    expect(refused.body.details).toMatch(/^the project's setting till_rate allows 8 .* try again in [123] s$/);
    expect(refused.headers['Retry-After']).toBe(/(\d+) s$/.exec(refused.body.details)?.[1]);
    expect(JSON.parse(dependencies.lines.at(-1) ?? '')).toMatchObject({ status: 429, refused_for: 'project_rate' });
    clock.advance(1);
    expect((await call(redeem, cart)).status).toBe(200);
  });

  test("counts calls from web pages with its servers' calls, and no other call of either", async () => {
    const file = await pageProject();
    const { project, client_keys, app_keys } = file;
    await loadFile({ project: { ...project, till_rate: 1 }, client_keys, app_keys });
    const dependencies = coldDependencies();
    const headers = onPage(file);
    const query = 'code=FREE&amount=1000';
    for (let turn = 0; turn < 3; turn++) {
      const answers = [
        await caller(validateVoucherFromPage, dependencies)({ headers, query }),
        await caller(validateFromPage, dependencies)({ headers, body: cart }),
        await caller(qualifyFromPage, dependencies)({ headers, body: { order: cart.order } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(turn < 2 ? [200, 200, 200] : [200, 200, 429]);
    }
    const server = credentialsOf(file);
    expect((await caller(validate, dependencies)({ headers: server, body: cart })).status).toBe(429);
    const params = { redemptionId: 'r_none' };
    expect((await caller(rollBack, dependencies)({ headers: server, params, body: {} })).status).toBe(404);
    const seen = await caller(getVoucher, dependencies)({ headers: server, params: { code: 'FREE' } });
    expect(seen.status).toBe(200);
  });

  test('pays one write for the calls of a lease, and none for a refusal that the container knows', async () => {
    const { headers, container } = await shop({ till_rate: 80 });
    const dependencies = container();
    const lineOf = async () => {
      await caller(qualify, dependencies)({ headers, body: { order: cart.order } });
      return JSON.parse(dependencies.lines.at(-1) ?? '');
    };
    const units = [];
    for (let call = 0; call < 6; call++) units.push((await lineOf()).write_units);
    expect(units).toEqual([1, 1, 0, 1, 0, 0]);
    for (let call = 0; call < 100; call++) if ((await lineOf()).status === 429) break;
    expect(await lineOf()).toMatchObject({ status: 429, dynamodb_calls: 0, write_units: 0 });
  });

  test('does not count calls that a token may not make', async () => {
    const { headers, container } = await shop({ till_rate: 1 });
    const closed = bearer(await issueToken(headers, 'campaigns'));
    const dependencies = container();
    for (let call = 0; call < 10; call++) {
      expect((await caller(validate, dependencies)({ headers: closed, body: cart })).status).toBe(403);
    }
    expect((await caller(validate, dependencies)({ headers, body: cart })).status).toBe(200);
  });
});

test('a project without the setting makes the same calls of the table as before, and has no bucket', async () => {
  const [open, limited] = [await shop({}), await shop({ till_rate: 100 })];
  const costsOf = async ({ container, headers, id }: Awaited<ReturnType<typeof shop>>) => {
    const dependencies = container();
    const costs = [];
    for (const handler of [validate, redeem, validate, redeem]) {
      await caller(handler, dependencies)({ headers, body: cart });
      const { dynamodb_calls, read_units, write_units } = JSON.parse(dependencies.lines.at(-1) ?? '');
      costs.push([dynamodb_calls, read_units, write_units]);
    }
    return { costs, buckets: (await itemsOf(id, 'TILL_BUCKET')).length };
  };
  const without = await costsOf(open);
  const withRate = await costsOf(limited);
  expect([without.buckets, withRate.buckets]).toEqual([0, 1]);
  const more = withRate.costs.map((cost, call) =>
    cost.map((figure, index) => figure - (without.costs[call]?.[index] ?? 0)),
  );
  // The second lease has two calls, so the fourth call needs another lease.
  expect(more).toEqual([
    [1, 0, 1],
    [1, 0, 1],
    [0, 0, 0],
    [1, 0, 1],
  ]);
});

test('the counted operations are those for which a checkout waits', () => {
  const limited = operations.filter(({ route }) => isOfTill(route)).map(({ route }) => `${route.method} ${route.path}`);
  expect(limited.toSorted()).toEqual([
    'GET /client/v1/promotions/validation',
    'GET /client/v1/validate',
    'POST /client/v1/promotions/tiers/{promotionTierId}/redemption',
    'POST /client/v1/qualifications',
    'POST /client/v1/redeem',
    'POST /client/v1/redemptions',
    'POST /client/v1/validations',
    'POST /v1/commerce/discounts',
    'POST /v1/commerce/loyalty',
    'POST /v1/loyalties/members/{memberId}/redemption',
    'POST /v1/loyalties/{campaignId}/members/{memberId}/redemption',
    'POST /v1/loyalties/{campaignId}/qualifications',
    'POST /v1/promotions/tiers/{promotionTierId}/redemption',
    'POST /v1/promotions/tiers/{promotionTierId}/validation',
    'POST /v1/promotions/validation',
    'POST /v1/qualifications',
    'POST /v1/redemptions',
    'POST /v1/validations',
    'POST /v1/vouchers/{code}/redemption',
    'POST /v1/vouchers/{code}/validate',
  ]);
});

describe('the setting till_rate', () => {
  test('is changed and removed by loading the project file again, and is exported', async () => {
    const { file, id, headers } = await shop({ till_rate: 3 });
    const rateOf = async () => (await exported(id)).project.till_rate;
    expect(await rateOf()).toBe(3);
    await loadFile({ ...file, project: { ...file.project, till_rate: 700 } });
    expect(await rateOf()).toBe(700);
    const { till_rate: _rate, ...project } = file.project as typeof file.project & { till_rate: number };
    await loadFile({ ...file, project });
    expect(await rateOf()).toBeUndefined();
    const lines = testDependencies();
    await caller(validate, lines)({ headers, body: cart });
    expect(await itemsOf(id, 'TILL_BUCKET')).toEqual([]);
  });

  test.each([
    [0, 'at least 1 call a second'],
    [1.5, 'a whole number of calls a second'],
    [100_001, 'at most 100000 calls a second'],
  ])('is refused as %s', async (till_rate, rule) => {
    expect(await faultsOf(fileWith({ till_rate }))).toEqual([expect.stringContaining(rule)]);
  });
});
