import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { handler as getCustomer } from '../../../../functions/customers/get-customer.ts';
import { handler as adjust } from '../../../../functions/loyalties/adjust-pending-points.ts';
import { handler as getVoucher } from '../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../support/call.ts';
import { testDependencies } from '../../../support/dependencies.ts';
import { itemsOf } from '../../../support/outbox.ts';
import { credentialsOf, loadFile, projectFile } from '../../../support/project.ts';

const { dynamodb, tableName } = testDependencies();

/** Stores the state of an older load that accepted pending points below 1. */
async function brokenCard(broken: Record<string, number>) {
  const file = projectFile({
    customers: [{ id: 'cust_1' }],
    campaigns: [{ id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' }],
    vouchers: [
      { code: 'A', type: 'LOYALTY_CARD', campaign: 'Club', loyalty_card: { points: 10 }, holder_id: 'cust_1' },
    ],
    pending_points: [...Object.keys(broken), 'lopp_right'].map((id) => ({ id, code: 'A', points: 3 })),
  });
  await loadFile(file);
  const sum = Object.values(broken).reduce((all, points) => all + points, 3);
  for (const item of await itemsOf(file.project.id, '')) {
    const change = item.code === 'A' ? { pending_points: sum } : { points: broken[String(item.id)] ?? item.points };
    const isOfCard = item.code === 'A' || String(item.sk).startsWith('PENDING_POINTS#');
    if (isOfCard) await dynamodb.send(new PutCommand({ TableName: tableName, Item: { ...item, ...change } }));
  }
  const headers = credentialsOf(file);
  return {
    file,
    statuses: async () => [
      (await caller(getVoucher)({ params: { code: 'A' }, headers })).status,
      (await caller(getCustomer)({ params: { customerId: 'cust_1' }, headers })).status,
    ],
    /** Returns the card's pending points after one more point. */
    total: async () => {
      const params = { campaignId: 'camp_club', memberId: 'A', pendingPointsId: 'lopp_right' };
      return (await caller(adjust)({ params, headers, body: { points: 1 } })).body.total;
    },
  };
}

test('a mended file mends a card that was loaded with a fault, with its holder', async () => {
  const { file, statuses, total } = await brokenCard({ lopp_1: -50, lopp_2: 0 });
  expect(await statuses()).toEqual([500, 500]);
  const [, ...others] = file.pending_points;
  await loadFile({ ...file, pending_points: [{ id: 'lopp_1', code: 'A', points: 5 }, ...others] });
  expect(await statuses()).toEqual([200, 200]);
  expect(await total()).toBe(5 + 3 + 3 + 1);
});

test('a file without the faulty entry mends it, too', async () => {
  const { file, statuses, total } = await brokenCard({ lopp_1: -50 });
  expect(await statuses()).toEqual([500, 500]);
  await loadFile({ ...file, pending_points: [] });
  expect(await statuses()).toEqual([200, 200]);
  expect(await total()).toBe(3 + 1);
});

test('pending points below 1 are removed even if the sum of the card hides them', async () => {
  const { file, total } = await brokenCard({ lopp_1: -2 });
  await loadFile({ ...file, pending_points: [{ id: 'lopp_1', code: 'A', points: 7 }] });
  expect(await total()).toBe(7 + 3 + 1);
  const before = await itemsOf(file.project.id, 'PENDING_POINTS#');
  await loadFile({ ...file, pending_points: [{ id: 'lopp_1', code: 'A', points: 9 }] });
  expect(await itemsOf(file.project.id, 'PENDING_POINTS#')).toEqual(before);
});
