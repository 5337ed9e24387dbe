import { beforeAll, describe, expect, test } from 'vitest';
import { handler as getCampaign } from '../../../../functions/campaigns/get-campaign.ts';
import { handler as listCampaigns } from '../../../../functions/campaigns/list-campaigns.ts';
import { handler as listCategories } from '../../../../functions/categories/list-categories.ts';
import { handler as listCustomers } from '../../../../functions/customers/list-customers.ts';
import { handler as listOrders } from '../../../../functions/orders/list-orders.ts';
import { handler as listCollections } from '../../../../functions/product-collections/list-product-collections.ts';
import { handler as listProducts } from '../../../../functions/products/list-products.ts';
import { handler as listStacks } from '../../../../functions/promotions/list-promotion-stacks.ts';
import { handler as listTiers } from '../../../../functions/promotions/list-promotion-tiers.ts';
import { handler as listRewards } from '../../../../functions/rewards/list-project-rewards.ts';
import { handler as listSegments } from '../../../../functions/segments/list-segments.ts';
import { handler as listRules } from '../../../../functions/validation-rules/list-validation-rules.ts';
import { handler as listVouchers } from '../../../../functions/vouchers/list-vouchers.ts';
import { caller } from '../../../support/call.ts';
import { loadDemo } from '../../../support/demo.ts';
import { faultsOf, type TestProject } from '../../../support/project.ts';

const lists = {
  campaigns: [listCampaigns, 'campaigns'],
  categories: [listCategories, 'data'],
  customers: [listCustomers, 'customers'],
  orders: [listOrders, 'orders'],
  product_collections: [listCollections, 'data'],
  products: [listProducts, 'products'],
  promotion_stacks: [listStacks, 'data'],
  promotion_tiers: [listTiers, 'tiers'],
  rewards: [listRewards, 'data'],
  segments: [listSegments, 'data'],
  validation_rules: [listRules, 'data'],
  vouchers: [listVouchers, 'vouchers'],
} as const;

describe('replies of the API can be pasted into a project file:', () => {
  let demo: TestProject;
  beforeAll(async () => {
    demo = await loadDemo();
  });

  test.each(Object.entries(lists))('%s', async (key, [handler, dataRef]) => {
    const { status, body } = await caller(handler)({ headers: demo.credentials, query: 'limit=100' });
    expect([status, body[dataRef].length > 0]).toEqual([200, true]);
    // A reply does not show a static segment's customers, and a file needs them.
    const entries = body[dataRef].filter(({ type }: { type?: string }) => key !== 'segments' || type !== 'static');
    expect(await faultsOf({ ...Object(demo.file), [key]: entries })).toEqual([]);
  });

  test('a campaign alone', async () => {
    const listed = await caller(listCampaigns)({ headers: demo.credentials, query: 'limit=100' });
    const ids = listed.body.campaigns.map(({ id }: { id: string }) => id);
    const get = (campaignId: string) => caller(getCampaign)({ headers: demo.credentials, params: { campaignId } });
    const campaigns = (await Promise.all(ids.map(get))).map(({ body }) => body);
    expect(await faultsOf({ ...Object(demo.file), campaigns })).toEqual([]);
  });
});
