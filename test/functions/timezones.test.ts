import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as saveCustomer } from '../../functions/customers/create-customer.ts';
import { handler as listPending } from '../../functions/loyalties/list-member-pending-points.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { darkRoast, fixed, openEarning } from '../support/earning.ts';
import { validationRule } from '../support/lists.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { loadProject } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10 };
const coupon = (code: string, more: object) => ({ code, type: 'DISCOUNT_VOUCHER', discount, ...more });

async function openShop(timezone: string, lists: Record<string, unknown>) {
  const { id, credentials: headers } = await loadProject(lists);
  await manageProjects().update(id, { timezone });
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const ask = (handler: Endpoint, request: object) => caller(handler, dependencies)({ headers, ...request });
  return {
    redeemAt: async (time: string, code: string) => {
      clock.set(time);
      return (await ask(redeem, { body: { redeemables: [{ object: 'voucher', id: code }] } })).body;
    },
  };
}

describe('in the time zone of its project', () => {
  const vouchers = [
    coupon('MONDAY', { validity_day_of_week: [1] }),
    coupon('NIGHT', { validity_hours: { daily: [{ start_time: '00:00', expiration_time: '01:00' }] } }),
  ];

  test.each([
    ['Europe/Oslo', '2026-06-14T22:00:00Z', true],
    ['Europe/Oslo', '2026-06-15T22:00:00Z', false],
    ['UTC', '2026-06-14T22:00:00Z', false],
    ['America/New_York', '2026-06-16T03:59:00Z', true],
  ])('a voucher for Mondays is used in %s at %s: %s', async (zone, time, isUsed) => {
    const shop = await openShop(zone, { vouchers });
    const body = await shop.redeemAt(time, 'MONDAY');
    if (isUsed) return expect(body.redemptions).toHaveLength(1);
    expect(body).toMatchObject({ key: 'voucher_not_active_now', details: expect.stringContaining(`(${zone})`) });
  });

  test.each([
    ['Europe/Oslo', '2026-03-30T07:00:00Z', true],
    ['Europe/Oslo', '2026-03-30T09:00:00Z', false],
    ['UTC', '2026-03-30T07:00:00Z', false],
    ['UTC', '2026-03-30T08:00:00Z', true],
  ])('a weekly timeframe keeps its hour over a change of the clock in %s at %s: %s', async (zone, time, isUsed) => {
    // Mondays at 09:00 in Oslo, which is 08:00 in UTC in winter and 07:00 in summer.
    const start_date = '2026-01-05T08:00:00.000Z';
    const market = coupon('MARKET', { start_date, validity_timeframe: { interval: 'P7D', duration: 'PT2H' } });
    const shop = await openShop(zone, { vouchers: [market] });
    const { key, redemptions } = await shop.redeemAt(time, 'MARKET');
    expect([key, redemptions?.length]).toEqual(isUsed ? [undefined, 1] : ['voucher_not_active_now', undefined]);
  });

  test('a voucher for the first hour of a day is used then', async () => {
    const shop = await openShop('Asia/Tokyo', { vouchers });
    expect((await shop.redeemAt('2026-06-15T14:59:59Z', 'NIGHT')).key).toBe('voucher_not_active_now');
    expect((await shop.redeemAt('2026-06-15T15:00:00Z', 'NIGHT')).redemptions).toHaveLength(1);
    expect((await shop.redeemAt('2026-06-15T16:00:00Z', 'NIGHT')).key).toBe('voucher_not_active_now');
  });

  test.each([
    ['Europe/Oslo', ['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z']],
    ['Europe/Oslo', ['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z']],
    ['UTC', ['2026-10-25T00:00:00Z', '2026-10-25T23:59:59Z', '2026-10-26T00:00:00Z']],
  ] as const)('a limit of one a day in %s lasts from midnight to midnight: %s', async (zone, [begin, end, next]) => {
    const shop = await openShop(zone, {
      vouchers: [coupon('DAILY', {})],
      validation_rules: [
        validationRule('val_1', 'Daily', { name: 'redemption.count.daily', conditions: { $less_than_or_equal: [1] } }),
      ],
      validation_rules_assignments: [{ rule_id: 'val_1', related_object_type: 'voucher', related_object_id: 'DAILY' }],
    });
    const outcomes = [];
    for (const time of [begin, end, next]) outcomes.push((await shop.redeemAt(time, 'DAILY')).redemptions?.length ?? 0);
    expect(outcomes).toEqual([1, 0, 1]);
  });

  test('points for entering a segment expire with the day of the zone', async () => {
    const world = await openEarning();
    await manageProjects().update(world.project.id, { timezone: 'Europe/Oslo' });
    const { id } = await world.ask(createSegment, { body: darkRoast('Dark') });
    await world.run();
    const entered = { event: 'customer.segment.entered', segment: { id }, loyalty: fixed(20) };
    await world.rules('camp_club', { ...entered, expiration_rules: { period_type: 'MONTH', period_value: 1 } });
    // It is the 29th in Oslo.
    world.clock.set('2026-03-28T23:30:00Z');
    await world.ask(saveCustomer, { body: { id: 'cust_ada', metadata: { roast: 'dark' } } });
    await world.follow();
    expect(await world.points('ADA')).toMatchObject({ next_expiration_date: '2026-04-29', next_expiration_points: 20 });
  });

  test('points expire with the day of the zone, and pending points become points at its midnight', async () => {
    const world = await openEarning();
    await manageProjects().update(world.project.id, { timezone: 'Europe/Oslo' });
    await world.rules(
      'camp_club',
      { event: 'visit', loyalty: fixed(5), expiration_rules: { period_type: 'MONTH', period_value: 1 } },
      { event: 'visit', loyalty: fixed(7), pending_points: { period_value: 1 } },
    );
    // It is the 29th in Oslo, a day of 23 hours.
    world.clock.set('2026-03-28T23:30:00Z');
    await world.visit();
    expect(await world.points('ADA')).toMatchObject({ next_expiration_date: '2026-04-29', next_expiration_points: 5 });
    const pending = await world.ask(listPending, { params: { memberId: 'ADA' } });
    expect(pending.data).toMatchObject([{ points: 7, activates_at: '2026-03-30' }]);
    const items = await world.items('PENDING_POINTS');
    expect(items.map(({ activates_at }) => activates_at)).toEqual(['2026-03-29T22:00:00.000Z']);
    world.clock.set('2026-04-29T21:59:59Z');
    expect(await world.balance('ADA')).toBeGreaterThanOrEqual(5);
    const before = await world.balance('ADA');
    world.clock.set('2026-04-29T22:00:00Z');
    expect(await world.balance('ADA')).toBe(before - 5);
  });
});
