import { expect } from 'vitest';
import { assignedRule, couponCampaign } from './lists.ts';
import { loadProject } from './project.ts';
import { asking, day, off } from './qualifying.ts';

const offItems = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ITEMS' });
const offScope = (amount_off: number) => ({ type: 'AMOUNT', amount_off });

const product = (id: string) => ({ id, object: 'product' });
const teas = { id: 'pc_teas', object: 'products_collection' };
const includes = (...included: object[]) => ({ rules: {}, applicable_to: { included } });
const asks = (name: string, conditions: object, property?: string) => ({
  rules: { 1: { name, conditions, ...(property ? { property } : {}) } },
});

const twoTeasAndMug = {
  limit: 3,
  1: {
    name: 'order.items.any',
    conditions: { $is: [{ id: 'prod_tea', type: 'product_or_sku', object: 'product' }] },
    rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } } },
  },
  2: {
    name: 'order.items.any',
    conditions: { $is: [{ id: 'prod_mug', type: 'product_or_sku', object: 'product' }] },
    rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [1] } } },
  },
};

/** Discount and rule of each tier, by the tier's name. */
const tiers: Record<string, { discount: object; rule?: object }> = {
  order: { discount: off(100) },
  items: { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' } },
  tea: { discount: offScope(50), rule: includes(product('prod_tea')) },
  mug: { discount: offScope(50), rule: includes(product('prod_mug')) },
  teas: { discount: offScope(30), rule: includes(teas) },
  'all but tea': {
    discount: offItems(40),
    rule: { rules: {}, applicable_to: { included_all: true, excluded: [product('prod_tea')] } },
  },
  'free mug': { discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_mug', effect: 'ADD_MISSING_ITEMS' } },
  'needs tea': { discount: off(70), rule: asks('order.items.any', { $is: [product('prod_tea')] }) },
  'needs no tea': { discount: off(60), rule: asks('order.items.none', { $is: [product('prod_tea')] }) },
  'tea for VIPs': {
    discount: offScope(20),
    rule: { ...includes(product('prod_tea')), ...asks('customer.metadata', { $is: [true] }, 'vip') },
  },
  'much tea': {
    discount: offScope(10),
    rule: { ...includes(product('prod_tea')), ...asks('order.amount', { $more_than: [100_000] }) },
  },
  bundle: { discount: off(200), rule: { rules: {}, bundle_rules: twoTeasAndMug } },
};

export const names = Object.keys(tiers);
const tierId = (name: string) => `promo_${name.replaceAll(' ', '_').toLowerCase()}`;
const ruleId = (name: string) => `val_${name.replaceAll(' ', '_').toLowerCase()}`;
const ruled = Object.entries(tiers).flatMap(([name, { rule }]) => (rule ? [{ name, rule }] : []));

const file = {
  products: [
    { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 },
    { id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 1_200 },
  ],
  product_collections: [{ id: 'pc_teas', name: 'Teas', type: 'STATIC', products: [product('prod_tea')] }],
  customers: [
    { id: 'cust_ada', source_id: 'ada', metadata: { vip: true } },
    { id: 'cust_eve', source_id: 'eve', metadata: {} },
  ],
  campaigns: [
    { id: 'camp_tiers', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' },
    couponCampaign('camp_tea', 'Codes', offScope(5), { created_at: day(1) }),
  ],
  promotion_tiers: names.map((name, index) => ({
    id: tierId(name),
    name,
    campaign_id: 'camp_tiers',
    hierarchy: index + 1,
    action: { discount: tiers[name]?.discount },
    created_at: day(index + 2),
  })),
  vouchers: [
    { code: 'OPEN-TEA', type: 'DISCOUNT_VOUCHER', discount: offScope(15), created_at: day(20) },
    { code: 'OPEN-ORDER', type: 'DISCOUNT_VOUCHER', discount: off(15), created_at: day(21) },
    { code: 'ADA-TEA', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_tea', holder_id: 'cust_ada', created_at: day(22) },
    { code: 'EVE-TEA', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_tea', holder_id: 'cust_eve', created_at: day(23) },
    { code: 'FREE-TEA', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_tea', created_at: day(24) },
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 300 }, holder_id: 'cust_ada', created_at: day(25) },
  ],
  validation_rules: [
    ...ruled.map(({ name, rule }) => ({ id: ruleId(name), name, ...rule })),
    { id: 'val_code', name: 'Code', ...includes(product('prod_tea')) },
    { id: 'val_codes', name: 'Codes', ...includes(product('prod_tea')) },
  ],
  validation_rules_assignments: [
    ...ruled.map(({ name }) => assignedRule(ruleId(name), 'promotion_tier', tierId(name))),
    { rule_id: 'val_code', related_object_id: 'OPEN-TEA', related_object_type: 'voucher' },
    { rule_id: 'val_codes', related_object_id: 'camp_tea', related_object_type: 'campaign' },
  ],
};

export const line = (product_id: string, quantity = 1) => ({ product_id, quantity });
export const carts = {
  none: undefined,
  tea: { items: [line('prod_tea')] },
  mug: { items: [line('prod_mug')] },
  'both, enough for a bundle': { items: [line('prod_tea', 2), line('prod_mug')] },
  coal: { items: [{ source_id: 'coal', quantity: 1, price: 900 }] },
};

/** Returns a call that lists which of these tiers and codes qualify. Its answer `called` has names of tiers, and ids of the rest. */
export async function openTiers() {
  const { credentials: headers } = await loadProject(file);
  const ask = asking(headers, { options: { limit: 50 } });
  return async (body: object) => {
    const { status, body: said, ids, of } = await ask(body);
    expect([status, said.details]).toEqual([200, undefined]);
    const called: string[] = ids.map((id: string) => names.find((name) => tierId(name) === id) ?? id);
    return { data: said.redeemables.data, called: called.sort(), of };
  };
}
