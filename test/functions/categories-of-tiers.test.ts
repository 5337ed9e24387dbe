import { expect, test } from 'vitest';
import { handler as validatePromotions } from '../../functions/promotions/validate-promotions.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { promotionTier } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

/** A promotion tier has its own category at the till, else its stack's, else its campaign's. */

const promotion = { campaign_type: 'PROMOTION', type: 'STATIC' };
const tier = (id: string, campaign_id: string, category_id?: string) =>
  promotionTier(
    { id, name: id, campaign_id, hierarchy: 1, ...(category_id ? { category_id } : {}) },
    { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' },
  );
const stack = (id: string, campaign_id: string, ids: string[], category_id?: string) => ({
  id,
  name: id,
  campaign_id,
  tiers: { ids },
  ...(category_id ? { category_id } : {}),
});

const file = {
  categories: ['cat_campaign', 'cat_stack', 'cat_own'].map((id) => ({ id, name: id })),
  campaigns: [
    { id: 'camp_of', name: 'Of a category', ...promotion, category_id: 'cat_campaign' },
    { id: 'camp_no', name: 'Of none', ...promotion },
  ],
  promotion_tiers: [
    tier('promo_1', 'camp_of'),
    tier('promo_2', 'camp_of'),
    tier('promo_own', 'camp_of', 'cat_own'),
    tier('promo_none', 'camp_no'),
  ],
  promotion_stacks: [
    stack('stack_of', 'camp_of', ['promo_own', 'promo_1'], 'cat_stack'),
    stack('stack_many', 'camp_of', ['promo_1', 'promo_2'], 'cat_stack'),
    stack('stack_bare', 'camp_of', ['promo_own', 'promo_2']),
    stack('stack_no', 'camp_no', ['promo_none']),
  ],
};

interface Shown {
  id: string;
  object?: string;
  categories: { id: string }[];
  result: { details?: { key: string } };
  redeemables?: Shown[];
}

const perCategory = 'applicable_redeemables_per_category_limit_exceeded';
const categoryOf = ({ categories }: Shown) => categories.map(({ id }) => id).join() || 'none';
const wordsOf = (one: Shown) =>
  `${one.id}: ${[categoryOf(one), ...(one.result.details ? [one.result.details.key] : [])].join(' ')}`;

async function till() {
  const { credentials: headers } = await loadProject(file);
  const order = { amount: 1000 };
  const bodyOf = (ids: readonly string[]) => ({
    order,
    redeemables: ids.map((id) => ({ object: id.startsWith('stack_') ? 'promotion_stack' : 'promotion_tier', id })),
    options: { expand: ['category'] },
  });
  return {
    validate: async (ids: readonly string[]) =>
      (await caller(validateRedeemables)({ headers, body: bodyOf(ids) })).body,
    redeem: (ids: readonly string[]) => caller(redeemRedeemables)({ headers, body: bodyOf(ids) }),
    qualifying: async (options: object, scenario = 'ALL'): Promise<Shown[]> => {
      const body = { scenario, order, options: { expand: ['category'], ...options } };
      return (await caller(qualify)({ headers, body })).body.redeemables.data;
    },
    promotions: async (query = ''): Promise<Shown[]> =>
      (await caller(validatePromotions)({ headers, query, body: { order } })).body.promotions,
  };
}

test.each([
  [
    'tiers of one campaign',
    ['promo_1', 'promo_2', 'promo_none'],
    'promo_1: cat_campaign, promo_none: none',
    'promo_2: cat_campaign',
  ],
  ['a tier of its own category', ['promo_1', 'promo_own'], 'promo_1: cat_campaign, promo_own: cat_own', undefined],
  ['a stack of a category', ['stack_of'], 'promo_own: cat_own, promo_1: cat_stack', undefined],
  [
    'several tiers that get one category from their stack',
    ['stack_many'],
    'promo_1: cat_stack, promo_2: cat_stack',
    undefined,
  ],
  [
    'a stack without a category, in a campaign with one',
    ['stack_bare'],
    'promo_own: cat_own, promo_2: cat_campaign',
    undefined,
  ],
  ['a stack and a campaign without a category', ['stack_no'], 'promo_none: none', undefined],
])('in %s, only one of each category is applied', async (_, ids, applied, skipped) => {
  const { validate, redeem } = await till();
  const { redeemables, skipped_redeemables: left = [] } = await validate(ids);
  const expected = skipped === undefined ? [] : [`${skipped} ${perCategory}`];
  expect([redeemables.map(wordsOf).join(', '), left.map(wordsOf)]).toEqual([applied, expected]);
  const { status, body } = await redeem(ids);
  expect([status, body.redemptions.length]).toEqual([200, redeemables.length]);
  expect(body.skipped_redeemables.map(wordsOf)).toEqual(expected);
});

test('qualifications show tiers and stacks with these categories, and find them by these', async () => {
  const { qualifying } = await till();
  const of = (id: string) => ({ filters: { category_id: { conditions: { $is: [id] } } } });
  const found = async (...asked: Parameters<typeof qualifying>) => (await qualifying(...asked)).map(wordsOf).toSorted();
  expect(await found({})).toEqual([
    'promo_1: cat_campaign',
    'promo_2: cat_campaign',
    'promo_none: none',
    'promo_own: cat_own',
  ]);
  expect(await found(of('cat_campaign'))).toEqual(['promo_1: cat_campaign', 'promo_2: cat_campaign']);
  const stacks = await qualifying({}, 'PROMOTION_STACKS');
  expect(Object.fromEntries(stacks.map((one) => [wordsOf(one), one.redeemables?.map(wordsOf)]))).toEqual({
    'stack_of: cat_stack': ['promo_own: cat_own', 'promo_1: cat_stack'],
    'stack_many: cat_stack': ['promo_1: cat_stack', 'promo_2: cat_stack'],
    'stack_bare: cat_campaign': ['promo_own: cat_own', 'promo_2: cat_campaign'],
    'stack_no: none': ['promo_none: none'],
  });
  expect(await found(of('cat_campaign'), 'PROMOTION_STACKS')).toEqual(['stack_bare: cat_campaign']);
});

test("tiers that are validated separately show their campaign's category, and are found by it", async () => {
  const { promotions } = await till();
  const categories = async (query?: string) =>
    Object.fromEntries((await promotions(query)).map((one) => [one.id, categoryOf(one)]));
  const all = { promo_1: 'cat_campaign', promo_2: 'cat_campaign', promo_own: 'cat_own', promo_none: 'none' };
  expect(await categories()).toEqual(all);
  const { promo_1, promo_2 } = all;
  expect(await categories('filters[category_id][conditions][$is]=cat_campaign')).toEqual({ promo_1, promo_2 });
});
