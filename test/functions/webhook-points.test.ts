import { describe, expect, test } from 'vitest';
import { eventTypes } from '#addons/webhooks/events/types.ts';
import { settleDue } from '#registry.ts';
import { handler as listTransactions } from '../../functions/campaigns/list-campaign-transactions.ts';
import { handler as listActivity } from '../../functions/customers/list-customer-activity.ts';
import { handler as activate } from '../../functions/loyalties/activate-pending-points.ts';
import { handler as adjustPending } from '../../functions/loyalties/adjust-pending-points.ts';
import { handler as cancel } from '../../functions/loyalties/cancel-pending-points.ts';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { handler as adjust } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { openHearing, openReceiver } from '../support/hearing.ts';
import { card, programme } from '../support/loyalty.ts';

/** Holds the payloads of points: pending points with the balances after the change, and expirations with their lots. */

const pending = (id: string, points: number) => ({ id, code: 'ADA', points });
const lists = {
  campaigns: [programme('camp_club')],
  customers: [{ id: 'cust_ada', name: 'Ada' }],
  vouchers: [
    card('ADA', 20, { holder_id: 'cust_ada' }),
    card('OLD', [
      { points: 7, expires: '2026-06-20' },
      { points: 4, expires: '2026-06-22' },
      { points: 9, expires: null },
    ]),
  ],
  pending_points: [pending('lopp_one', 30), pending('lopp_two', 12)],
};

async function open() {
  const [hearing, receiver] = await Promise.all([openHearing(lists), openReceiver()]);
  await hearing.settleAll();
  await hearing.manage(createWebhook, {}, { target_url: receiver.url, events: Object.keys(eventTypes) });
  const dataOf = async (type: string) => {
    await hearing.settleAll();
    return receiver.heard.find(({ body }) => body.type === type)?.body.data;
  };
  return { ...hearing, dataOf };
}

const ofPending = (pendingPointsId: string) => ({ params: { memberId: 'ADA', pendingPointsId } });
const prefix = 'voucher.loyalty_card.pending_points';

describe('an event about pending points carries', () => {
  test('their balance on the card after an update and a cancellation, with the change', async () => {
    const { call, dataOf } = await open();
    const { status, body } = await call(adjustPending, { ...ofPending('lopp_one'), body: { points: -5 } });
    expect([status, body.total]).toEqual([200, 37]);
    const balance = (points: number, total: number) => ({
      points,
      total,
      object: 'balance',
      related_object: { type: 'voucher', id: expect.stringMatching(/^v_/) },
    });
    expect((await dataOf(`${prefix}.updated`))?.voucher_pending_points_balance).toEqual(balance(-5, 37));
    expect((await call(cancel, ofPending('lopp_two'))).status).toBe(204);
    expect((await dataOf(`${prefix}.canceled`))?.voucher_pending_points_balance).toEqual(balance(-12, 25));
  });

  test('the balance and the transaction of the points that became active', async () => {
    const { call, dataOf } = await open();
    expect((await call(activate, ofPending('lopp_one'))).status).toBe(200);
    const { body } = await call(listTransactions, { params: { campaignId: 'camp_club' } });
    const [row] = body.data;
    expect(row).toMatchObject({ type: 'PENDING_POINTS_ACTIVATION', points: 30, balance: 50 });
    const data = await dataOf(`${prefix}.activated`);
    expect(data).toMatchObject({ transaction: row, balance: { points: 30, balance: 50, type: 'loyalty_card' } });
    expect(data).not.toHaveProperty('voucher_pending_points_balance');
  });
});

test('an event about expired points carries each lot that expired', async () => {
  const { dependencies, clock, dataOf } = await open();
  clock.set('2026-07-01T12:00:00Z');
  await settleDue(dependencies);
  const data = await dataOf('voucher.loyalty_card.points_expired');
  expect(data).toMatchObject({ points: 11, voucher: { code: 'OLD', loyalty_card: { balance: 9 } } });
  const bucket = (total_points: number, expires_at: string) =>
    expect.objectContaining({
      id: expect.stringMatching(/^lopb_/),
      voucher_id: data.voucher.id,
      campaign_id: 'camp_club',
      ...{ bucket: { total_points }, status: 'EXPIRED', expires_at },
      object: 'loyalty_points_bucket',
    });
  expect(data.buckets).toEqual([bucket(7, '2026-06-20'), bucket(4, '2026-06-22')]);
});

test('an activity shows a transaction as the list of transactions does', async () => {
  const { call } = await open();
  await call(adjust, { params: { code: 'ADA' }, body: { amount: 15, source_id: 'till-1', reason: 'sorry' } });
  const { body: rows } = await call(listTransactions, { params: { campaignId: 'camp_club' } });
  const { body: told } = await call(listActivity, { params: { customerId: 'cust_ada' } });
  expect(rows.data[0]).toMatchObject({ type: 'POINTS_ADDITION', source_id: 'till-1', reason: 'sorry', source: 'API' });
  expect(told.data[0].data.data.transaction).toEqual(rows.data[0]);
});
