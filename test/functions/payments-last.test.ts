import { describe, expect, test } from 'vitest';
import { handler as getRedemption } from '../../functions/redemptions/get-redemption.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import demo from '../../infra/local/demo-project.json' with { type: 'json' };
import { caller } from '../support/call.ts';
import { exported } from '../support/exported.ts';
import { loadProject } from '../support/project.ts';
import { rulesOf } from '../support/stacking-rules.ts';

const lists = {
  campaigns: [
    {
      ...{ id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'AUTO_UPDATE' },
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
    },
  ],
  customers: [{ id: 'cust_ada', source_id: 'ada' }],
  rewards: [{ id: 'rew_pay', name: 'Pay', type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 1 } } }],
  reward_assignments: [
    { id: 'rewa_1', reward_id: 'rew_pay', related_object_id: 'camp_club', related_object_type: 'campaign' },
  ],
  vouchers: [
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 10000 } },
    { code: 'TENTH', type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    { code: 'FIVE', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } },
    { code: 'ZERO', type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 0 } },
    {
      code: 'CARD',
      type: 'LOYALTY_CARD',
      campaign_id: 'camp_club',
      holder_id: 'cust_ada',
      loyalty_card: { points: 50, balance: 50 },
    },
  ],
};

const open = (payments_application?: string) =>
  loadProject({
    ...lists,
    ...(payments_application ? { stacking_rules: [{ id: 'stk_1', payments_application }] } : {}),
  });

const vouchers = (...ids: string[]) => ids.map((id) => ({ object: 'voucher', id }));

async function redeem(
  { credentials: headers }: { credentials: Record<string, string> },
  redeemables: object[],
  amount = 10000,
) {
  const body = { redeemables, order: { amount }, customer: { id: 'cust_ada' } };
  const { body: valid } = await caller(validateRedeemables)({ headers, body });
  const { status, body: done } = await caller(redeemRedeemables)({ headers, body });
  expect([done.details, status]).toEqual([undefined, 200]);
  return { valid, done };
}

const credits = ({ done }: Awaited<ReturnType<typeof redeem>>) =>
  done.redemptions.find(({ gift }: { gift?: object }) => gift).gift.amount;

describe('with payments_application LAST', () => {
  test('a gift card pays what the discounts leave, wherever it was sent', async () => {
    for (const order of [
      ['GIFT', 'TENTH', 'FIVE'],
      ['TENTH', 'GIFT', 'FIVE'],
      ['TENTH', 'FIVE', 'GIFT'],
    ]) {
      const done = await redeem(await open('LAST'), vouchers(...order));
      expect([order, credits(done)]).toEqual([order, 8500]);
      expect(done.done.order).toMatchObject({ total_discount_amount: 10000, total_amount: 0 });
    }
  });

  test('points pay after a discount, too', async () => {
    const points = { object: 'voucher', id: 'CARD', reward: { id: 'rew_pay', points: 50 } };
    const { done } = await redeem(await open('LAST'), [points, ...vouchers('TENTH')], 5000);
    // 10 % are taken off 50.00, and 45 of the 50 points pay the other 45.00.
    expect(done.redemptions.map(({ amount = null }) => amount)).toEqual([null, 45]);
  });

  test('an export and a load keep the rule', async () => {
    const { id } = await open('LAST');
    expect((await exported(id)).stacking_rules).toMatchObject([{ payments_application: 'LAST' }]);
  });
});

describe('with payments_application REQUESTED, which is the default', () => {
  test.each([undefined, 'REQUESTED'])('a gift card that was sent first pays first: %s', async (rule) => {
    const project = await open(rule);
    const done = await redeem(project, vouchers('GIFT', 'TENTH'));
    expect(credits(done)).toBe(10000);
    expect((await rulesOf(project).list()).body.data).toMatchObject([{ payments_application: 'REQUESTED' }]);
  });

  test('a coupon that took nothing because of that says so in its result', async () => {
    const project = await open();
    const { valid, done } = await redeem(project, vouchers('GIFT', 'TENTH', 'ZERO'));
    const details = {
      key: 'paid_before',
      message: 'The discount took nothing, because credits or points were applied before it',
    };
    expect(valid.redeemables.map(({ result }: { result: { details?: object } }) => result.details)).toEqual([
      undefined,
      details,
      // This coupon gives no discount on any order.
      undefined,
    ]);
    const shown = done.redemptions.map(({ result_details }: Record<string, unknown>) => result_details);
    expect(shown).toEqual([undefined, details, undefined]);
    const read = await caller(getRedemption)({
      headers: project.credentials,
      params: { redemptionId: done.redemptions[1].id },
    });
    expect(read.body.result_details).toEqual(details);
  });

  test('a coupon before the gift card, and one that the card leaves something, say nothing', async () => {
    const { done } = await redeem(await open(), vouchers('GIFT', 'TENTH'), 20000);
    expect(done.redemptions.filter(({ result_details }: Record<string, unknown>) => result_details)).toEqual([]);
  });
});

test('the demo has LAST', () => {
  expect(demo.stacking_rules).toMatchObject([{ payments_application: 'LAST' }]);
});

test('any other value is refused', async () => {
  const { status, body } = await rulesOf(await open()).create({ payments_application: 'FIRST' });
  expect([status, body.key]).toEqual([400, 'invalid_payload']);
  expect(body.details).toContain('payments_application');
});
