import { beforeAll, describe, expect, test } from 'vitest';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as getReward } from '../../functions/rewards/get-reward.ts';
import { handler as assignRule } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as deleteVoucher } from '../../functions/vouchers/delete-voucher.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { isWriting, observed } from '../support/commands.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { openRewards, type Rewards } from '../support/rewarding.ts';

let shop: Rewards;
const call = (handler: Parameters<typeof caller>[0], request: object) =>
  caller(handler)({ ...request, headers: shop.project.credentials });
const card = (member: number, reward: object) => ({ object: 'voucher', id: `CARD-${member}`, reward });
const redeem = (member: number, reward: object, more: object = {}) =>
  call(redeemHandler, { body: { redeemables: [card(member, reward)], customer: { id: `cust_${member}` }, ...more } });
const validate = (member: number, reward: object, more: object = {}) =>
  call(validateHandler, { body: { redeemables: [card(member, reward)], customer: { id: `cust_${member}` }, ...more } });
const voucher = async (code: string) => (await call(getVoucher, { params: { code } })).body;
const order = (amount: number) => ({ order: { amount } });

beforeAll(async () => {
  shop = await openRewards();
});

describe('a loyalty card', () => {
  test('is redeemed for a product, at the price of the tier, and rolled back', async () => {
    const { status, body } = await redeem(0, { id: 'rew_mug' });
    expect(status).toBe(200);
    const [redemption] = body.redemptions;
    expect(redemption).toMatchObject({
      amount: 45,
      loyalty_card: { points: 45 },
      reward: { id: 'rew_mug', assignment_id: 'rewa_mug', product: { id: 'prod_mug' }, loyalty_tier_id: 'ltr_high' },
      voucher: { redemption: { redeemed_quantity: 1, redeemed_points: 45 } },
    });
    expect(await shop.balance('CARD-0')).toBe(955);
    expect((await call(getReward, { params: { rewardId: 'rew_mug' } })).body.redeemed).toBe(1);
    const back = await call(rollBackHandler, { params: { redemptionId: redemption.id } });
    expect([back.status, back.body.loyalty_card]).toEqual([200, { points: -45 }]);
    expect((await voucher('CARD-0')).loyalty_card).toMatchObject({ points: 1_000, balance: 1_000 });
    expect((await voucher('CARD-0')).redemption).toMatchObject({ redeemed_quantity: 0, redeemed_points: 0 });
    expect((await call(getReward, { params: { rewardId: 'rew_mug' } })).body.redeemed).toBe(0);
  });

  test('loses its rewards when its redemption is rolled back, also after its deletion', async () => {
    const own = await openRewards();
    const { credentials: headers } = own.project;
    const send = (handler: Parameters<typeof caller>[0], request: object) => caller(handler)({ ...request, headers });
    const ids = ['rew_mug', 'rew_code'];
    const bought = await Promise.all(
      ids.map(async (id, index) => {
        const body = { redeemables: [card(index, { id })], customer: { id: `cust_${index}` } };
        const [redemption] = (await send(redeemHandler, { body })).body.redemptions;
        const gone = await send(deleteVoucher, { params: { code: `CARD-${index}` }, query: 'force=true' });
        expect(gone.status).toBe(204);
        return redemption;
      }),
    );
    for (const { id } of bought) {
      const back = await send(rollBackHandler, { params: { redemptionId: id } });
      expect([back.status, back.body.details]).toEqual([200, undefined]);
    }
    expect((await send(getReward, { params: { rewardId: 'rew_mug' } })).body.redeemed).toBe(0);
    const { code } = bought[1].reward.voucher;
    expect((await send(getVoucher, { params: { code } })).body.active).toBe(false);
  });

  test("with the code of a deleted one stays unchanged when the old one's redemption is rolled back", async () => {
    const own = await openRewards();
    const later = testDependencies({ clock: () => new Date(testTime.getTime() + 60_000) });
    const send = (handler: Parameters<typeof caller>[0], request: object) =>
      caller(handler, later)({ ...request, headers: own.project.credentials });
    const body = { redeemables: [card(0, { id: 'rew_code' })], customer: { id: 'cust_0' } };
    const [redemption] = (await caller(redeemHandler)({ headers: own.project.credentials, body })).body.redemptions;
    const params = { code: redemption.reward.voucher.code };
    expect((await send(deleteVoucher, { params, query: 'force=true' })).status).toBe(204);
    const discount = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
    const { body: made } = await send(createVoucher, { params, body: { type: 'DISCOUNT_VOUCHER', discount } });
    const back = await send(rollBackHandler, { params: { redemptionId: redemption.id } });
    expect([back.status, back.body.details]).toEqual([200, undefined]);
    expect((await send(getVoucher, { params })).body).toEqual(made);
  });

  test('pays an order with points, in whole blocks of the ratio, as many as it needs', async () => {
    const asked = { id: 'rew_coin' };
    const checked = await validate(1, asked, order(15_000));
    expect(checked.body).toMatchObject({
      valid: true,
      redeemables: [{ result: { loyalty_card: { points: 800 } } }],
      order: { amount: 15_000, total_discount_amount: 15_000, total_amount: 0 },
    });
    const { body } = await redeem(1, asked, order(15_000));
    expect(body.redemptions[0]).toMatchObject({ amount: 800, reward: { id: 'rew_coin', voucher: null } });
    expect(body.order).toMatchObject({ total_discount_amount: 15_000, total_amount: 0 });
    expect(await shop.balance('CARD-1')).toBe(200);
    const part = await redeem(1, { id: 'rew_coin', points: 100 }, order(45_000));
    expect(part.body.order).toMatchObject({ total_discount_amount: 2_000, total_amount: 43_000 });
    expect((await redeem(1, { id: 'rew_coin', points: 200 }, order(45_000))).body.key).toBe(
      'loyalty_card_points_exceeded',
    );
  });

  test('is redeemed for a code, credits and points, each given once', async () => {
    /** Returns the card in the form of the `GET` reply. */
    const isWhole = async ({ body }: Awaited<ReturnType<typeof redeem>>) => {
      const { voucher: shown } = body.redemptions[0].reward;
      expect(shown).toEqual(await voucher(shown.code));
    };
    const coded = await redeem(2, { id: 'rew_code' });
    await isWhole(coded);
    const { code } = coded.body.redemptions[0].reward.voucher;
    expect(await voucher(code)).toMatchObject({ holder_id: 'cust_2', campaign_id: 'camp_codes' });
    const credited = await redeem(2, { id: 'rew_gift' });
    await isWhole(credited);
    const gift = credited.body.redemptions[0].reward.voucher.code;
    await isWhole(await redeem(2, { id: 'rew_gift' }, order(500)));
    expect((await voucher(gift)).gift).toMatchObject({ amount: 600, balance: 600 });
    const joined = await redeem(2, { id: 'rew_points' }, { customer: undefined });
    await isWhole(joined);
    const other = joined.body.redemptions[0].reward.voucher.code;
    await isWhole(await redeem(2, { id: 'rew_points' }));
    expect((await voucher(other)).loyalty_card).toMatchObject({ balance: 55 });
    expect(await shop.balance('CARD-2')).toBe(1_000 - 30 - 200 - 200 - 10 - 10);
  });

  test("pays with points for the part that the reward's rule accepts", async () => {
    shop = await openRewards();
    const body = { related_object_type: 'reward_assignment', related_object_id: 'rewa_coin' };
    expect((await call(assignRule, { params: { validationRuleId: 'val_big' }, body })).status).toBe(200);
    expect((await redeem(3, { id: 'rew_coin' }, order(9_000))).body.key).toBe('order_rules_violated');
    expect((await redeem(3, { id: 'rew_coin' }, order(11_000))).body.redemptions[0].amount).toBe(600);
  });

  test('is not redeemed for two rewards that go onto one card, or for one that goes onto another paying card', async () => {
    shop = await openRewards();
    const redeemables = [card(1, { id: 'rew_gift' }), { object: 'voucher', id: 'TIN' }];
    const { body } = await call(redeemHandler, { body: { redeemables, customer: { id: 'cust_1' }, ...order(500) } });
    expect(body).toMatchObject({ code: 400, key: 'invalid_redeemables' });
    expect(await shop.balance('CARD-1')).toBe(1_000);
  });

  test("is redeemed only by its holder, for its programme's rewards", async () => {
    const bought = await redeem(2, { id: 'rew_mug' }, { customer: { id: 'cust_4' } });
    expect(bought.body).toMatchObject({ code: 400, key: 'invalid_customer' });
    const unknown = await redeem(2, { id: 'rew_mug' }, { customer: { source_id: 'somebody new' } });
    expect(unknown.body).toMatchObject({ code: 400, key: 'invalid_customer' });
    expect((await redeem(2, {})).body).toMatchObject({ code: 400, key: 'missing_reward' });
    const refused = await redeem(2, { id: 'rew_unassigned' });
    expect(refused.body).toMatchObject({ code: 404, resource_type: 'redemption', redeemable_id: 'CARD-2' });
    const [kept] = (await call(listRedemptions, { query: 'result=FAILURE&limit=1' })).body.redemptions;
    expect(kept).toMatchObject({
      id: refused.body.resource_id,
      failure_code: 'not_found',
      voucher: { code: 'CARD-2' },
    });
    const said = await validate(2, { id: 'rew_unassigned' });
    expect(said.body).toMatchObject({
      valid: false,
      redeemables: [{ result: { error: { resource_id: 'rew_unassigned', resource_type: 'reward' } } }],
    });
    expect(await shop.balance('CARD-2')).toBe(1_000);
    shop = await openRewards();
  });

  test('stores a failed redemption if no code is left, or the stock was just used up', async () => {
    shop = await openRewards();
    const refused = async (query: string) => (await call(listRedemptions, { query })).body.redemptions;
    const { body } = await redeem(1, { id: 'rew_none' });
    expect(body).toMatchObject({ code: 400, key: 'no_voucher_suitable_for_publication', redeemable_id: 'CARD-1' });
    expect(await refused('result=FAILURE')).toMatchObject([
      { id: body.resource_id, failure_code: body.key, customer_id: 'cust_1', voucher: { code: 'CARD-1' } },
    ]);
    const all = await Promise.all(Array.from({ length: 7 }, (_, index) => redeem(index + 2, { id: 'rew_mug' })));
    const late = all.filter(({ status }) => status === 400);
    expect(late.map(({ body: { key } }) => key)).toEqual(['reward_stock_exceeded', 'reward_stock_exceeded']);
    const kept = (await refused('result=FAILURE')).map(({ id }: { id: string }) => id);
    expect(new Set(kept)).toEqual(
      new Set([body, ...late.map((one) => one.body)].map(({ resource_id }) => resource_id)),
    );
    expect(await shop.balance('CARD-1')).toBe(1_000);
  });

  test('is left out if it gets nothing and others are redeemed', async () => {
    shop = await openRewards({ stacking_rules: [{ id: 'stk_1', redeemables_application_mode: 'PARTIAL' }] });
    const redeemables = [card(1, { id: 'rew_none' }), { object: 'voucher', id: 'FREE' }];
    const { status, body } = await call(redeemHandler, {
      body: { redeemables, customer: { id: 'cust_1' }, ...order(500) },
    });
    expect([status, body]).toMatchObject([
      200,
      {
        redemptions: [{ voucher: { code: 'FREE' } }],
        inapplicable_redeemables: [{ id: 'CARD-1', result: { error: { key: 'no_voucher_suitable_for_publication' } } }],
      },
    ]);
    expect(await shop.balance('CARD-1')).toBe(1_000);
    shop = await openRewards();
  });

  test('releases its holds after an unforeseen failure, before anybody waits for them', async () => {
    const few = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 }, redemption: { quantity: 12 } };
    await call(createVoucher, { params: { code: 'FEW' }, body: few });
    const both = { redeemables: [card(1, { id: 'rew_mug' }), { object: 'voucher', id: 'FEW' }], ...order(100) };
    let isHeld = false;
    const dynamodb = observed(testDependencies().dynamodb, {
      before: ({ name, input }) => {
        if (isWriting(name)) isHeld = true;
        else if (isHeld && JSON.stringify(input).includes('PRODUCT#prod_mug'))
          throw new TypeError('nobody has foreseen this');
      },
    });
    const { credentials: headers } = shop.project;
    const failing = caller(redeemHandler, testDependencies({ dynamodb }));
    expect([(await failing({ headers, body: both })).status, isHeld]).toEqual([500, true]);
    expect((await voucher('FEW')).redemption.redeemed_quantity).toBe(0);
  });

  test('with a stock of five gives five of sixteen', async () => {
    const replies = await Promise.all(Array.from({ length: 16 }, (_, index) => redeem(index + 4, { id: 'rew_mug' })));
    const keys = replies.map(({ status, body }) => (status === 200 ? 'done' : body.key));
    expect(keys.filter((key) => key === 'done')).toHaveLength(5);
    expect(new Set(keys)).toEqual(new Set(['done', 'reward_stock_exceeded']));
    expect((await call(getReward, { params: { rewardId: 'rew_mug' } })).body.redeemed).toBe(5);
  });
});
