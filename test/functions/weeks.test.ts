import { expect, test } from 'vitest';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { validationRule } from '../support/lists.ts';
import { loadSettings } from '../support/load-settings.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { loadProject } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10 };

const lists = {
  vouchers: [{ code: 'WEEKLY', type: 'DISCOUNT_VOUCHER', discount }],
  validation_rules: [
    validationRule('val_1', 'Weekly', { name: 'redemption.count.weekly', conditions: { $less_than_or_equal: [1] } }),
  ],
  validation_rules_assignments: [{ rule_id: 'val_1', related_object_type: 'voucher', related_object_id: 'WEEKLY' }],
};

/** Returns a shop that redeems a code with a limit of one a week. A new container knows new settings. */
async function openShop(settings: object) {
  const { id, credentials: headers } = await loadProject(lists);
  await manageProjects().update(id, settings);
  const redeemAt = async (time: string) => {
    const clock = standingClock();
    clock.set(time);
    const body = { redeemables: [{ object: 'voucher', id: 'WEEKLY' }] };
    const reply = await caller(redeem, testDependencies({ clock }))({ headers, body });
    return reply.body.redemptions?.length ?? 0;
  };
  return { id, redeemAt };
}

// 2026-06-12 is a Friday.
test.each([
  [{}, '2026-06-12T12:00:00Z', '2026-06-14T23:59:59Z', '2026-06-15T00:00:00Z'],
  [{ week_starts_on: 'MONDAY' }, '2026-06-15T00:00:00Z', '2026-06-21T23:59:59Z', '2026-06-22T00:00:00Z'],
  [{ week_starts_on: 'SATURDAY' }, '2026-06-12T12:00:00Z', '2026-06-12T23:59:59Z', '2026-06-13T00:00:00Z'],
  [{ week_starts_on: 'SATURDAY' }, '2026-06-13T00:00:00Z', '2026-06-19T23:59:59Z', '2026-06-20T00:00:00Z'],
  [{ week_starts_on: 'SUNDAY' }, '2026-06-14T00:00:00Z', '2026-06-20T23:59:59Z', '2026-06-21T00:00:00Z'],
  [
    { week_starts_on: 'SUNDAY', timezone: 'Europe/Oslo' },
    '2026-06-13T22:00:00Z',
    '2026-06-20T21:59:59Z',
    '2026-06-20T22:00:00Z',
  ],
])('a limit of one a week with %j lasts from %s to %s', async (settings, begin, end, next) => {
  const { redeemAt } = await openShop(settings);
  const outcomes = [];
  for (const time of [begin, end, next]) outcomes.push(await redeemAt(time));
  expect(outcomes).toEqual([1, 0, 1]);
});

test('a new first day counts the redemptions that the running week has already', async () => {
  const { id, redeemAt } = await openShop({ week_starts_on: 'MONDAY' });
  // A Monday, so that the week from Sunday also contains it.
  expect(await redeemAt('2026-06-15T12:00:00Z')).toBe(1);
  await manageProjects().update(id, { week_starts_on: 'SUNDAY' });
  expect(await redeemAt('2026-06-16T12:00:00Z')).toBe(0);
  await manageProjects().update(id, { week_starts_on: 'TUESDAY' });
  expect(await redeemAt('2026-06-16T13:00:00Z')).toBe(1);
  await manageProjects().update(id, { week_starts_on: 'MONDAY' });
  expect(await redeemAt('2026-06-16T14:00:00Z')).toBe(0);
});

test('a project shows its first day, takes no other word, and a file keeps or sets it', async () => {
  const own = manageProjects();
  const { id } = await loadSettings({ week_starts_on: 'SUNDAY' });
  expect((await own.get(id)).body).toMatchObject({ week_starts_on: 'SUNDAY' });
  expect((await own.update(id, { week_starts_on: 'SATURDAY' })).body).toMatchObject({ week_starts_on: 'SATURDAY' });
  const refused = await own.update(id, { week_starts_on: 'Sunday' });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('week_starts_on')]);
  const { id: another } = await loadProject({});
  expect((await own.get(another)).body).toMatchObject({ week_starts_on: 'MONDAY' });
});
