import { describe, expect, test } from 'vitest';
import { handler as adjustHandler } from '../../functions/loyalties/adjust-pending-points.ts';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { type Activity, activitiesUpTo, callsOf, walk } from '../support/activities.ts';
import { caller } from '../support/call.ts';
import { card, club } from '../support/club.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { programme } from '../support/loyalty.ts';
import { loadFile, loadProject } from '../support/project.ts';

describe('changes of a card are activities of its holder, and counted:', () => {
  const steps = {
    campaigns: [...club.campaigns, programme('camp_steps')],
    loyalty_tiers: [
      ...club.loyalty_tiers,
      { id: 'ltr_low', name: 'Low', campaign_id: 'camp_steps', points: { from: 100, to: 499 } },
      { id: 'ltr_high', name: 'High', campaign_id: 'camp_steps', points: { from: 500 } },
    ],
    vouchers: [
      ...club.vouchers,
      card('STEPS', 0, { holder_id: 'cust_ada', campaign_id: 'camp_steps' }),
      card('BOBS-STEPS', 1_000, { holder_id: 'cust_bob', campaign_id: 'camp_steps' }),
    ],
    pending_points: [{ id: 'lopp_1', code: 'ADA', points: 40 }],
  };
  const transferred = 'customer.voucher.loyalty_card.points_transferred';
  const move = (name: string) => `customer.loyalty.tier.${name}`;

  async function open(clock = standingClock()) {
    const dependencies = testDependencies({ clock });
    const project = await loadProject({ ...club, ...steps });
    const { credentials: headers } = project;
    const transfer = caller(transferHandler, dependencies);
    const adjust = caller(adjustHandler, dependencies);
    const calls = callsOf(project, dependencies);
    return {
      ...calls,
      project,
      transfer: async (from: string, to: string, points: number, campaignId = 'camp_steps') => {
        clock.advance(1);
        const body = [{ code: from, points, source_id: `tx-${points}`, reason: 'gift' }];
        const reply = await transfer({ headers, params: { campaignId, memberId: to }, body });
        expect(reply.status).toBe(200);
        return reply;
      },
      adjust: (points: number) =>
        adjust({ headers, params: { memberId: 'ADA', pendingPointsId: 'lopp_1' }, body: { points } }),
      /** Checks that the parts and the totals agree with the whole list. */
      told: async (customerId: string) => {
        const { body } = await calls.list('order=created_at&limit=100', customerId);
        expect(body.total).toBe(body.data.length);
        const range = await calls.list(`start_date=${testTime.toISOString()}&limit=100`, customerId);
        expect(range.body).toMatchObject({ total: body.total });
        return body.data as (Activity & { group_id: string; data: { data: Record<string, unknown> } })[];
      },
    };
  }

  const typesOf = (activities: Activity[]) => activities.map(({ type }) => type);

  test('points that move between two holders, for both', async () => {
    const { transfer, told } = await open();
    await transfer('BOBS-STEPS', 'STEPS', 60);
    const [received] = await told('cust_ada');
    const [given] = await told('cust_bob');
    expect(received).toMatchObject({
      type: transferred,
      data: {
        data: {
          customer: { id: 'cust_ada', name: 'Ada' },
          voucher: { code: 'STEPS' },
          campaign: { id: 'camp_steps' },
          balance: { type: 'loyalty_card', points: 60, total: 60, balance: 60, operation_type: 'MANUAL' },
          transaction: { type: 'POINTS_TRANSFER_IN', points: 60, balance: 60, reason: 'gift' },
        },
        event_source: { channel: 'API', api_key: { name: 'Shop' } },
      },
    });
    expect(given).toMatchObject({
      type: transferred,
      group_id: received?.group_id,
      data: {
        data: {
          customer: { id: 'cust_bob', name: 'Bob' },
          voucher: { code: 'BOBS-STEPS' },
          balance: { type: 'loyalty_card', points: -60, total: 1_000, balance: 940 },
          transaction: {
            type: 'POINTS_TRANSFER_OUT',
            points: -60,
            balance: 940,
            details: { destination_voucher: { code: 'STEPS' } },
          },
        },
      },
    });
  });

  test('points that move between two cards of one holder, for both cards', async () => {
    const { transfer, told, list } = await open();
    await transfer('RICH', 'BOBS-STEPS', 10);
    expect(typesOf(await told('cust_bob'))).toEqual([transferred, transferred]);
    for (const campaign of ['camp_steps', 'camp_club']) {
      expect((await list(`campaign_id=${campaign}`, 'cust_bob')).body).toMatchObject({ total: 1, data: [{}] });
    }
  });

  test('tiers that a member enters, changes and leaves', async () => {
    const { transfer, told, list } = await open();
    for (const points of [99, 1, 400]) await transfer('BOBS-STEPS', 'STEPS', points);
    for (const points of [2, 450]) await transfer('STEPS', 'BOBS-STEPS', points);
    const activities = await told('cust_ada');
    expect(typesOf(activities)).toEqual([
      transferred,
      ...[transferred, move('joined')],
      ...[transferred, move('upgraded')],
      ...[transferred, move('downgraded')],
      ...[transferred, move('left')],
    ]);
    const moves = activities.filter(({ type }) => type !== transferred).map(({ data }) => data.data);
    expect(moves).toMatchObject([
      { loyalty_tier: { id: 'ltr_low' }, voucher: { code: 'STEPS' }, campaign: { id: 'camp_steps' } },
      { loyalty_tier_to: { id: 'ltr_high' }, loyalty_tier_from: { id: 'ltr_low' } },
      { loyalty_tier_to: { id: 'ltr_low' }, loyalty_tier_from: { id: 'ltr_high' } },
      { loyalty_tier: { id: 'ltr_low' } },
    ]);
    const ofSteps = (await list('campaign_id=camp_steps&order=created_at&limit=100')).body;
    expect(ofSteps).toMatchObject({ total: 9, data: activities.map(({ id }) => ({ id })) });
  });

  test('adjusted pending points', async () => {
    const { adjust, told, list } = await open();
    expect((await adjust(-15)).body).toMatchObject({ points: -15, total: 25 });
    expect(await told('cust_ada')).toMatchObject([
      {
        type: 'customer.voucher.loyalty_card.pending_points.updated',
        data: { data: { voucher: { code: 'ADA' }, pending_points: { id: 'lopp_1', points: 25, change: -15 } } },
      },
    ]);
    expect((await list('campaign_id=camp_club')).body.total).toBe(1);
  });

  test('changes by time alone, before the next request', async () => {
    const clock = standingClock();
    const { send, told } = await open(clock);
    const visit = () => send({ event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
    await visit();
    clock.set('2027-06-16T08:00:00Z');
    await visit();
    const [added, expired] = ['added', 'expired'].map((what) => `customer.voucher.loyalty_card.points_${what}`);
    const rewarded = 'customer.rewarded.loyalty_points';
    expect(typesOf(await told('cust_ada')).sort()).toEqual(
      [
        ...['customer.custom_event', rewarded, added, move('upgraded')],
        ...[expired, move('downgraded'), 'customer.custom_event', rewarded, added, move('upgraded')],
      ].sort(),
    );
  });

  test('all of them together, however many at once, and none twice when the file is loaded again', async () => {
    const { project, send, transfer, adjust, told, list } = await open();
    const file = { ...project.file, activities: activitiesUpTo(30) };
    const loads = Array.from({ length: 3 }, () => loadFile(file));
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, () =>
        send({ event: 'photo_added', customer: { source_id: 'shop-1', name: 'Ada L.' }, loyalty: { code: 'ADA' } }),
      ),
      transfer('BOBS-STEPS', 'STEPS', 500),
      transfer('RICH', 'ADA', 70, 'camp_club'),
      adjust(5),
      send({ event: 'visited', customer: { source_id: 'r-1' }, referral: { code: 'FRIEND-ADA' } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    await Promise.all(loads);
    await loadFile(file);
    const seen = await walk({ list, send }, 'limit=7');
    expect(seen).toHaveLength((await list()).body.total);
    const services = seen.filter(({ id }) => !/^act_\d{6}$/.test(id));
    expect(seen.length - services.length).toBe(30);
    expect(
      typesOf(services)
        .filter((type) => type !== 'customer.updated')
        .sort(),
    ).toEqual(
      [
        ...Array(8).fill('customer.custom_event'),
        ...Array(8).fill('customer.voucher.loyalty_card.pending_points.added'),
        'customer.voucher.loyalty_card.pending_points.updated',
        ...[transferred, transferred],
        move('joined'),
        'customer.referred',
      ].sort(),
    );
    expect(typesOf(await told('cust_bob'))).toEqual([transferred, transferred]);
    const byCampaign = { camp_club: 8 + 10, camp_steps: 2, camp_friends: 1, camp_spring: 8 };
    for (const [campaign, total] of Object.entries(byCampaign)) {
      const { body } = await list(`campaign_id=${campaign}&limit=100`);
      expect({ campaign, total: body.total, shown: body.data.length }).toEqual({ campaign, total, shown: total });
    }
  });
});
