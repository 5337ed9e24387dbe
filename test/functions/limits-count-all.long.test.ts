import { describe, expect, test } from 'vitest';
import { createCounterOpener } from '#engine/checkout/redemptions/open-counters.ts';
import { redemptions } from '#engine/checkout/redemptions/redemption.ts';
import { readAsked } from '#engine/checkout/request/checkout-body.ts';
import { gather } from '#engine/checkout/request/gather.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as assignHandler } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as unassignHandler } from '../../functions/validation-rules/delete-validation-rule-assignment.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { testTime } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { validationRule } from '../support/lists.ts';
import { mortal } from '../support/mortal.ts';
import { cart, coupon, shop, vouchers } from '../support/redeeming.ts';
import { isLong } from '../support/sampled.ts';

/** A limit counts all redemptions that were not rolled back, at any time and under any rule. */

const rule = (id: string, name: string, most: number) =>
  validationRule(id, `${id} ${name}`, { name, conditions: { $less_than_or_equal: [most] } });

const open = { redemption: { quantity: null, redeemed_quantity: 0 } };

async function running(...rules: ReturnType<typeof rule>[]) {
  const of = (code: string) => coupon(code, { campaign_id: 'camp_1', ...open });
  const opened = await shop({
    campaigns: [
      { id: 'camp_1', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
      { id: 'camp_2', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
    ],
    promotion_tiers: ['promo_1', 'promo_2'].map((id, hierarchy) => ({
      ...{ id, name: id, campaign_id: 'camp_2', hierarchy: hierarchy + 1 },
      action: { discount: { type: 'AMOUNT', amount_off: 10, effect: 'APPLY_TO_ORDER' } },
    })),
    vouchers: [of('A'), of('B'), coupon('ALONE', open)],
    validation_rules: rules,
  });
  const { headers } = opened;
  const redeem = async (code: string, more: Record<string, unknown> = {}) => {
    const { status, body } = await opened.redeem({ redeemables: vouchers(code), order: cart(1), ...more });
    return { outcome: status === 200 ? 'done' : String(body.key), id: String(body.redemptions?.[0]?.id) };
  };
  return {
    ...opened,
    redeem,
    redeemBoth: async () => {
      const { body } = await opened.redeem({ redeemables: vouchers('A', 'B'), order: cart(1) });
      return body.redemptions.map((one: { id: string }) => one.id) as string[];
    },
    by: async (source_id: string, code: string) => (await redeem(code, { customer: { source_id } })).outcome,
    times: async (count: number, code: string) => {
      const all = await Promise.all(Array.from({ length: count }, () => redeem(code)));
      return all.filter(({ outcome }) => outcome === 'done').length;
    },
    tiers: async (...ids: string[]) => {
      const redeemables = ids.map((id) => ({ object: 'promotion_tier', id }));
      const { status, body } = await opened.redeem({ redeemables, order: cart(1) });
      return status === 200 ? 'done' : body.key;
    },
    assign: async (ruleId: string, type: string, id: string) => {
      const body = { related_object_type: type, related_object_id: id };
      const reply = await caller(assignHandler)({ headers, params: { validationRuleId: ruleId }, body });
      expect(reply.status).toBe(200);
      return String(reply.body.id);
    },
    unassign: async (ruleId: string, assignmentId: string) => {
      const params = { validationRuleId: ruleId, assignmentId };
      expect((await caller(unassignHandler)({ headers, params })).status).toBe(204);
    },
    rollBack: async (redemptionId: string) =>
      (await caller(rollBackHandler)({ headers, params: { redemptionId } })).status,
  };
}

const refused = 'redemption_rules_violated';

describe('a limit of a running campaign', () => {
  test('counts the earlier redemptions of all codes, and twenty callers at once reach it exactly', async () => {
    const { assign, times, redeem, rollBack } = await running(rule('val_1', 'campaign.redemptions.count', 9));
    const first = await redeem('A');
    expect([await times(3, 'A'), await times(2, 'B')]).toEqual([3, 2]);
    const second = await redeem('B');
    expect(await rollBack(second.id)).toBe(200);
    await assign('val_1', 'campaign', 'camp_1');
    const done = await Promise.all([times(10, 'A'), times(10, 'B')]);
    expect(done[0] + done[1]).toBe(9 - 6);
    expect((await redeem('A')).outcome).toBe(refused);
    expect(await rollBack(first.id)).toBe(200);
    expect(await times(5, 'B')).toBe(1);
  });

  test('counts all codes, whichever code has the rule', async () => {
    const { assign, redeem, times } = await running(rule('val_1', 'campaign.redemptions.count', 4));
    expect(await times(2, 'B')).toBe(2);
    await assign('val_1', 'voucher', 'A');
    expect((await redeem('A')).outcome).toBe('done');
    expect(await times(6, 'B')).toBe(6);
    expect((await redeem('A')).outcome).toBe(refused);
    expect((await redeem('B')).outcome).toBe('done');
  });

  test('counts redemptions from the time without a rule', async () => {
    const { assign, unassign, redeem, times } = await running(rule('val_1', 'campaign.redemptions.count', 5));
    const id = await assign('val_1', 'campaign', 'camp_1');
    expect(await times(2, 'A')).toBe(2);
    await unassign('val_1', id);
    expect(await times(3, 'B')).toBe(3);
    await assign('val_1', 'campaign', 'camp_1');
    expect((await redeem('A')).outcome).toBe(refused);
  });

  test('counts each tier separately, and all tiers of a request', async () => {
    const { assign, tiers } = await running(rule('val_1', 'campaign.redemptions.count', 5));
    expect(await tiers('promo_1', 'promo_2')).toBe('done');
    await assign('val_1', 'promotion_tier', 'promo_1');
    expect(await tiers('promo_1')).toBe('done');
    expect(await tiers('promo_2')).toBe('done');
    expect(await tiers('promo_2', 'promo_1')).toBe(refused);
    expect(await tiers('promo_1')).toBe('done');
    expect(await tiers('promo_1')).toBe(refused);
    expect(await tiers('promo_2')).toBe('done');
  });

  test('counts the amounts of earlier orders, and their discounts', async () => {
    const { assign, redeem, times } = await running(
      rule('val_1', 'campaign.orders.amount', 2_000),
      rule('val_2', 'campaign.orders.amount_discounted', 200),
    );
    expect(await times(2, 'A')).toBe(2);
    await assign('val_1', 'voucher', 'B');
    expect([(await redeem('B')).outcome, (await redeem('B')).outcome, (await redeem('B')).outcome]).toEqual([
      ...['done', 'done', refused],
    ]);
    await assign('val_2', 'campaign', 'camp_1');
    expect((await redeem('A')).outcome).toBe(refused);
  });
});

test('a count that is interrupted anywhere is continued, and counts each redemption once', async () => {
  const { headers, assign, times } = await running(rule('val_1', 'campaign.redemptions.count', 75));
  for (let wave = 0; wave < 3; wave++) expect(await times(24, wave === 1 ? 'A' : 'B')).toBe(24);
  await assign('val_1', 'campaign', 'camp_1');
  const body = { redeemables: vouchers('A'), order: cart(1) };
  for (let call = 4; call < 30; call += isLong ? 1 : 3) {
    const validate = caller(validateHandler, mortal(call, call % 2 === 0));
    await Promise.all([validate({ headers, body }), validate({ headers, body })]);
  }
  expect(await times(10, 'A')).toBe(3);
});

/** Returns the campaign as a checkout of the code sees it, without the code itself. */
async function looking(projectId: string) {
  const table = tableOfFile();
  const project = await findProject(table, projectId);
  if (!project) throw new Error('the project was not loaded');
  const nobody = { customer: undefined, order: undefined, session: undefined, tracking_id: undefined };
  const redeemables = [{ object: 'voucher' as const, id: 'A', gift: undefined, reward: undefined }];
  const asked = readAsked({ ...nobody, metadata: undefined, redeemables });
  const at = (seconds: number) => ({ table, project, now: new Date(testTime.getTime() + seconds * 1_000) });
  const name = 'campaign.redemptions.count';
  return {
    table,
    /** The state before this request counted. */
    count: async (seconds = 0) => {
      const gathered = await gather(at(seconds), asked);
      await createCounterOpener()(at(seconds), gathered);
      return gathered.redeemables[0]?.campaign?.counted_limits?.[name]?.state;
    },
    counted: async () => (await gather(at(0), asked)).facts.counts[0]?.[name],
  };
}

test('redemptions of one request count together, once all of their records are written', async () => {
  const { id, redeemBoth, assign } = await running(rule('val_1', 'campaign.redemptions.count', 150));
  const [first = ''] = await redeemBoth();
  const { count, counted, table } = await looking(id);
  const key = redemptions(id, first);
  const [record = {}] = await table.getMany([key]);
  await table.remove(key, { condition: '#s = :s', names: { '#s': 'status' }, values: { ':s': 'SUCCEEDED' } });
  await assign('val_1', 'campaign', 'camp_1');
  for (let request = 0; request < 3; request++) await count();
  expect(await counted()).toBe(0);
  await table.insert(key, record);
  await count(60);
  expect([await counted(), await count(61)]).toEqual([2, 'DONE']);
});

describe('a limit per customer', () => {
  test("counts the customer's earlier redemptions of a campaign", async () => {
    const { assign, by } = await running(rule('val_1', 'campaign.redemptions.customers_count', 2));
    await Promise.all([by('ada', 'A'), by('ada', 'B'), by('eve', 'A')]);
    await assign('val_1', 'campaign', 'camp_1');
    expect([await by('ada', 'A'), await by('eve', 'B'), await by('eve', 'A'), await by('new', 'A')]).toEqual([
      ...[refused, 'done', refused, 'done'],
    ]);
  });

  test.each(['ALONE', 'A'])("counts the customer's earlier redemptions of the code %s, not of others", async (code) => {
    const { assign, by } = await running(rule('val_1', 'redemption.count.per_customer', 2));
    for (const one of [code, code, 'B']) expect(await by('ada', one)).toBe('done');
    expect([await by('eve', code), await by('eve', 'B'), await by('eve', 'B')]).toEqual(['done', 'done', 'done']);
    await assign('val_1', 'voucher', code);
    expect([await by('ada', code), await by('eve', code), await by('eve', code)]).toEqual([refused, 'done', refused]);
    expect(await by('ada', 'B')).toBe('done');
  });

  test("counts by the day: today's redemptions", async () => {
    const { assign, by } = await running(rule('val_1', 'redemption.count.per_customer.daily', 1));
    expect(await by('ada', 'ALONE')).toBe('done');
    await assign('val_1', 'voucher', 'ALONE');
    expect([await by('ada', 'ALONE'), await by('eve', 'ALONE')]).toEqual([refused, 'done']);
  });
});
