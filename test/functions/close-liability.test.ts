import { describe, expect, test } from 'vitest';
import { handler as redeemReward } from '../../functions/loyalties/redeem-member-reward.ts';
import { handler as estimatesHandler } from '../../functions/reports/list-liability-estimates.ts';
import { caller } from '../support/call.ts';
import { advance, closing, listCloses, openClosing } from '../support/closes.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { assignedReward } from '../support/lists.ts';
import { card, newClub, programme } from '../support/loyalty.ts';

describe('the liability', () => {
  test('defers the part of sales that the points are worth', async () => {
    const club = await openClosing('2026-06-10T12:00:00Z', { A: 10_000 }, { created_at: '2026-06-10T00:00:00.000Z' });
    const desk = closing(club);
    const first = await desk.estimate({ rounding_amount: 1_000 });
    expect(first.status).toBe(200);
    advance(club, '2026-07-10T12:00:00Z');
    const { months } = await desk.close({ sales: [{ month: '2026-06', amount: 100_000 }] });
    expect(months[0]?.liability).toEqual({
      ...{ estimate_id: first.body.id, opening: 0, deferred: 9_000, redeemed: 0, caught_up: 0, closing: 9_000 },
    });
    const [{ id }] = (await listCloses(club, '')).closes;
    expect(await desk.journal(id)).toEqual([
      'Date,Account,Debit,Credit,Text,Campaign ID,Close ID',
      `2026-06-30,revenue_from_sales,90,,Part of sales deferred for points,camp_club,${id}`,
      `2026-06-30,contract_liability,,90,Part of sales deferred for points,camp_club,${id}`,
    ]);
  });

  test('becomes revenue by redemptions, and a new estimate moves the revenue of earlier ones', async () => {
    const clock = standingClock(new Date('2026-06-10T12:00:00Z'));
    const club = await newClub(
      {
        customers: [{ id: 'cust_A' }],
        vouchers: [card('A', 10_000, { created_at: '2026-06-10T00:00:00.000Z', holder_id: 'cust_A' })],
        campaigns: [programme('camp_club')],
        rewards: [{ id: 'rew_bag', name: 'Bag', type: 'MATERIAL', parameters: { product: { id: 'prod_bag' } } }],
        products: [{ id: 'prod_bag', name: 'Bag' }],
        reward_assignments: [assignedReward('rewa_bag', 'rew_bag', 4_500)],
      },
      testDependencies({ clock }),
    );
    const desk = closing(club);
    await desk.estimate({ rounding_amount: 1_000 });
    const params = { memberId: 'A' };
    const body = { reward: { id: 'rew_bag' } };
    const redeem = () => caller(redeemReward, club.dependencies)({ params, headers: club.project.credentials, body });
    expect((await redeem()).status).toBe(200);
    advance(club, '2026-07-10T12:00:00Z');
    const sales = [{ month: '2026-06', amount: 100_000 }];
    const june = await desk.close({ sales });
    expect(june.months[0]?.liability).toMatchObject({ deferred: 9_000, redeemed: 4_175, closing: 4_825 });
    // A new estimate without a redemption moves 9,000 × 4,500 / 9,000 - 4,175.
    await desk.estimate({ valid_from: '2026-07-01', expected_per_10000: 9_000, rounding_amount: 1_000 });
    advance(club, '2026-08-10T12:00:00Z');
    const july = await desk.close();
    expect(july.months[0]?.liability).toMatchObject({ redeemed: 0, caught_up: 325, closing: 4_500 });
    expect((await desk.journal(july.id)).slice(1)).toEqual([
      expect.stringMatching(/^2026-07-31,contract_liability,3\.25,,/),
      expect.stringMatching(/^2026-07-31,revenue_from_points,,3\.25,/),
    ]);
    // Members are expected to redeem more after all, so revenue is taken back.
    await desk.estimate({ valid_from: '2026-08-01', expected_per_10000: 10_000, rounding_amount: 1_000 });
    advance(club, '2026-09-10T12:00:00Z');
    const august = await desk.close();
    expect(august.months[0]?.liability).toMatchObject({ caught_up: -450, closing: 4_950 });
    expect((await desk.journal(august.id)).slice(1)).toEqual([
      expect.stringMatching(/^2026-08-31,revenue_from_points,4\.50,,/),
      expect.stringMatching(/^2026-08-31,contract_liability,,4\.50,/),
    ]);
  });

  test('of the first close is the amount in the books, or the value of the points by the estimate', async () => {
    const club = await openClosing('2026-06-10T12:00:00Z', { A: 1_000 });
    const desk = closing(club);
    await desk.estimate({});
    const valued = await desk.close();
    expect(valued.months[0]?.liability).toMatchObject({ opening: 970, closing: 970 });
    await desk.remove(valued.id);
    const booked = await desk.close({ opening_amount: 1_234 });
    expect(booked.months[0]?.liability).toMatchObject({ opening: 1_234, closing: 1_234 });
    expect((await desk.start({ opening_amount: 1, at: '2026-06-05T00:00:00Z' })).body).toMatchObject({
      key: 'invalid_payload',
      details: expect.stringContaining('opening_amount must be absent'),
    });
  });

  test('uses the last estimate of those that are valid, and estimates are listed with their authors', async () => {
    const club = await openClosing('2026-06-10T12:00:00Z', { A: 1_000 });
    const desk = closing(club);
    for (const [valid_from, expected_per_10000] of [
      ['2026-05-31', 5_000],
      ['2026-05-01', 9_000],
      ['2026-06-01', 1_000],
    ] as const) {
      await desk.estimate({ valid_from, expected_per_10000, author: `Author of ${expected_per_10000}` });
    }
    expect((await desk.close()).months[0]?.liability).toMatchObject({ opening: 500 });
    const request = { headers: club.project.credentials, query: 'limit=2&campaign_id=camp_club' };
    const { body } = await caller(estimatesHandler, club.dependencies)(request);
    expect([body.total, body.data.map(({ author }: { author: string }) => author)]).toEqual([
      3,
      ['Author of 1000', 'Author of 9000'],
    ]);
    const other = { headers: club.project.credentials, query: 'campaign_id=camp_other' };
    expect((await caller(estimatesHandler, club.dependencies)(other)).body.total).toBe(0);
  });
});
