import { describe, expect, test } from 'vitest';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { given, many, mug, newWorld } from '../support/auto-redeem.ts';
import { card, ledgerOf, programme } from '../support/loyalty.ts';

describe('a reward that redeems itself', () => {
  test('is redeemed as often as the points suffice, moments after they were credited', async () => {
    const world = await newWorld();
    await world.add('ADA', 29);
    await world.follow();
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([29, null]);
    await world.add('ADA', 71);
    await world.follow();
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([10, 3]);
    const redemptions = await world.redemptions();
    expect(redemptions).toHaveLength(3);
    for (const one of redemptions) {
      expect(one).toMatchObject({
        amount: 30,
        result: 'SUCCESS',
        customer_id: 'cust_ada',
        channel: { channel_id: 'rewa_mug', channel_type: 'AUTO_REDEEM' },
        reward: { id: 'rew_mug', assignment_id: 'rewa_mug' },
      });
    }
    await ledgerOf(world, 'ADA');
  });

  test('is not redeemed again for points that a rollback returns', async () => {
    const world = await newWorld();
    await world.add('ADA', 30);
    await world.follow();
    const [{ id: redemptionId }] = await world.redemptions();
    expect((await world.call(rollBack, { params: { redemptionId } })).status).toBe(200);
    await world.follow();
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([30, 0]);
    await world.add('ADA', 1);
    await world.follow();
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([1, 1]);
  });

  test('never exceeds the points, with many additions and twice as many deliveries at once', async () => {
    const world = await newWorld();
    const points = 13 * many;
    await Promise.all(Array.from({ length: many }, () => world.add('ADA', 13)));
    await world.follow(2);
    const given = Math.floor(points / 30);
    expect([await world.balance('ADA'), await world.redeemed('rew_mug')]).toEqual([points % 30, given]);
    const redeemed = (await world.redemptions()).filter((one: { result: string }) => one.result === 'SUCCESS');
    expect(redeemed).toHaveLength(given);
    await ledgerOf(world, 'ADA');
  });

  test('is given while the stock lasts, and nobody pays for a sold-out one', async () => {
    const world = await newWorld({ rewards: [mug({ stock: 3 }), mug({ id: 'rew_hat' })] });
    await Promise.all([world.add('ADA', 90), world.add('BOB', 90)]);
    await world.follow(4);
    const left = (await world.balance('ADA')) + (await world.balance('BOB'));
    expect([left, await world.redeemed('rew_mug')]).toEqual([90, 3]);
  });

  test('is given 25 times by one credit, and to one member by ten credits of a day', async () => {
    const world = await newWorld();
    await world.add('ADA', 30 * 26);
    await world.follow();
    expect(await world.balance('ADA')).toBe(30);
    for (let run = 0; run < 9; run++) {
      await world.add('ADA', 30);
      await world.follow();
    }
    const balance = await world.balance('ADA');
    await world.add('ADA', 30);
    await world.follow();
    expect(await world.balance('ADA')).toBe(balance + 30);
    await world.add('BOB', 30);
    await world.follow();
    expect(await world.balance('BOB')).toBe(0);
    world.clock.set('2026-06-16T00:00:00.000Z');
    await world.add('ADA', 1);
    await world.follow();
    expect(await world.balance('ADA')).toBeLessThan(30);
  });

  test('ends after ten rounds if programmes give each other points', async () => {
    const points = (id: string, campaign: string) => ({
      id,
      name: id,
      type: 'CAMPAIGN',
      parameters: { campaign: { id: campaign, balance: 10 } },
    });
    const world = await newWorld({
      campaigns: [programme('camp_club'), programme('camp_other')],
      vouchers: [
        card('ADA', 0, { holder_id: 'cust_ada' }),
        card('OTHER', 0, { holder_id: 'cust_ada', campaign_id: 'camp_other' }),
      ],
      rewards: [points('rew_other', 'camp_other'), points('rew_club', 'camp_club')],
      reward_assignments: [given('rewa_1', 'rew_other', 10), given('rewa_2', 'rew_club', 10, 'camp_other')],
    });
    await world.add('ADA', 10);
    expect(await world.follow(3)).toBe(10);
    expect(await world.redemptions()).toHaveLength(10);
    expect([await world.balance('ADA'), await world.balance('OTHER')]).toEqual([10, 0]);
    await ledgerOf(world, 'ADA');
    await ledgerOf(world, 'OTHER');
  });

  test('is not given while the card or the programme cannot be used', async () => {
    const off = await newWorld({ campaigns: [programme('camp_club', { active: false })] });
    await off.add('ADA', 100);
    await off.follow();
    expect([await off.balance('ADA'), await off.redemptions()]).toEqual([100, []]);
  });
});
