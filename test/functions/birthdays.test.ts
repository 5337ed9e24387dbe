import { describe, expect, test } from 'vitest';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { assignedRule, coupon, passiveSegment, validationRule } from '../support/lists.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { loadProject } from '../support/project.ts';

const customer = (source_id: string, birthdate: string) => ({ id: `cust_${source_id}`, source_id, birthdate });

async function openShop(timezone: string) {
  const { id, credentials: headers } = await loadProject({
    customers: [customer('may', '1990-05-15'), customer('leap', '2000-02-29'), customer('eve', '1985-12-31')],
    segments: [passiveSegment('seg_birthday', 'Birthday', { birthday: { conditions: { $anniversary_in_days: [0] } } })],
    validation_rules: [
      validationRule('val_birthday', 'Birthday', {
        name: 'customer.segment',
        conditions: { $is: ['seg_birthday'] },
      }),
    ],
    vouchers: [coupon('CAKE', { type: 'AMOUNT', amount_off: 500 })],
    validation_rules_assignments: [assignedRule('val_birthday', 'voucher', 'CAKE')],
  });
  await manageProjects().update(id, { timezone });
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  return {
    foundAt: async (time: string, query: string) => {
      clock.set(time);
      const { body } = await caller(listCustomers, dependencies)({ headers, query });
      return body.customers.map(({ source_id }: { source_id: string }) => source_id);
    },
    takesCakeAt: async (time: string, source_id: string) => {
      clock.set(time);
      const body = {
        redeemables: [{ object: 'voucher', id: 'CAKE' }],
        customer: { source_id },
        order: { amount: 5000 },
      };
      return (await caller(validate, dependencies)({ headers, body })).body.valid;
    },
  };
}

describe('a segment of birthdays', () => {
  test.each([
    ['Europe/Oslo', '2026-05-14T21:59:59Z', []],
    ['Europe/Oslo', '2026-05-14T22:00:00Z', ['may']],
    ['Europe/Oslo', '2027-05-15T21:59:59Z', ['may']],
    ['Europe/Oslo', '2027-05-15T22:00:00Z', []],
    ['America/New_York', '2026-05-15T04:00:00Z', ['may']],
    ['UTC', '2027-02-28T12:00:00Z', ['leap']],
    ['UTC', '2028-02-28T12:00:00Z', []],
    ['UTC', '2028-02-29T12:00:00Z', ['leap']],
    ['Pacific/Kiritimati', '2026-12-30T10:00:00Z', ['eve']],
  ])('finds customers each year by day and month in %s at %s', async (zone, time, found) => {
    const shop = await openShop(zone);
    expect(await shop.foundAt(time, 'segment_id=seg_birthday')).toEqual(found);
  });

  test('lets a coupon be used on the birthday alone', async () => {
    const shop = await openShop('Europe/Oslo');
    expect(await shop.takesCakeAt('2027-02-28T09:00:00Z', 'leap')).toBe(true);
    expect(await shop.takesCakeAt('2027-02-28T09:00:00Z', 'may')).toBe(false);
    expect(await shop.takesCakeAt('2027-02-28T23:00:00Z', 'leap')).toBe(false);
  });

  test('is written as a filter of the list of customers too, some days ahead', async () => {
    const shop = await openShop('Europe/Oslo');
    const query = 'filters[birthdate][conditions][$anniversary_in_days][0]=7';
    expect(await shop.foundAt('2026-12-24T09:00:00Z', query)).toEqual(['eve']);
    expect(await shop.foundAt('2026-12-25T09:00:00Z', query)).toEqual([]);
  });
});
