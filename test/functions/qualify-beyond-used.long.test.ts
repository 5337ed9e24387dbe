import { describe, expect, test } from 'vitest';
import { standaloneTypes, voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import { readAll } from '#kernel/table/listing.ts';
import { Table } from '#kernel/table/table.ts';
import { settleDue } from '#registry.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as adjust } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as disable } from '../../functions/vouchers/disable-voucher.ts';
import { handler as enable } from '../../functions/vouchers/enable-voucher.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { newClient, ownTable, standingClock, testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';
import { asking, off, shop, spring, tiers } from '../support/qualifying.ts';
import { clientInRounds } from '../support/round-trips.ts';
import { isLong } from '../support/sampled.ts';

const time = (second: number) => new Date(Date.UTC(2026, 5, 1, 0, 0, second)).toISOString();
const coupon = (code: string, second: number, more: object = {}) => ({
  ...{ code, type: 'DISCOUNT_VOUCHER', discount: off(10), created_at: time(second) },
  ...more,
});
const usedUp = { redemption: { quantity: 1, redeemed_quantity: 1 } };
const series = (length: number, more: object = {}) =>
  Array.from({ length }, (_, index) => coupon(`CODE-${index}`, index, more));

/** It exceeds the number that a request could read. */
const manyUsed = isLong ? 10_000 : 1_500;

describe('a page is full', () => {
  /** Returns the rounds of calls and the read units of a container that has answered before. */
  async function costOf(vouchers: object[]) {
    const { credentials: headers } = await loadProject({
      campaigns: [spring],
      promotion_tiers: tiers(1, 2, 3),
      vouchers,
    });
    const { dynamodb, taken } = clientInRounds(newClient());
    const lines: string[] = [];
    const dependencies = { ...testDependencies(), dynamodb, log: (line: string) => void lines.push(line) };
    const call = () => caller(qualify, dependencies)({ headers, body: { order: { amount: 1_000 } } });
    await call();
    await call();
    taken();
    lines.length = 0;
    const { body } = await call();
    const ids = body.redeemables.data.map(({ id }: { id: string }) => id);
    const { read_units: units } = JSON.parse(lines.at(-1) ?? '{}');
    return { ids, trips: taken().length, units };
  }

  test(`at the same cost with ${manyUsed} used-up codes that are newer`, async () => {
    const open = Array.from({ length: 25 }, (_, index) => coupon(`OPEN-${index}`, index - 100));
    const none = await costOf(open);
    const many = await costOf([...open, ...series(manyUsed, usedUp)]);
    expect(none.ids).toEqual(['OPEN-24', 'OPEN-23', 'OPEN-22', 'OPEN-21', 'OPEN-20']);
    expect(many.ids).toEqual(none.ids);
    expect(many.trips).toBeLessThanOrEqual(4);
    expect(none.units).toBeGreaterThan(0);
    expect(many.units).toBeLessThanOrEqual(2 * none.units);
  });

  test.each([
    ['used up', usedUp],
    ['expired', { expiration_date: '2020-01-01T00:00:00Z' }],
    ['empty', { type: 'GIFT_VOUCHER', discount: undefined, gift: { amount: 0 } }],
  ])('though the newest 300 codes are %s', async (_, more) => {
    const ask = await shop({ vouchers: series(300, more), promotion_tiers: tiers(1, 2) });
    const { ids, body } = await ask();
    expect([ids, body.redeemables.has_more]).toEqual([['promo_2', 'promo_1'], false]);
  });
});

describe('a code for everybody', () => {
  async function counter(vouchers: object[]) {
    const clock = standingClock();
    const tableName = await ownTable();
    const dependencies = { ...testDependencies({ tableName }), clock };
    const { credentials: headers, id } = await loadProject({ campaigns: [spring], vouchers }, dependencies);
    const order = { amount: 1_000 };
    const offered = async () => {
      const { body } = await caller(qualify, dependencies)({ headers, body: { order } });
      return body.redeemables.data.map((one: { id: string }) => one.id);
    };
    /** Checks that the offered codes equal the lists: a used-up code is not even read. */
    const listed = async () => {
      const table = new Table(dependencies.dynamodb, tableName, clock());
      const lists = standaloneTypes.map((type) => readAll(table, voucherLists.standalone, [id, type]));
      const codes = (await Promise.all(lists)).flat().map((entry) => entry.listed.code);
      expect(await offered()).toEqual(codes);
      return codes;
    };
    const use = async (code: string, gift?: object) => {
      const redeemables = [{ object: 'voucher', id: code, ...(gift ? { gift } : {}) }];
      return caller(redeem, dependencies)({ headers, body: { redeemables, order } });
    };
    const back = (redemptionId: string) => caller(rollBack, dependencies)({ headers, params: { redemptionId } });
    const on = (handler: Endpoint, code: string, body?: object) =>
      caller(handler, dependencies)({ headers, params: { code }, ...(body ? { body } : {}) });
    const later = async (days: number) => {
      clock.advance(days * 86_400);
      expect(await settleDue(dependencies)).toMatchObject({ failed: 0 });
    };
    return { offered, listed, use, back, on, later };
  }

  test.each([
    ['once', 1],
    ['three times', 3],
  ])('%s is offered until its last use, and again after a rollback', async (_, quantity) => {
    const { listed, use, back, on } = await counter([coupon('OPEN', 1, { redemption: { quantity } })]);
    const ids: string[] = [];
    for (let times = 0; times < quantity; times++) {
      expect(await listed()).toEqual(['OPEN']);
      const { status, body } = await use('OPEN');
      expect(status).toBe(200);
      ids.push(body.redemptions[0].id);
    }
    expect(await listed()).toEqual([]);
    expect((await on(disable, 'OPEN')).status).toBe(200);
    expect((await on(enable, 'OPEN')).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await back(ids[0] ?? '')).status).toBe(200);
    expect(await listed()).toEqual(['OPEN']);
  });

  test('is offered as long as it has a use, during simultaneous redemptions and rollbacks', async () => {
    const { listed, use, back } = await counter([coupon('OPEN', 1, { redemption: { quantity: 2 } })]);
    const { body } = await use('OPEN');
    const first = body.redemptions[0].id;
    const [second, rolledBack] = await Promise.all([use('OPEN'), back(first)]);
    expect([second.status, rolledBack.status]).toEqual([200, 200]);
    expect(await listed()).toEqual(['OPEN']);
    const twenty = await Promise.all(Array.from({ length: 20 }, () => use('OPEN')));
    expect(twenty.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await listed()).toEqual([]);
  });

  test('with many uses leaves the list after its last use', async () => {
    const quantity = 12;
    const { offered, listed, use, back, later } = await counter([coupon('MANY', 1, { redemption: { quantity } })]);
    const uses = await Promise.all(Array.from({ length: quantity }, () => use('MANY')));
    expect(uses.map(({ status }) => status)).toEqual(Array(quantity).fill(200));
    expect(await offered()).toEqual([]);
    await later(1);
    expect(await listed()).toEqual([]);
    expect((await back(uses[0]?.body.redemptions[0].id)).status).toBe(200);
    expect(await listed()).toEqual(['MANY']);
    await later(1);
    expect(await listed()).toEqual(['MANY']);
  });

  test('is offered as a gift card while it has a balance', async () => {
    const card = { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 300 }, created_at: time(1) };
    const { listed, use, back, on } = await counter([card]);
    const { body } = await use('GIFT', { credits: 300 });
    expect(await listed()).toEqual([]);
    expect((await back(body.redemptions[0].id)).status).toBe(200);
    expect(await listed()).toEqual(['GIFT']);
    await use('GIFT', { credits: 300 });
    expect(await listed()).toEqual([]);
    expect((await on(adjust, 'GIFT', { amount: 50, source_id: 'one' })).status).toBe(200);
    expect(await listed()).toEqual(['GIFT']);
  });
});

describe('filters for exact values look these up', () => {
  const $is = (...values: string[]) => ({ conditions: { $is: values } });

  test('behind any number of newer codes', async () => {
    const old = coupon('OLD', -10);
    const gift = { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 300 }, created_at: time(-20) };
    const { credentials: headers } = await loadProject({
      campaigns: [spring],
      customers: [{ id: 'cust_1', source_id: 'ada' }],
      promotion_tiers: tiers(1),
      vouchers: [old, gift, coupon('MINE', -30, { holder_id: 'cust_1' }), ...series(300)],
    });
    const { body: known } = await caller(getVoucher)({ headers, params: { code: 'OLD' } });
    const { dynamodb, taken } = clientInRounds(newClient());
    const found = async (filters: object) => {
      const lines: string[] = [];
      const dependencies = { ...testDependencies(), dynamodb, log: (line: string) => void lines.push(line) };
      const body = { customer: { source_id: 'ada' }, order: { amount: 1_000 }, options: { filters, limit: 2 } };
      const { body: said } = await caller(qualify, dependencies)({ headers, body });
      expect(taken().length).toBeLessThanOrEqual(4);
      expect(JSON.parse(lines.at(-1) ?? '{}').read_units).toBeLessThan(20);
      expect(said.redeemables.has_more).toBe(false);
      return said.redeemables.data.map(({ id }: { id: string }) => id);
    };
    await caller(qualify, { ...testDependencies(), dynamodb })({ headers, body: { customer: { source_id: 'ada' } } });
    taken();
    expect(await found({ code: $is('OLD', 'NONE') })).toEqual(['OLD']);
    expect(await found({ code: $is('MINE') })).toEqual(['MINE']);
    expect(await found({ resource_id: $is(known.id) })).toEqual(['OLD']);
    expect(await found({ resource_id: $is('promo_1') })).toEqual(['promo_1']);
    expect(await found({ junction: 'or', resource_id: $is(known.id), code: $is('MINE') })).toEqual(['OLD', 'MINE']);
    expect(await found({ resource_id: $is(known.id), code: $is('MINE') })).toEqual([]);
    expect(await found({ voucher_type: $is('GIFT_VOUCHER') })).toEqual(['GIFT']);
    expect(await found({ campaign_id: $is('camp_tiers') })).toEqual(['promo_1']);
  });

  test("without offering another customer's code, a campaign's, or a disabled one", async () => {
    const codes = { id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' };
    const ask = await shop({
      customers: [{ id: 'cust_1', source_id: 'ada' }],
      campaigns: [{ ...codes, voucher: { type: 'DISCOUNT_VOUCHER', discount: off(5) } }],
      vouchers: [
        coupon('HELD', 1, { holder_id: 'cust_1' }),
        coupon('OFF', 2, { active: false }),
        { code: 'OF-CAMPAIGN', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_codes' },
      ],
    });
    expect((await ask({ options: { filters: { code: $is('HELD', 'OFF', 'OF-CAMPAIGN') } } })).ids).toEqual([]);
  });
});

describe('DEALS sorting', () => {
  const best = { sorting_rule: 'BEST_DEAL', limit: 1 };

  test('compares all codes up to a thousand, and says if more exist', async () => {
    const cheap = Array.from({ length: 999 }, (_, index) => coupon(`CODE-${index}`, index + 10));
    const lists = { campaigns: [spring], vouchers: [coupon('BEST', 5, { discount: off(500) }), ...cheap] };
    const ask = asking((await loadProject(lists)).credentials);
    const { ids, body } = await ask({ options: best });
    expect(ids).toEqual(['BEST']);
    expect(body.redeemables).toMatchObject({ has_more: true });
    const more = { ...lists, vouchers: [...lists.vouchers, coupon('ONE-MORE', 2_000)] };
    const { body: cut } = await asking((await loadProject(more)).credentials)({ options: best });
    expect(cut.redeemables).toMatchObject({ has_more: true, more_not_compared: true });
  });

  test.each(['BEST_DEAL', 'LEAST_DEAL'])('by %s has no second page', async (sorting_rule) => {
    const ask = await shop({ promotion_tiers: tiers(1) });
    const { status, body } = await ask({ options: { sorting_rule, starting_after: time(1) } });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('options.starting_after');
    expect((await ask({ options: { sorting_rule, starting_after: null } })).status).toBe(200);
  });
});
