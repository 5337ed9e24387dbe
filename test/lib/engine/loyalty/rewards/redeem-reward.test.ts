import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Received } from '#engine/checkout/rewards/reward-effects.ts';
import { computePrice } from '#engine/loyalty/reward.ts';
import { isChosen } from '#engine/loyalty/rewards/find-reward.ts';
import { again } from '#kernel/table/conflicts.ts';
import { handler as memberRewards } from '../../../../../functions/loyalties/list-member-rewards.ts';
import { handler as transactions } from '../../../../../functions/loyalties/list-member-transactions.ts';
import { handler as publications } from '../../../../../functions/publications/list-publications.ts';
import { handler as getReward } from '../../../../../functions/rewards/get-reward.ts';
import { handler as getVoucher } from '../../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../../support/call.ts';
import { itemsOf } from '../../../../support/outbox.ts';
import { openRewards, type Rewards } from '../../../../support/rewarding.ts';

let shop: Rewards;
const call = (handler: Parameters<typeof caller>[0], params: Record<string, string>, query = '') =>
  caller(handler)({ params, query, headers: shop.project.credentials });
const voucher = async (code: string) => (await call(getVoucher, { code })).body;
const codeOf = (redeemed: Received | undefined) =>
  v.parse(v.object({ voucher: v.object({ code: v.string() }) }), redeemed?.shown).voucher.code;
const ledger = async (memberId: string) =>
  (await call(transactions, { memberId })).body.data.map(
    ({ type, details }: { type: string; details: { balance: { points: number } } }) => [type, details.balance.points],
  );

describe('a price', () => {
  const of = (points: number) => ({
    id: 'rewa_1',
    reward_id: 'rew_1',
    related_object_id: 'camp_1',
    related_object_type: 'campaign' as const,
    parameters: { loyalty: { points } },
    created_at: '',
    object: 'reward_assignment' as const,
  });

  test.each([
    [100, 1.15, 115],
    [100, 0.333, 34],
    [7, 0.5, 4],
    [10, 0, 0],
    [3, 1.1, 4],
  ])('of %i points is %f times that in a tier, rounded up: %i', (points, multiplier, price) => {
    expect(computePrice({ rewards: { rewa_1: { type: 'MULTIPLY', multiplier } } }, of(points))).toBe(price);
  });

  test("is the assignment's unless the tier has its own", () => {
    expect(computePrice(undefined, of(30))).toBe(30);
    expect(computePrice({ rewards: { rewa_2: { type: 'CUSTOM', points: 1 } } }, of(30))).toBe(30);
    expect(computePrice({ rewards: { rewa_1: { type: 'CUSTOM', points: 12 } } }, of(30))).toBe(12);
  });
});

describe('a reward that is redeemed with a card', () => {
  beforeAll(async () => {
    shop = await openRewards();
  });

  test("has the price of its member's tier", async () => {
    expect(await shop.find('CARD-0', { id: 'rew_mug' })).toMatchObject({
      tierId: 'ltr_high',
      benefit: { kind: 'reward', reward: { points: 45, balance: 1_000 } },
    });
    expect(await shop.find('CARD-0', { id: 'rew_coin', points: 300 })).toMatchObject({
      benefit: { kind: 'points', points: { points: 300, balance: 1_000, exchange_ratio: 20, points_ratio: 100 } },
    });
    expect(await shop.find('CARD-0', { id: 'rew_mug', assignment_id: 'rewa_mug' })).toSatisfy(isChosen);
  });

  test.each([
    [undefined, 'missing_reward'],
    [{}, 'missing_reward'],
    [{ id: 'rew_nope' }, 'not_found'],
    [{ id: 'rew_unassigned' }, 'not_found'],
    [{ id: 'rew_mug', assignment_id: 'rewa_code' }, 'not_found'],
    [{ id: 'rew_own' }, 'invalid_campaign'],
  ])('is refused as %j: %s', async (asked, key) => {
    expect(await shop.find('CARD-0', asked)).toMatchObject({ key });
  });

  test("belongs to the card's holder", async () => {
    expect(await shop.find('NOBODYS', { id: 'rew_mug' })).toMatchObject({ key: 'not_published' });
  });

  test('is among the rewards shown to the member if the points suffice', async () => {
    const ids = async (query: string) =>
      (await call(memberRewards, { memberId: 'CARD-0' }, query)).body.data.map(
        (one: { assignment: { id: string } }) => one.assignment.id,
      );
    expect(await ids('')).toHaveLength(7);
    expect(await ids('affordable_only=true')).toHaveLength(7);
  });
});

describe('a MATERIAL reward', () => {
  beforeAll(async () => {
    shop = await openRewards();
  });

  test('with a stock of five is given to five of twenty callers at once, who alone pay for it', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, member) =>
        shop.redeem(member, 'rew_mug').then(
          (done) => done,
          (error: unknown) => ({ error }),
        ),
      ),
    );
    const got = all.flatMap((one, member) => ('redeemed' in one && one.redeemed ? [{ member, ...one }] : []));
    expect(got).toHaveLength(5);
    for (const one of all) {
      if ('redeemed' in one && one.redeemed) continue;
      const key = 'error' in one ? one.error : 'refusal' in one ? one.refusal : undefined;
      expect(key).toMatchObject({ key: 'reward_stock_exceeded' });
    }
    expect((await call(getReward, { rewardId: 'rew_mug' })).body).toMatchObject({ stock: 5, redeemed: 5 });
    const balances = await Promise.all(all.map((_, member) => shop.balance(`CARD-${member}`)));
    expect(balances.filter((balance) => balance === 955)).toHaveLength(5);
    expect(balances.filter((balance) => balance === 1_000)).toHaveLength(15);
    expect((await call(memberRewards, { memberId: 'CARD-0' }, 'affordable_only=true')).body.total).toBe(6);

    const [first] = got;
    if (!first?.redeemed) throw new Error('nobody got one');
    expect(first.redeemed.shown).toMatchObject({
      id: 'rew_mug',
      object: 'reward',
      assignment_id: 'rewa_mug',
      product: { id: 'prod_mug', name: 'Mug' },
      sku: null,
      voucher: null,
      loyalty_tier_id: 'ltr_high',
      customer: { id: `cust_${first.member}` },
    });
    const pending = await itemsOf(shop.project.id, 'REWARD_REDEMPTION');
    expect(pending.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'PENDING'));

    const { redeemed, redemptionId, member } = first;
    expect(await shop.rollBack(member, redeemed, redemptionId)).toBe(true);
    expect(await ledger(`CARD-${member}`)).toEqual([
      ['POINTS_REFUND', 45],
      ['POINTS_REDEMPTION', -45],
    ]);
    expect(await shop.read(`CARD-${member}`)).toMatchObject({
      credited_points: 1_000,
      lots: expect.arrayContaining([
        { points: 40, expires: '2026-06-20' },
        { points: 960, expires: null },
      ]),
    });
    expect((await call(getReward, { rewardId: 'rew_mug' })).body.redeemed).toBe(4);
    const rolledBack = await itemsOf(shop.project.id, 'REWARD_REDEMPTION');
    expect(rolledBack.filter(({ status }) => status === 'ROLLED_BACK')).toHaveLength(1);
  });

  test('returns its points for their last day if it is rolled back after they had lapsed', async () => {
    shop = await openRewards();
    const { redeemed, redemptionId } = await shop.redeem(7, 'rew_code');
    if (!redeemed) throw new Error('it was not redeemed');
    const later = new Date('2026-07-01T12:00:00Z');
    await shop.rollBack(7, redeemed, redemptionId, later);
    expect((await shop.read('CARD-7')).lots).toContainEqual({ points: 30, expires: '2026-07-01' });
  });
});

describe('a CAMPAIGN reward', () => {
  beforeAll(async () => {
    shop = await openRewards();
  });

  test('of codes publishes one to the member, however often the redemption is carried out', async () => {
    const { redeemed, redemptionId } = await shop.redeem(0, 'rew_code');
    expect(redeemed?.shown.voucher).toMatchObject({ code: 'FREE', campaign: 'Codes', object: 'voucher' });
    expect(await shop.attempt(0, 'rew_code', redemptionId)).toBe(again);
    expect((await voucher('FREE')).holder_id).toBe('cust_0');
    const listed = await call(publications, {}, 'customer=cust_0');
    expect(listed.body.publications).toHaveLength(1);
    expect(await shop.balance('CARD-0')).toBe(970);
    // The next member gets a generated code.
    const other = await shop.redeem(2, 'rew_code');
    const code = codeOf(other.redeemed);
    expect(await voucher(code)).toMatchObject({ campaign_id: 'camp_codes', holder_id: 'cust_2' });

    if (redeemed) await shop.rollBack(0, redeemed, redemptionId);
    expect((await voucher('FREE')).active).toBe(false);
    expect(await shop.balance('CARD-0')).toBe(1_000);
  });

  test('without a code left costs nothing', async () => {
    await expect(shop.redeem(3, 'rew_none')).rejects.toMatchObject({ key: 'no_voucher_suitable_for_publication' });
    expect(await shop.balance('CARD-3')).toBe(1_000);
  });

  test("of credits adds them to the member's gift card once, and takes them back while they are unspent", async () => {
    const { redeemed, redemptionId } = await shop.redeem(1, 'rew_gift');
    expect(await shop.attempt(1, 'rew_gift', redemptionId)).toBe(again);
    expect((await voucher('TIN')).gift).toMatchObject({ amount: 370, balance: 370 });
    expect(await shop.balance('CARD-1')).toBe(800);
    if (redeemed) await shop.rollBack(1, redeemed, redemptionId);
    expect((await voucher('TIN')).gift).toMatchObject({ amount: 70, balance: 70 });
    expect(await shop.balance('CARD-1')).toBe(1_000);
  });

  test('of credits creates a gift card for a member without one, and the next one fills it', async () => {
    const [one, other] = await Promise.all([shop.redeem(4, 'rew_gift'), shop.redeem(4, 'rew_gift')]);
    const codes = [one, other].map(({ redeemed }) => codeOf(redeemed));
    expect(new Set(codes).size).toBe(1);
    expect((await voucher(codes[0] ?? '')).gift).toMatchObject({ amount: 600, balance: 600 });
    expect((await voucher(codes[0] ?? '')).holder_id).toBe('cust_4');
  });

  test('of points lets the member join the other programme, and credits that card from then on', async () => {
    const { redeemed } = await shop.redeem(5, 'rew_points');
    const code = codeOf(redeemed);
    expect(redeemed?.getsCard).toBe(true);
    expect((await voucher(code)).loyalty_card).toMatchObject({ points: 30, balance: 30 });
    const next = await shop.redeem(5, 'rew_points');
    expect((await voucher(code)).loyalty_card).toMatchObject({ points: 55, balance: 55 });
    expect(next.redeemed?.getsCard).toBe(false);
    if (next.redeemed) await shop.rollBack(5, next.redeemed, next.redemptionId);
    expect((await voucher(code)).loyalty_card).toMatchObject({ points: 30, balance: 30 });
    expect(await shop.balance('CARD-5')).toBe(990);
  });
});

test('a COIN reward takes the points and gives only the amount that they pay', async () => {
  shop = await openRewards();
  const { redeemed, redemptionId } = await shop.redeem(0, 'rew_coin');
  expect(redeemed?.shown).toMatchObject({ type: 'COIN', voucher: null, product: null });
  expect(await shop.balance('CARD-0')).toBe(900);
  if (redeemed) await shop.rollBack(0, redeemed, redemptionId);
  expect(await ledger('CARD-0')).toEqual([
    ['POINTS_REFUND', 100],
    ['POINTS_REDEMPTION', -100],
  ]);
});
