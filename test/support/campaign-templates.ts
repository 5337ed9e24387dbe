import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as copy } from '../../functions/management/copy-campaign-template.ts';
import { handler as getCollection } from '../../functions/product-collections/get-product-collection.ts';
import { handler as getProduct } from '../../functions/products/get-product.ts';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as deleteSegment } from '../../functions/segments/delete-segment.ts';
import { handler as getSegment } from '../../functions/segments/get-segment.ts';
import { handler as create } from '../../functions/templates/create-campaign-template.ts';
import { handler as remove } from '../../functions/templates/delete-campaign-template.ts';
import { handler as get } from '../../functions/templates/get-campaign-template.ts';
import { handler as list } from '../../functions/templates/list-campaign-templates.ts';
import { handler as setUpCampaign } from '../../functions/templates/set-up-campaign.ts';
import { handler as setUpTier } from '../../functions/templates/set-up-promotion-tier.ts';
import { handler as update } from '../../functions/templates/update-campaign-template.ts';
import { handler as getRule } from '../../functions/validation-rules/get-validation-rule.ts';
import { handler as listRules } from '../../functions/validation-rules/list-validation-rules.ts';
import { caller } from './call.ts';
import { testDependencies } from './dependencies.ts';
import { giftCampaign, passiveSegment } from './lists.ts';
import { loadProject, type TestProject } from './project.ts';

type Handler = Parameters<typeof caller>[0];
type Body = Record<string, unknown>;

/** A campaign whose rule and discount name everything that a template copies. */
export const templateSource = {
  products: [
    { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500, metadata: { leaf: 'green' } },
    { id: 'prod_pot', name: 'Pot', price: 4_000 },
  ],
  skus: [{ id: 'sku_big', product_id: 'prod_pot', source_id: 'big', sku: 'Big', price: 5_000 }],
  product_collections: [
    {
      id: 'pc_table',
      name: 'Table',
      type: 'STATIC',
      products: [
        { id: 'prod_tea', object: 'product' },
        { id: 'sku_big', product_id: 'prod_pot', object: 'sku' },
      ],
    },
    {
      id: 'pc_found',
      name: 'Found',
      type: 'AUTO_UPDATE',
      filter: {
        junction: 'or',
        id: { conditions: { $is: ['prod_pot'] } },
        price: { conditions: { $more_than: [1] } },
        'metadata.stall': { conditions: { $not_in_location: ['loc_quay'] } },
      },
    },
  ],
  locations: [
    {
      id: 'loc_quay',
      name: 'Quay',
      shape: { type: 'circle', format: 'distance', distance: { center: 'geo:60.3971,5.3244', radius: '1.54 km' } },
    },
  ],
  customers: [{ id: 'cust_ann', source_id: 'ann' }],
  segments: [
    passiveSegment('seg_loyal', 'Loyal', {
      'metadata.loyal': { conditions: { $is: [true] } },
      'metadata.home': { conditions: { $in_location: ['loc_quay'] } },
    }),
  ],
  validation_rules: [
    {
      id: 'val_tea',
      name: 'Tea for the loyal',
      context_type: 'campaign.discount_coupons',
      rules: {
        '1': { name: 'customer.segment', conditions: { $is: ['seg_loyal'] } },
        '2': {
          name: 'order.items.any',
          conditions: { $is: [{ id: 'prod_tea', object: 'product' }, 'sku_big'] },
          rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $more_than: [1] } } },
        },
        '3': { name: 'product.id', conditions: { $from: [{ id: 'pc_found', object: 'products_collection' }] } },
        logic: '1 and (2 or 3)',
      },
      bundle_rules: {
        '1': {
          name: 'order.items.any',
          conditions: { $is: [{ id: 'prod_pot', object: 'product' }] },
          rules: { '1': { name: 'order.items.aggregated_quantity', conditions: { $is: [1] } } },
        },
        logic: '1',
      },
      applicable_to: {
        included: [{ object: 'products_collection', id: 'pc_table' }],
        excluded: [{ object: 'sku', id: 'sku_big', product_id: 'prod_pot' }],
      },
    },
  ],
  campaigns: [
    {
      id: 'camp_tea',
      name: 'Tea time',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'STATIC',
      description: 'For tea',
      join_once: false,
      use_voucher_metadata_schema: true,
      category: 'Drinks',
      start_date: '2026-01-01T00:00:00.000Z',
      metadata: { season: 'winter' },
      access_settings_assignments: { assign: {} },
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: {
          type: 'UNIT',
          unit_off: 1,
          unit_type: 'prod_tea',
          effect: 'ADD_MISSING_ITEMS',
          product: { id: 'prod_tea', name: 'Tea' },
        },
        redemption: { quantity: 3 },
        code_config: { pattern: 'TEA-######' },
      },
      vouchers_count: 7,
    },
    { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' },
    { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' },
    giftCampaign('camp_gift', 'Gifts', { amount: 5_000, effect: 'APPLY_TO_ITEMS' }),
  ],
  categories: [{ id: 'cat_drinks', name: 'Drinks', hierarchy: 1 }],
  promotion_tiers: [
    {
      id: 'promo_tea',
      campaign_id: 'camp_promo',
      name: 'Cheap tea',
      banner: 'Tea!',
      hierarchy: 1,
      action: { discount: { type: 'AMOUNT', amount_off: 100 } },
      metadata: { cup: 'blue' },
      expiration_date: '2030-01-01T00:00:00.000Z',
    },
  ],
  validation_rules_assignments: [
    { id: 'asgm_tea', rule_id: 'val_tea', related_object_id: 'camp_tea', related_object_type: 'campaign' },
    { id: 'asgm_tier', rule_id: 'val_tea', related_object_id: 'promo_tea', related_object_type: 'promotion_tier' },
  ],
};

/** Calls the operations of templates and of what they create, as one project. */
export function templatesOf(project: TestProject, dependencies = testDependencies()) {
  const call = (handler: Handler, params: Record<string, string>, more: object = {}) =>
    caller(handler, dependencies)({ headers: project.credentials, params, ...more });
  return {
    project,
    create: (body: Body) => call(create, {}, { body }),
    get: (templateId: string, query = '') => call(get, { templateId }, { query }),
    list: (query = '') => call(list, {}, { query }),
    update: (templateId: string, body: Body) => call(update, { templateId }, { body }),
    remove: (templateId: string) => call(remove, { templateId }),
    campaign: (templateId: string, body: Body) => call(setUpCampaign, { templateId }, { body }),
    tier: (templateId: string, body: Body) => call(setUpTier, { templateId }, { body }),
    copy: (templateId: string, body: Body) => call(copy, { projectId: project.id, templateId }, { body }),
    rule: async (validationRuleId: string) => (await call(getRule, { validationRuleId })).body,
    rules: async () => (await call(listRules, {})).body.total,
    product: async (productId: string) => (await call(getProduct, { productId })).body,
    collection: async (productCollectionId: string) => (await call(getCollection, { productCollectionId })).body,
    segment: async (segmentId: string) => (await call(getSegment, { segmentId })).body,
    deleteSegment: (segmentId: string) => call(deleteSegment, { segmentId }),
    campaignNamed: (campaignId: string) => call(getCampaign, { campaignId }),
    deleteCampaign: (campaignId: string) => call(deleteCampaign, { campaignId }, { query: 'force=true' }),
    storedTier: async (promotionTierId: string) => (await call(getTier, { promotionTierId })).body,
  };
}

export async function templateWorld(lists: object = templateSource) {
  return templatesOf(await loadProject({ ...lists }));
}
