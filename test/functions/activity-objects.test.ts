import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { activityTypes } from '#engine/ledger/activities/activity.ts';
import { activityObjects } from '#engine/ledger/activities/objects.ts';
import { handler as saveCustomer } from '../../functions/customers/create-customer.ts';
import { handler as listActivity } from '../../functions/customers/list-customer-activity.ts';
import { handler as activate } from '../../functions/loyalties/activate-pending-points.ts';
import { handler as adjustPending } from '../../functions/loyalties/adjust-pending-points.ts';
import { handler as cancel } from '../../functions/loyalties/cancel-pending-points.ts';
import { handler as transfer } from '../../functions/loyalties/transfer-points.ts';
import { handler as updateProgramme } from '../../functions/loyalties/update-loyalty-campaign.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as createReturn } from '../../functions/orders/create-return.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as addHolders } from '../../functions/referrals/assign-holders.ts';
import { handler as removeHolder } from '../../functions/referrals/delete-holder.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as adjustBalance } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as deleteVoucher } from '../../functions/vouchers/delete-voucher.ts';
import { caller } from '../support/call.ts';
import { darkRoast, type Earning, fixed, openEarning, tierOf } from '../support/earning.ts';
import { giftVoucher } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
import { codes, openReferring } from '../support/referring.ts';
import { openRewards } from '../support/rewarding.ts';

/** Causes every type of activity, and checks that each shows the objects of this table. */

interface Told {
  readonly type: string;
  readonly data: { readonly data: Readonly<Record<string, unknown>> };
}

const seen = new Set<string>();

function checkAll(all: readonly Told[]): void {
  for (const { type, data } of all) {
    seen.add(type);
    const objects = Object.entries(activityObjects).find(([name]) => name === type)?.[1] ?? [];
    const always = ['customer', ...objects.filter((name) => !name.endsWith('?'))];
    const keys = Object.keys(data.data);
    expect([type, keys]).toEqual([type, expect.arrayContaining(always)]);
    const known = ['customer', ...objects.map((name) => name.replace('?', ''))];
    expect([type, keys.filter((key) => !known.includes(key))]).toEqual([type, []]);
  }
}

const toldTo = async ({ ask }: Pick<Earning, 'ask'>, customerId: string): Promise<Told[]> =>
  (await ask(listActivity, { params: { customerId }, query: 'limit=100' })).data;

const found = (all: readonly Told[], type: string) => all.find((one) => one.type === type)?.data.data;

describe('activities show their subjects', () => {
  test('about points, tiers, segments, orders and cards', async () => {
    const kept = {
      qualification_type: 'BALANCE',
      expiration_date: { type: 'CUSTOM', extend: 'P1M', rounding: { type: 'MONTH', strategy: 'END' } },
    };
    const world = await openEarning({
      campaigns: [
        programme('camp_club'),
        programme('camp_kept', { loyalty_tiers_expiration: kept }),
        { id: 'camp_gifts', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'AUTO_UPDATE' },
      ],
      vouchers: [
        card('ADA', [{ points: 3, expires: '2026-06-20' }], { holder_id: 'cust_ada' }),
        card('OTHER', 500),
        card('SPARE', 1, { holder_id: 'cust_ada' }),
        card('KEPT', 10, { campaign_id: 'camp_kept', holder_id: 'cust_ada' }),
        giftVoucher('GIFT', { amount: 100, balance: 100 }, { campaign_id: 'camp_gifts', holder_id: 'cust_ada' }),
      ],
      loyalty_tiers: [tierOf('low', 1, 99), tierOf('high', 100), tierOf('only', 5, undefined, 'camp_kept')],
    });
    const { ask } = world;
    const { id: segmentId } = await ask(createSegment, { body: darkRoast('Dark') });
    await world.run();
    await world.rules(
      'camp_club',
      { event: 'visit', loyalty: fixed(100) },
      { event: 'order.paid', loyalty: fixed(2), pending_points: { period_value: 3 } },
      { event: 'customer.segment.entered', segment: { id: segmentId }, loyalty: fixed(1) },
    );
    const roast = (name: string) => ask(saveCustomer, { body: { id: 'cust_ada', metadata: { roast: name } } });
    for (const name of ['dark', 'light']) {
      await roast(name);
      await world.follow();
    }
    for (const status of ['PAID', 'PROCESSING', 'FULFILLED', 'CANCELED']) {
      await ask(createOrder, { body: { source_id: 'till', status, amount: 500, customer: { id: 'cust_ada' } } });
    }
    await world.pay({ amount: 1 });
    await world.visit();
    const adjust = (code: string, amount: number) => ask(adjustBalance, { params: { code }, body: { amount } });
    await adjust('GIFT', 5);
    const campaignId = 'camp_club';
    const move = (memberId: string, code: string, points: number) =>
      ask(transfer, { params: { campaignId, memberId }, body: [{ code, points, source_id: `${code}-${points}` }] });
    await move('ADA', 'OTHER', 7);
    const pending = (await world.items('PENDING_POINTS')).map(({ id }) => String(id));
    const [first = '', second = ''] = pending;
    const ofPending = (pendingPointsId: string) => ({ params: { memberId: 'ADA', pendingPointsId } });
    await ask(adjustPending, { ...ofPending(first), body: { points: 4 } });
    await ask(activate, ofPending(first));
    await ask(cancel, ofPending(second));
    await adjust('KEPT', 1);
    world.clock.set('2026-06-25T12:00:00Z');
    await ask(updateProgramme, {
      params: { campaignId: 'camp_kept' },
      body: {
        loyalty_tiers_expiration: { ...kept, expiration_date: { ...kept.expiration_date, extend: 'P3M' } },
        options: { recalculate_tiers: true },
      },
    });
    await world.run();
    world.clock.set('2026-12-25T12:00:00Z');
    await adjust('KEPT', 1);
    const { balance } = await world.points('ADA');
    await move('OTHER', 'ADA', balance - 5);
    await move('OTHER', 'ADA', 5);
    await world.visit();
    await ask(deleteVoucher, { params: { code: 'SPARE' } });
    const told = await toldTo(world, 'cust_ada');
    checkAll(told);
    expect(found(told, activityTypes.rewardedPoints)).toMatchObject({
      voucher: { code: 'ADA', type: 'LOYALTY_CARD', object: 'voucher' },
      campaign: { id: 'camp_club', campaign_type: 'LOYALTY_PROGRAM', object: 'campaign' },
      holder: { id: 'cust_ada', name: 'Ada', object: 'customer' },
      earning_rule: { id: expect.stringMatching(/^ern_/) },
    });
    expect(found(told, activityTypes.pointsExpired)).toMatchObject({
      transaction: { type: 'POINTS_EXPIRATION', points: -3 },
      voucher: { code: 'ADA', holder_id: 'cust_ada' },
    });
  });

  test('about redemptions, publications, holders and referrals', async () => {
    const shop = await openReferring({ event_schema: [{ name: 'in', metadata: {} }] });
    const headers = shop.project.credentials;
    const call = (handler: Parameters<typeof caller>[0], request: object) => caller(handler)({ headers, ...request });
    const order = { amount: 1000 };
    const { body } = await shop.redeem({ redeemables: codes('BY-points'), customer: { source_id: 'bob' }, order });
    const [{ id }] = body.redemptions;
    const redeemed = { redeemables: codes('BY-points'), customer: { source_id: 'ada' } };
    expect((await call(redeem, { body: redeemed })).status).toBe(400);
    await shop.send({ event: 'in', customer: { source_id: 'bob' }, referral: { code: 'BY-event' } });
    const statuses = [
      await call(rollBack, { params: { redemptionId: id } }),
      await call(rollBack, { params: { redemptionId: id } }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([200, 400]);
    const published = async (voucher: string) =>
      (await call(publish, { body: { voucher, customer: { source_id: 'bob' } } })).status;
    expect([await published('TEN'), await published('BY-gifts')]).toEqual([200, 400]);
    await shop.redeem({ redeemables: codes('TEN'), customer: { source_id: 'new' }, order });
    const memberId = 'BY-more';
    const held = await call(addHolders, { params: { memberId }, body: { holders: [{ source_id: 'cleo' }] } });
    await call(removeHolder, { params: { memberId, holderId: held.body.holders[0].id } });
    for (const name of ['ada', 'bob', 'cleo', 'new']) {
      const told = (await call(listActivity, { params: { customerId: name }, query: 'limit=100' })).body.data;
      checkAll(told);
      if (name !== 'bob') continue;
      expect(found(told, activityTypes.redeemed)).toMatchObject({
        order: { id: body.order.id, status: expect.any(String), amount: 1000 },
        voucher: { code: 'BY-points', type: 'DISCOUNT_VOUCHER' },
        holder: { source_id: 'bob' },
      });
    }
  });

  test('about rewards', async () => {
    const { project } = await openRewards();
    const headers = project.credentials;
    const pay = async (id: string) => {
      const redeemables = [{ object: 'voucher', id: 'CARD-0', reward: { id } }];
      const body = { redeemables, customer: { id: 'cust_0' } };
      const reply = await caller(redeem)({ headers, body });
      expect(reply.status).toBe(200);
      return reply.body.redemptions[0].id;
    };
    const redemptionId = await pay('rew_mug');
    await pay('rew_code');
    expect((await caller(rollBack)({ headers, params: { redemptionId } })).status).toBe(200);
    const query = 'limit=100';
    const told = (await caller(listActivity)({ headers, params: { customerId: 'cust_0' }, query })).body.data;
    checkAll(told);
    expect(found(told, activityTypes.rewarded)).toMatchObject({
      balance: { points: expect.any(Number), balance: expect.any(Number), object: 'balance' },
    });
  });

  test('about returns', async () => {
    const { project } = await openRewards();
    const headers = project.credentials;
    const sold = { source_id: 'till-1', status: 'PAID', amount: 1_000, customer: { id: 'cust_0' } };
    expect((await caller(createOrder)({ headers, body: sold })).status).toBe(200);
    const reply = await caller(createReturn)({ headers, params: { orderId: 'till-1' }, body: { amount: 400 } });
    expect(reply.status).toBe(200);
    const told = (await caller(listActivity)({ headers, params: { customerId: 'cust_0' } })).body.data;
    checkAll(told);
    expect(found(told, activityTypes.orderReturned)).toMatchObject({
      order: { source_id: 'till-1' },
      order_return: { id: reply.body.id, refund: { total: 400, money: 400 } },
    });
  });

  afterAll(() => {
    expect(Object.values(activityTypes).filter((type) => !seen.has(type))).toEqual([]);
  });
});

test('the docs name the types that are written, with their objects', async () => {
  const docs = await readFile(new URL('../../docs/activities.md', import.meta.url), 'utf8');
  for (const [type, objects] of Object.entries(activityObjects)) {
    expect(docs).toContain(`| \`${type}\` | ${objects.join(', ') || '-'} |`);
  }
  expect(Object.keys(activityObjects).sort()).toEqual(Object.values(activityTypes).sort());
});
