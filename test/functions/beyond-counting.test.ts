import * as v from 'valibot';
import { expect, test } from 'vitest';
import { change, commit } from '#kernel/table/effects.ts';
import { kind } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import { handler as getSummary } from '../../functions/campaigns/get-campaign-summary.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as listActivities } from '../../functions/customers/list-customer-activities.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as updateCustomer } from '../../functions/customers/update-customer.ts';
import { handler as adjust } from '../../functions/loyalties/adjust-member-balance.ts';
import { caller } from '../support/call.ts';
import { uniqueId } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { card, newClub, programme } from '../support/loyalty.ts';

const most = Number.MAX_SAFE_INTEGER;

test('cards whose sum is too large for an exact number are shown as the largest exact number', async () => {
  const { project } = await newClub({
    campaigns: [programme('camp_club'), programme('camp_tea')],
    customers: [{ id: 'cust_ada' }],
    vouchers: [
      ...['A', 'B', 'C', 'D'].map((code) => card(code, 0, { holder_id: 'cust_ada' })),
      card('TEA', 0, { holder_id: 'cust_ada', campaign_id: 'camp_tea' }),
    ],
  });
  const { credentials: headers } = project;
  for (const memberId of ['A', 'B', 'C', 'D', 'TEA']) {
    expect((await caller(adjust)({ headers, params: { memberId }, body: { points: most } })).status).toBe(200);
  }
  const customer = { headers, params: { customerId: 'cust_ada' } };
  const { status, body } = await caller(getCustomer)(customer);
  expect([status, body]).toMatchObject([
    200,
    {
      loyalty: { points: most, campaigns: { 'Name of camp_tea': { points: most } } },
      summary: { redemptions: { loyalty_card: { points_to_go: most } } },
    },
  ]);
  expect((await caller(listCustomers)({ headers })).body.customers).toEqual([body]);
  expect((await caller(updateCustomer)({ ...customer, body: { name: 'Ada' } })).status).toBe(200);
  expect((await caller(listActivities)(customer)).status).toBe(200);
  const summary = await caller(getSummary)({ headers, params: { campaignId: 'camp_club' } });
  expect([summary.status, summary.body.points_added]).toEqual([200, most]);
});

test('a counter beyond that number shows the same', async () => {
  const count = kind('COUNT', v.object({ points: v.pipe(v.number(), v.safeInteger()) }))(uniqueId('proj_'), 'a');
  const more = change(count, (update) => update.add('points', most));
  for (const _ of [1, 2, 3]) await commit(tableOfFile(), [more]);
  expect(await read(tableOfFile(), { count })).toEqual({ count: { points: most } });
});
