import { expect, test } from 'vitest';
import { createCounterOpener } from '#engine/checkout/redemptions/open-counters.ts';
import { readAsked } from '#engine/checkout/request/checkout-body.ts';
import { gather } from '#engine/checkout/request/gather.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { handler as validateForPage } from '../../functions/client/validate-promotions-from-page.ts';
import { handler as validateTier } from '../../functions/promotions/validate-promotion-tier.ts';
import { handler as validateAll } from '../../functions/promotions/validate-promotions.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as assignHandler } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { caller } from '../support/call.ts';
import { clientWith } from '../support/client.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { onPage, withPages } from '../support/pages.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';

/** Validations of promotions meet limits as redemptions do, at any time of the earlier redemptions. */

const limit = 'campaign.redemptions.count';

/** Makes a shop with a tier in each of several campaigns, each redeemed twice. Then each campaign gets this limit. */
async function running(most: number, { campaigns = 1 } = {}) {
  const numbers = Array.from({ length: campaigns }, (_, index) => index + 1);
  const file = projectFile({
    campaigns: numbers.map((number) => ({
      ...{ id: `camp_${number}`, name: `Sale ${number}`, campaign_type: 'PROMOTION', type: 'STATIC' },
    })),
    promotion_tiers: numbers.map((number) => ({
      ...{ id: `promo_${number}`, name: 'Ten off', campaign_id: `camp_${number}`, hierarchy: number, active: true },
      action: { discount: { type: 'AMOUNT', amount_off: 10, effect: 'APPLY_TO_ORDER' } },
    })),
    validation_rules: [
      { id: 'val_1', name: 'Few', rules: { 1: { name: limit, conditions: { $less_than_or_equal: [most] } } } },
    ],
  });
  const paged = withPages(file);
  await loadFile(paged);
  const headers = credentialsOf(file);
  const redeem = async () => {
    const redeemables = numbers.map((number) => ({ object: 'promotion_tier', id: `promo_${number}` }));
    return (await caller(redeemHandler)({ headers, body: { redeemables, order: { amount: 1_000 } } })).status;
  };
  expect([await redeem(), await redeem()]).toEqual([200, 200]);
  for (const number of numbers) {
    const body = { related_object_type: 'promotion_tier', related_object_id: `promo_${number}` };
    expect((await caller(assignHandler)({ headers, params: { validationRuleId: 'val_1' }, body })).status).toBe(200);
  }
  return { id: file.project.id, headers, ofPage: onPage(paged) };
}

type Shop = Awaited<ReturnType<typeof running>>;

const body = { order: { amount: 1_000 } };
const validations: [name: string, isValid: (shop: Shop) => Promise<boolean>][] = [
  ['of all tiers', async ({ headers }) => (await caller(validateAll)({ headers, body })).body.promotions.length === 1],
  [
    'of one tier',
    async ({ headers }) => {
      const params = { promotionTierId: 'promo_1' };
      return (await caller(validateTier)({ headers, params, body })).body.valid;
    },
  ],
  [
    'for a web page',
    async ({ ofPage }) => (await caller(validateForPage)({ headers: ofPage, query: 'amount=1000' })).body.valid,
  ],
];

test.each(validations)('the first validation %s counts the redemptions before the limit', async (_, isValid) => {
  expect(await isValid(await running(2))).toBe(false);
  expect(await isValid(await running(3))).toBe(true);
});

test('validations by the customer alone do not count limits, and write nothing', async () => {
  const { headers } = await running(2);
  const writes = counting();
  const query = 'audienceRulesOnly=true';
  const reply = await caller(validateAll, writes.dependencies)({ headers, query, body });
  expect([reply.body.promotions.length, writes.taken()]).toEqual([1, 0]);
});

/** Makes a container that counts its writes, except for the counted calls of web pages. */
function counting() {
  let transactions = 0;
  const clock = standingClock();
  const real = testDependencies();
  const dynamodb = clientWith(real.dynamodb, (command, send) => {
    if (command.constructor.name === 'TransactWriteCommand') transactions += 1;
    return send();
  });
  return {
    clock,
    dependencies: testDependencies({ dynamodb, clock }),
    taken: () => {
      const count = transactions;
      transactions = 0;
      return count;
    },
  };
}

test('web pages make a limit count once and check it once more a minute later; after that they write nothing', async () => {
  const { ofPage } = await running(3);
  const { clock, dependencies, taken } = counting();
  const validate = caller(validateForPage, dependencies);
  const ask = async () => {
    for (let call = 0; call < 3; call++) {
      expect((await validate({ headers: ofPage, query: `amount=1000&customer[source_id]=new-${call}` })).status).toBe(
        200,
      );
    }
    return taken();
  };
  const first = await ask();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(3);
  expect(await ask()).toBe(0);
  clock.advance(60);
  expect([await ask(), await ask()]).toEqual([1, 0]);
  clock.advance(3_600);
  expect(await ask()).toBe(0);
});

test('all limits of one request share one budget of records', async () => {
  const { id } = await running(9, { campaigns: 3 });
  const table = tableOfFile();
  const project = await findProject(table, id);
  if (!project) throw new Error('the project was not loaded');
  const context = { table, project, now: testTime };
  const nobody = { customer: undefined, order: undefined, session: undefined, tracking_id: undefined };
  const tiers = [1, 2, 3].map((number) => ({ object: 'promotion_tier' as const, id: `promo_${number}` }));
  const redeemables = tiers.map((one) => ({ ...one, gift: undefined, reward: undefined }));
  const asked = readAsked({ ...nobody, metadata: undefined, redeemables });
  const states = async () =>
    (await gather(context, asked)).redeemables.map(({ campaign }) => campaign?.counted_limits?.[limit]?.state);
  const request = async (most: number) => {
    const openCounters = createCounterOpener(most);
    while (await openCounters(context, await gather(context, asked)));
    return states();
  };
  expect(await request(25)).toEqual(['BEGUN', 'BEGUN', undefined]);
  expect(await request(25)).toEqual(['WALKED', 'WALKED', undefined]);
  expect(await request(25)).toEqual(['WALKED', 'WALKED', 'WALKED']);
});
