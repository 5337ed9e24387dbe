import { beforeAll, describe, expect, test } from 'vitest';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as listCampaigns } from '../../functions/campaigns/list-campaigns.ts';
import { handler as deleteCategory } from '../../functions/categories/delete-category.ts';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as listTiers } from '../../functions/promotions/list-promotion-tiers.ts';
import { handler as validatePromotions } from '../../functions/promotions/validate-promotions.ts';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as listVouchers } from '../../functions/vouchers/list-vouchers.ts';
import { caller } from '../support/call.ts';
import { coldDependencies, ownTable, testDependencies, testTime } from '../support/dependencies.ts';
import { type Entry, exported } from '../support/exported.ts';
import { campaignEntry, couponCampaign, promotionTier } from '../support/lists.ts';
import { loadFile, loadProject, type TestProject } from '../support/project.ts';

/**
 * A deleted category disappears from its resources. Their stack's or campaign's category counts, as if they had never
 * had a category.
 */

const discount = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
const coupons = (id: string, category_id?: string) => couponCampaign(id, id, discount, { category_id });
const promotion = (id: string, category_id: string) => campaignEntry(id, id, 'PROMOTION', { category_id });
const voucher = (code: string, campaign_id: string, category_id?: string) => ({
  ...{ code, type: 'DISCOUNT_VOUCHER', active: true, campaign_id, category_id },
});
const tier = (id: string, campaign_id: string, category_id?: string) =>
  promotionTier({ id, name: id, campaign_id, hierarchy: 1, category_id }, discount);

const file = {
  categories: ['cat_gone', 'cat_there', 'cat_stack'].map((id) => ({ id, name: `The ${id}` })),
  campaigns: [
    coupons('camp_gone', 'cat_gone'),
    coupons('camp_there', 'cat_there'),
    coupons('camp_none'),
    promotion('camp_tiers', 'cat_there'),
    promotion('camp_others', 'cat_gone'),
  ],
  vouchers: [
    voucher('OWN-GONE', 'camp_there', 'cat_gone'),
    voucher('ALL-GONE', 'camp_gone'),
    voucher('ONLY-GONE', 'camp_none', 'cat_gone'),
    voucher('OWN-THERE', 'camp_gone', 'cat_there'),
    voucher('PLAIN', 'camp_there'),
    { code: 'LOOSE', type: 'DISCOUNT_VOUCHER', active: true, discount, category_id: 'cat_gone' },
  ],
  promotion_tiers: [
    tier('promo_own', 'camp_tiers', 'cat_gone'),
    tier('promo_own2', 'camp_tiers', 'cat_gone'),
    tier('promo_all', 'camp_others'),
    tier('promo_there', 'camp_others', 'cat_there'),
  ],
  promotion_stacks: [
    {
      ...{ id: 'stack_there', name: 'There', campaign_id: 'camp_tiers', category_id: 'cat_stack' },
      tiers: { ids: ['promo_own', 'promo_own2'] },
    },
    {
      ...{ id: 'stack_gone', name: 'Gone', campaign_id: 'camp_tiers', category_id: 'cat_gone' },
      tiers: { ids: ['promo_own'] },
    },
  ],
};

let headers: TestProject['credentials'];
let projectId: string;

beforeAll(async () => {
  ({ id: projectId, credentials: headers } = await loadProject(file));
  expect((await caller(deleteCategory)({ headers, params: { categoryId: 'cat_gone' } })).status).toBe(204);
});

type Handler = Parameters<typeof caller>[0];
const ask = async (handler: Handler, request: object) => (await caller(handler)({ headers, ...request })).body;

interface Shown {
  id: string;
  code?: string;
  categories: { id: string }[];
}
const categoriesOf = (all: readonly Shown[]) =>
  Object.fromEntries(all.map((one) => [one.code ?? one.id, one.categories.map(({ id }) => id).join()]));

const none = { category_id: null, categories: [] };
const there = { category_id: 'cat_there', categories: [expect.objectContaining({ id: 'cat_there' })] };

const ofVouchers = {
  'OWN-GONE': there,
  'ALL-GONE': none,
  'ONLY-GONE': none,
  'OWN-THERE': there,
  PLAIN: there,
  LOOSE: none,
};

describe('a deleted category is no longer shown', () => {
  test('in campaigns', async () => {
    const shown = (campaignId: string) => ask(getCampaign, { params: { campaignId } });
    expect(await shown('camp_gone')).toMatchObject(none);
    expect(await shown('camp_there')).toMatchObject(there);
    const { campaigns } = await ask(listCampaigns, { query: 'expand=category' });
    const ids = Object.fromEntries(
      campaigns.map((one: { id: string; category_id: string }) => [one.id, one.category_id]),
    );
    const [gone, kept] = [null, 'cat_there'];
    expect(ids).toEqual({
      ...{ camp_gone: gone, camp_there: kept, camp_none: gone, camp_tiers: kept, camp_others: gone },
    });
  });

  test.each(Object.entries(ofVouchers))(
    "in the voucher %s, which has its campaign's category",
    async (code, expected) => {
      const call = caller(getVoucher, coldDependencies());
      for (const _ of ['cold', 'warm']) {
        const { body } = await call({ headers, params: { code } });
        expect(body).toMatchObject({ ...expected, category: expected === there ? 'The cat_there' : null });
      }
    },
  );

  test('in the list of vouchers', async () => {
    const { vouchers } = await ask(listVouchers, {});
    expect(Object.fromEntries(vouchers.map((one: { code: string }) => [one.code, one]))).toMatchObject(ofVouchers);
  });

  test('in tiers, which show only their own category', async () => {
    expect(await ask(getTier, { params: { promotionTierId: 'promo_own' } })).toMatchObject(none);
    const { tiers } = await ask(listTiers, {});
    expect(Object.fromEntries(tiers.map((one: { id: string }) => [one.id, one]))).toMatchObject({
      ...{ promo_own: none, promo_own2: none, promo_all: none, promo_there: there },
    });
  });
});

const withIds = (id: string) => `filters[category_ids][conditions][$is]=${id}`;
const namesIn = (all: readonly { id: string; code?: string }[]) => all.map(({ id, code }) => code ?? id).toSorted();

describe("a deleted category finds nothing, and its resources are found by their campaign's category", () => {
  test.each([
    [withIds('cat_gone'), []],
    [withIds('x'.repeat(3_000)), []],
    [withIds('cat_there'), ['camp_there', 'camp_tiers']],
    ['filters[category_ids][conditions][$is_not]=cat_gone', file.campaigns.map(({ id }) => id).toSorted()],
  ])('campaigns: %s', async (query, expected) => {
    expect(namesIn((await ask(listCampaigns, { query })).campaigns)).toEqual(expected);
  });

  const kept = ['OWN-GONE', 'OWN-THERE', 'PLAIN'];
  test.each([
    [withIds('cat_gone'), []],
    [withIds('cat_there'), kept],
    ['filters[categories][conditions][$is]=The cat_there', kept],
    ['filters[category_ids][conditions][$is_unknown]=true', ['ALL-GONE', 'LOOSE', 'ONLY-GONE']],
    ['category=cat_gone', []],
    ['category=cat_there', kept],
    ['category=The cat_there', kept],
  ])('vouchers: %s', async (query, expected) => {
    const call = caller(listVouchers, coldDependencies());
    for (const _ of ['cold', 'warm']) {
      const { body } = await call({ headers, query });
      expect(namesIn(body.vouchers)).toEqual(expected);
    }
  });

  test.each([
    ['cat_gone', []],
    ['cat_there', ['promo_own', 'promo_own2', 'promo_there']],
  ])('available tiers and qualifications: %s', async (id, expected) => {
    const order = { amount: 1000 };
    const query = `filters[category_id][conditions][$is]=${id}`;
    expect(namesIn((await ask(validatePromotions, { query, body: { order } })).promotions)).toEqual(expected);
    const filters = {
      category_id: { conditions: { $is: [id] } },
      resource_type: { conditions: { $is: ['promotion_tier'] } },
    };
    const body = { scenario: 'ALL', order, options: { expand: ['category'], filters } };
    expect(namesIn((await ask(qualify, { body })).redeemables.data)).toEqual(expected);
  });
});

describe('in a checkout, after the deletion of a category,', () => {
  const bodyOf = (object: string, ids: readonly string[]) => ({
    redeemables: ids.map((id) => ({ object, id })),
    order: { amount: 1000 },
    options: { expand: ['category'] },
  });

  test.each([
    [
      "vouchers count for their campaign's category",
      'voucher',
      ['OWN-GONE', 'ALL-GONE', 'LOOSE'],
      ['cat_there', '', ''],
    ],
    ["tiers count for their campaign's category", 'promotion_tier', ['promo_own', 'promo_all'], ['cat_there', '']],
    ["tiers count for their stack's category", 'promotion_stack', ['stack_there'], ['cat_stack', 'cat_stack']],
    [
      "tiers of a stack without its own category count for their campaign's",
      'promotion_stack',
      ['stack_gone'],
      ['cat_there'],
    ],
  ])('%s', async (_, object, ids, expected) => {
    const body = bodyOf(object, ids);
    const { redeemables } = await ask(validate, { body });
    expect(Object.values(categoriesOf(redeemables))).toEqual(expected);
  });

  test('vouchers of one campaign are limited together', async () => {
    const body = bodyOf('voucher', ['OWN-GONE', 'PLAIN']);
    const { redeemables, skipped_redeemables: skipped } = await ask(validate, { body });
    expect([namesIn(redeemables), namesIn(skipped)]).toEqual([['OWN-GONE'], ['PLAIN']]);
  });

  test('the redemption shows the categories that are found afterwards', async () => {
    const { redemptions } = await ask(redeem, { body: bodyOf('voucher', ['OWN-GONE']) });
    expect(redemptions[0].voucher).toMatchObject(there);
  });
});

test('a project file is exported without the deleted category, and loads elsewhere', async () => {
  const written = await exported(projectId);
  const all: Entry[] = [written.campaigns, written.vouchers, written.promotion_tiers, written.promotion_stacks].flat();
  expect(new Set(all.flatMap(({ category_id }) => category_id ?? []))).toEqual(new Set(['cat_there', 'cat_stack']));
  await loadFile(written, testTime, testDependencies({ tableName: await ownTable() }));
});
