import { expect, test } from 'vitest';
import type { Dependencies } from '#kernel/http/composition.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemptions.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { caller, lambdaContext } from '../support/call.ts';
import { clientWith, isTransaction } from '../support/client.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { itemsOf, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

/** Thirty redeemables with several limits each are redeemed and rolled back, though all counters exceed one transaction. */

const ofTier = ['redemption.count.daily', 'redemption.count.weekly', 'redemption.count.per_api_key'];
const ofCustomer = ['redemption.count.per_customer', 'redemption.count.per_customer.daily'];
const five = [...ofTier, ...ofCustomer];
/** For fifteen tiers this number also exceeds a transaction. */
const six = [...five, 'redemption.count.monthly'];
const ofCampaign = ['', '.daily', '.weekly', '.monthly'].flatMap((period) =>
  ['redemptions.count', 'redemptions.customers_count'].map((name) => `campaign.${name}${period}`),
);

/** Makes tiers, each in a separate campaign, and a rule with these limits for each. */
async function opened(names: readonly string[], most: number, tiers = 30) {
  const numbers = Array.from({ length: tiers }, (_, index) => index);
  const conditions = { $less_than_or_equal: [most] };
  const { id, credentials: headers } = await loadProject({
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    stacking_rules: [{ applicable_redeemables_limit: 30, applicable_redeemables_per_category_limit: null }],
    campaigns: numbers.map((index) => ({
      ...{ id: `camp_${index}`, name: `Campaign ${index}`, campaign_type: 'PROMOTION', type: 'STATIC' },
    })),
    promotion_tiers: numbers.map((index) => ({
      ...{ id: `promo_${index}`, name: `Tier ${index}`, campaign_id: `camp_${index}`, active: true, hierarchy: 1 },
      action: { discount: { type: 'AMOUNT', amount_off: 1, effect: 'APPLY_TO_ORDER' } },
    })),
    validation_rules: [
      {
        ...{ id: 'val_1', name: 'Limits' },
        rules: Object.fromEntries(names.map((name, index) => [index + 1, { name, conditions }])),
      },
    ],
    validation_rules_assignments: numbers.map((index) => ({
      ...{ id: `asgm_${index}`, rule_id: 'val_1' },
      ...{ related_object_type: 'promotion_tier', related_object_id: `promo_${index}` },
    })),
  });
  const body = {
    redeemables: numbers.map((index) => ({ object: 'promotion_tier', id: `promo_${index}` })),
    customer: { source_id: 'ada' },
    order: { amount: 100_000 },
  };
  const patient = () => testDependencies({ patienceInMs: 60_000 });
  const slow = lambdaContext();
  return {
    id,
    validate: (more: object = {}) => caller(validateHandler, patient(), slow)({ headers, body: { ...body, ...more } }),
    redeem: (dependencies: Dependencies = patient()) => caller(redeemHandler, dependencies, slow)({ headers, body }),
    rollBack: async (redemptionId: string, dependencies: Dependencies = patient()) =>
      (await caller(rollBackHandler, dependencies, slow)({ headers, params: { redemptionId } })).status,
    /** Returns the different counts of all counters. */
    counts: async () => [...new Set((await itemsOf(id, 'RULE_COUNTER')).map(({ count }) => count))],
  };
}

test('thirty tiers with five limits each are validated, redeemed up to their limits by many at once, and rolled back', async () => {
  const { validate, redeem, rollBack, counts, id } = await opened(five, 2);
  expect((await validate()).body).toMatchObject({ valid: true });
  const replies = await Promise.all([redeem(), redeem(), redeem(), redeem()]);
  const done = replies.filter(({ status }) => status === 200);
  const refused = replies.filter(({ status }) => status !== 200);
  expect([done.length, refused.map(({ body }) => body.key)]).toEqual([
    2,
    ['redemption_rules_violated', 'redemption_rules_violated'],
  ]);
  expect(await counts()).toEqual([2]);
  expect(await itemsOf(id, 'RULE_COUNTER')).toHaveLength(30 * five.length);
  const [first] = done.map(({ body }) => String(body.parent_redemption.id));
  expect([await rollBack(first ?? ''), await counts()]).toEqual([200, [1]]);
  expect([(await redeem()).status, (await redeem()).status, await counts()]).toEqual([200, 400, [2]]);
});

test('a job releases limits if a rollback is interrupted after its transaction', async () => {
  const { redeem, rollBack, counts, id } = await opened(six, 1, 15);
  const { body } = await redeem();
  let transactions = 0;
  const { dynamodb } = testDependencies();
  const dying = clientWith(dynamodb, (command, send) => {
    if (isTransaction(command)) transactions += 1;
    return transactions > 1 ? Promise.reject(new Error('killed')) : send();
  });
  await rollBack(body.parent_redemption.id, testDependencies({ dynamodb: dying })).catch(() => {});
  expect([await counts(), (await openJobs(id)).map(({ kind }) => kind)]).toEqual([[1], ['write-behind']]);
  expect((await redeem()).body.key).toBe('redemption_rules_violated');
  await runOutbox(id);
  expect(await counts()).toEqual([0]);
  expect([(await redeem()).status, await counts()]).toEqual([200, [1]]);
});

test('limits that a dead redemption held return a minute later', async () => {
  const { validate, redeem, counts } = await opened(six, 1, 15);
  await validate();
  const { dynamodb } = testDependencies();
  const dying = clientWith(dynamodb, (command, send) =>
    isTransaction(command) ? Promise.reject(new Error('killed')) : send(),
  );
  expect((await redeem(testDependencies({ dynamodb: dying }))).status).toBe(500);
  expect([await counts(), (await redeem()).body.key]).toEqual([[1], 'redemption_rules_violated']);
  const clock = standingClock();
  clock.advance(61);
  expect([(await redeem(testDependencies({ clock, patienceInMs: 60_000 }))).status, await counts()]).toEqual([
    200,
    [1],
  ]);
});

test('a session beyond one transaction is refused, and told what to send', async () => {
  const { validate } = await opened(five, 2);
  const { status, body } = await validate({ session: { type: 'LOCK', ttl: 1, ttl_unit: 'HOURS' } });
  expect([status, body.key, body.details]).toEqual([
    ...[400, 'invalid_redeemables'],
    'redeemables have more limits in their rules than one session can keep: send fewer of them, or no session',
  ]);
});

test('more than 300 limits are refused by validation and redemption alike, with the change to make', async () => {
  const { validate, redeem } = await opened([...five, ...ofCampaign], 2);
  const words = 'redeemables have 390 limits in their rules, of which a request may have 300: send fewer of them';
  for (const { status, body } of [await validate(), await redeem()]) {
    expect([status, body.key, body.details]).toEqual([400, 'invalid_redeemables', words]);
  }
});
