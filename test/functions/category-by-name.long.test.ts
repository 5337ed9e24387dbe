import { describe, expect, test } from 'vitest';
import { handler as addVouchers } from '../../functions/campaigns/add-vouchers.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as updateCampaign } from '../../functions/campaigns/update-campaign.ts';
import { handler as listCategories } from '../../functions/categories/list-categories.ts';
import { handler as createTier } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as updateTier } from '../../functions/promotions/update-promotion-tier.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers.ts';
import { handler as updateVoucher } from '../../functions/vouchers/update-voucher.ts';
import { caller } from '../support/call.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10 };
const coupon = { type: 'DISCOUNT_VOUCHER', discount };

async function open() {
  const project = await loadProject({
    categories: [{ id: 'cat_1', name: 'One', hierarchy: 7 }],
    campaigns: [
      { id: 'camp_1', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher: coupon },
      { id: 'camp_2', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
    ],
    promotion_tiers: [{ id: 'promo_1', name: 'Ten', campaign_id: 'camp_2', hierarchy: 1, action: { discount } }],
    vouchers: [{ code: 'OLD', ...coupon }],
  });
  const { credentials: headers } = project;
  return {
    project,
    ask: (handler: Parameters<typeof caller>[0], body: unknown, params: Record<string, string> = {}, query = '') =>
      caller(handler)({ headers, body, params, query }),
    names: async () =>
      (await caller(listCategories)({ headers })).body.data.map(
        ({ name, hierarchy }: { name: string; hierarchy: number }) => [name, hierarchy],
      ),
  };
}

type Shop = Awaited<ReturnType<typeof open>>;

const category = 'New & fresh';

const ways: [string, (shop: Shop, named: object) => ReturnType<Shop['ask']>][] = [
  ['a new voucher', ({ ask }, named) => ask(createVoucher, { code: 'NEW', ...coupon, ...named })],
  ['a voucher', ({ ask }, named) => ask(updateVoucher, named, { code: 'OLD' })],
  ['a new campaign', ({ ask }, named) => ask(createCampaign, { name: 'Fresh', ...named })],
  ['a campaign', ({ ask }, named) => ask(updateCampaign, named, { campaignId: 'camp_1' })],
  ['a voucher of a campaign', ({ ask }, named) => ask(addVouchers, named, { campaignId: 'camp_1' })],
  [
    'a new tier',
    ({ ask }, named) => ask(createTier, { name: 'A', action: { discount }, ...named }, { campaignId: 'camp_2' }),
  ],
  ['a tier', ({ ask }, named) => ask(updateTier, named, { promotionTierId: 'promo_1' })],
];

describe('a new category named by a request', () => {
  test.each(ways)('is created with %s, behind the others', async (_, way) => {
    const shop = await open();
    const { status, body } = await way(shop, { category });
    expect([status, body]).toMatchObject([
      200,
      { category_id: expect.stringMatching(/^cat_/), categories: [{ name: category }] },
    ]);
    expect(await shop.names()).toEqual(
      expect.arrayContaining([
        ['One', 7],
        [category, 8],
      ]),
    );
    expect(await shop.names()).toHaveLength(2);
  });

  test.each(ways)('is not created by an unknown id: %s', async (_, way) => {
    const shop = await open();
    const { body } = await way(shop, { category_id: 'cat_none' });
    expect(body).toMatchObject({ code: 404, resource_id: 'cat_none', resource_type: 'category' });
    expect(await shop.names()).toEqual([['One', 7]]);
  });

  test('is the same one for a promotion and its tiers', async () => {
    const shop = await open();
    const tiers = ['A', 'B'].map((name) => ({ name, action: { discount }, category }));
    const body = { name: 'Offers', campaign_type: 'PROMOTION', category, promotion: { tiers } };
    const made = await shop.ask(createCampaign, body);
    expect(made.status).toBe(200);
    const ids = [made.body, ...made.body.promotion.tiers].map(
      ({ category_id }: { category_id: string }) => category_id,
    );
    expect([new Set(ids).size, await shop.names()]).toMatchObject([1, expect.arrayContaining([[category, 8]])]);
    expect(await shop.names()).toHaveLength(2);
  });

  test('is created once with generated codes, and with the rows of an import', async () => {
    const shop = await open();
    expect((await shop.ask(addVouchers, { category }, { campaignId: 'camp_1' }, 'vouchers_count=3')).status).toBe(202);
    const rows = ['A', 'B', 'C'].map((code) => ({ code, ...coupon, category: 'By rows' }));
    expect((await shop.ask(importVouchers, rows)).status).toBe(202);
    await runOutbox(shop.project.id);
    expect((await shop.names()).toSorted()).toEqual([
      ['By rows', 9],
      [category, 8],
      ['One', 7],
    ]);
  });

  test('is not created from the category_id of a row', async () => {
    const shop = await open();
    await shop.ask(importVouchers, [{ code: 'A', ...coupon, category_id: 'Nobody' }]);
    await runOutbox(shop.project.id);
    expect(await shop.names()).toEqual([['One', 7]]);
  });

  test('is not created by a refused request', async () => {
    const shop = await open();
    expect((await shop.ask(createVoucher, { code: 'OLD', ...coupon, category })).status).toBe(409);
    expect(await shop.names()).toEqual([['One', 7]]);
  });

  test('is one, however many callers create it at once', async () => {
    const shop = await open();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2
          ? shop.ask(createVoucher, { code: `AT-ONCE-${index}`, ...coupon, category })
          : shop.ask(createCampaign, { name: `At once ${index}`, category }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(replies.map(({ body }) => body.category_id)).size).toBe(1);
    expect(await shop.names()).toHaveLength(2);
  });
});
