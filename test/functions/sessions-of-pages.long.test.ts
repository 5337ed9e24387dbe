import { describe, expect, test } from 'vitest';
import { handler as pageRedeem } from '../../functions/client/redeem-from-page.ts';
import { handler as pageValidate } from '../../functions/client/validate-from-page.ts';
import { handler as pageValidateVoucher } from '../../functions/client/validate-voucher-from-page.ts';
import { handler as serverRedeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as serverValidate } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { newClient, standingClock, testDependencies } from '../support/dependencies.ts';
import { validationRule } from '../support/lists.ts';
import { onPage, withPages } from '../support/pages.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';

const off = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
const coupon = (code: string, quantity: number | null, more: object = {}) => ({
  ...{ code, type: 'DISCOUNT_VOUCHER', active: true, discount: off },
  redemption: { quantity },
  ...more,
});
const limited = (id: string, name: string, most: number) =>
  validationRule(id, id, { name, conditions: { $less_than: [most + 1] } });
const assigned = (id: string, rule_id: string, related_object_type: string, related_object_id: string) => ({
  ...{ id, rule_id, related_object_type, related_object_id },
});

/** A shop with limits that a web page could exhaust for all customers. */
async function shop() {
  const file = projectFile({
    campaigns: [
      { id: 'camp_budget', name: 'Budget', campaign_type: 'PROMOTION', type: 'STATIC' },
      { id: 'camp_open', name: 'Open', campaign_type: 'PROMOTION', type: 'STATIC' },
      { id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
    ],
    promotion_tiers: [
      { id: 'promo_1', name: 'Tier', hierarchy: 1, campaign_id: 'camp_budget', action: { discount: off } },
      { id: 'promo_person', name: 'Person', hierarchy: 1, campaign_id: 'camp_open', action: { discount: off } },
    ],
    validation_rules: [
      limited('val_campaign', 'campaign.redemptions.count', 1),
      limited('val_tier', 'redemption.count.daily', 1),
      limited('val_person', 'redemption.count.per_customer', 1),
      limited('val_code', 'redemption.count.daily', 1),
    ],
    validation_rules_assignments: [
      assigned('asgm_1', 'val_campaign', 'campaign', 'camp_budget'),
      assigned('asgm_2', 'val_tier', 'promotion_tier', 'promo_1'),
      assigned('asgm_5', 'val_person', 'promotion_tier', 'promo_person'),
      assigned('asgm_3', 'val_code', 'voucher', 'DAILY'),
      assigned('asgm_4', 'val_campaign', 'campaign', 'camp_codes'),
    ],
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    vouchers: [
      coupon('ONE', 1),
      coupon('MANY', 11),
      coupon('DAILY', null),
      coupon('OF-CAMPAIGN', 1, { campaign_id: 'camp_codes' }),
      { code: 'CARD', type: 'GIFT_VOUCHER', active: true, gift: { amount: 500, effect: 'APPLY_TO_ORDER' } },
    ],
  });
  const paged = withPages(file);
  await loadFile({ ...paged, project: { ...paged.project, client: { redemption: true } } });
  const clock = standingClock();
  const dependencies = { ...testDependencies({ clock }), dynamodb: newClient() };
  const ofPage = onPage(paged);
  const ofServer = credentialsOf(file);
  const bodyOf = (one: string | object, session?: object) => ({
    redeemables: [typeof one === 'string' ? { object: 'voucher', id: one } : one],
    order: { amount: 1_000 },
    customer: { source_id: 'ada' },
    ...(session ? { session: { type: 'LOCK', ...session } } : {}),
  });
  return {
    clock,
    fromPage: (one: string | object, session?: object, sourceIp = '203.0.113.1') =>
      caller(pageValidate, dependencies)({ headers: ofPage, body: bodyOf(one, session), sourceIp }),
    redeemFromPage: (one: string | object, session?: object) =>
      caller(pageRedeem, dependencies)({ headers: ofPage, body: bodyOf(one, session) }),
    byQuery: (query: string) => caller(pageValidateVoucher, dependencies)({ headers: ofPage, query }),
    fromServer: (one: string | object, session?: object) =>
      caller(serverValidate, dependencies)({ headers: ofServer, body: bodyOf(one, session) }),
    redeem: (one: string | object, session?: object) =>
      caller(serverRedeem, dependencies)({ headers: ofServer, body: bodyOf(one, session) }),
    balanceOf: async (code: string) =>
      (await caller(getVoucher, dependencies)({ headers: ofServer, params: { code } })).body.gift.balance,
  };
}

const tier = { object: 'promotion_tier', id: 'promo_1' };

describe('a session lasts', () => {
  test.each([
    [{ ttl: 1_000_000, ttl_unit: 'DAYS' }],
    [{ ttl: 16, ttl_unit: 'MINUTES' }],
    [{ ttl: 1 }],
    [{ ttl_unit: 'HOURS' }],
    [{ ttl: Number.MAX_SAFE_INTEGER, ttl_unit: 'NANOSECONDS' }],
  ])('15 minutes at most if a web page asks for it: %j', async (asked) => {
    const { fromPage, fromServer } = await shop();
    const { status, body } = await fromPage('ONE', { key: 'mine', ...asked });
    expect([status, body.key, body.details]).toEqual([
      ...[400, 'invalid_payload', 'session must last at most 15 minutes, by its ttl and ttl_unit'],
    ]);
    expect((await fromServer('ONE')).body.valid).toBe(true);
  });

  test('15 minutes at most in an address, too', async () => {
    const { byQuery } = await shop();
    const { status, body } = await byQuery('code=ONE&amount=1000&session_type=LOCK&session_ttl=1');
    expect([status, body.key]).toEqual([400, 'invalid_query_params']);
    expect(body.details).toBe('session_ttl must be at most 15 minutes, in session_ttl_unit (DAYS without one)');
    const kept = await byQuery('code=ONE&amount=1000&session_type=LOCK&session_ttl=900&session_ttl_unit=SECONDS');
    expect(kept.body.session).toMatchObject({ ttl: 900, ttl_unit: 'SECONDS' });
  });

  test('15 minutes by default for a web page, and then its uses are free for others', async () => {
    const { fromPage, fromServer, clock } = await shop();
    const { body } = await fromPage('ONE', { key: 'mine' });
    expect(body.session).toEqual({ type: 'LOCK', key: 'mine', ttl: 15, ttl_unit: 'MINUTES' });
    const refused = (await fromServer('ONE')).body.redeemables[0].result.error;
    expect(refused).toMatchObject({
      key: 'quantity_exceeded',
      details: 'ONE (a session holds it until 2026-06-15T12:15:00.000Z)',
    });
    clock.advance(900);
    expect((await fromServer('ONE')).body.valid).toBe(true);
  });

  test('30 days at most if a server asks for it', async () => {
    const { fromServer } = await shop();
    const { status, body } = await fromServer('ONE', { ttl: 31 });
    expect([status, body.details]).toEqual([400, 'session must last at most 30 days, by its ttl and ttl_unit']);
    expect((await fromServer('ONE', { ttl: 720, ttl_unit: 'HOURS' })).body.valid).toBe(true);
  });
});

describe('a web page locks nothing', () => {
  test.each([
    ["a campaign's budget, by its tier", tier],
    ["a campaign's budget, by its code", 'OF-CAMPAIGN'],
    ['a code for everybody', 'MANY'],
    ['a limit of such a code', 'DAILY'],
  ])('of %s', async (_, one) => {
    const { fromPage, redeemFromPage, redeem } = await shop();
    for (let index = 0; index < 20; index++) {
      const { status, body } = await fromPage(one, { key: `cart-${index}` }, `203.0.113.${index}`);
      expect([status, body.session?.key]).toEqual([
        200,
        one === 'OF-CAMPAIGN' && index > 0 ? undefined : `cart-${index}`,
      ]);
    }
    if (one === 'OF-CAMPAIGN') {
      // The code itself has one use, which the web page locks, and nothing else.
      expect((await redeem(tier)).status).toBe(200);
      return;
    }
    expect((await redeem(one)).status).toBe(200);
    expect((await redeemFromPage('ONE', { key: 'cart-1' })).status).toBe(200);
  });
});

describe('the sessions of web pages', () => {
  const some = { object: 'voucher', id: 'CARD', gift: { credits: 1 } };

  test('are five per address and card, for 300 attempts, and do not hinder other addresses', async () => {
    const { fromPage, fromServer, redeem, balanceOf } = await shop();
    const statuses: number[] = [];
    for (let index = 0; index < 300; index++) statuses.push((await fromPage(some, { key: `x-${index}` })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(new Set(statuses.slice(5))).toEqual(new Set([429]));
    const refused = await fromPage(some, { key: 'x-300' });
    expect([refused.body.key, refused.headers['Retry-After']]).toEqual(['too_many_requests', '900']);
    expect((await fromPage(some, { key: 'theirs' }, '203.0.113.2')).body.valid).toBe(true);
    expect((await fromServer(some, { key: 'till-1' })).body.valid).toBe(true);
    expect((await redeem({ ...some, gift: { credits: 490 } }, { key: 'till-1' })).status).toBe(200);
    expect(await balanceOf('CARD')).toBe(10);
  });

  test('are five for twenty simultaneous calls from one address', async () => {
    const { fromPage, fromServer } = await shop();
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => fromPage(some, { key: `x-${index}` })));
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
    const { body } = await fromServer({ object: 'voucher', id: 'CARD' });
    expect(body.redeemables[0].result.gift).toEqual({ balance: 495, credits: 495 });
  });

  test("leave a server's session its locks, though a web page guesses its key", async () => {
    const { fromPage, fromServer, redeem, clock } = await shop();
    await fromServer('ONE', { key: 'till-1' });
    expect((await fromPage('ONE', { key: 'till-1', ttl: 1, ttl_unit: 'MILLISECONDS' })).body.valid).toBe(true);
    clock.advance(3_600);
    expect((await fromServer('ONE')).body.valid).toBe(false);
    expect((await redeem('ONE', { key: 'till-1' })).status).toBe(200);
  });

  test("leave a server's session the limit of a customer, though a web page guesses its key", async () => {
    const { fromPage, fromServer, clock } = await shop();
    const one = { object: 'promotion_tier', id: 'promo_person' };
    expect((await fromServer(one, { key: 'till-1' })).body.valid).toBe(true);
    const guessed = await fromPage(one, { key: 'till-1', ttl: 1, ttl_unit: 'MILLISECONDS' });
    expect([guessed.status, guessed.body.valid]).toEqual([200, true]);
    clock.advance(3_600);
    expect((await fromServer(one)).body.valid).toBe(false);
    expect((await fromServer(one, { key: 'till-1' })).body.valid).toBe(true);
  });

  test('can be redeemed by the server', async () => {
    const { fromPage, redeem } = await shop();
    await fromPage('ONE', { key: 'cart-1' });
    expect((await redeem('ONE')).body.key).toBe('quantity_exceeded');
    expect((await redeem('ONE', { key: 'cart-1' })).status).toBe(200);
    const { details } = (await redeem('ONE')).body;
    expect(details).toBe('ONE (used up: redeemed 1 of 1 times)');
  });
});
