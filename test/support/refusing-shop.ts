import { couponCampaign, giftVoucher, promotionTier, validationRule } from './lists.ts';
import { insertLock } from './locks.ts';
import { card, programme } from './loyalty.ts';
import { loadProject, type TestProject } from './project.ts';

const max = Number.MAX_SAFE_INTEGER;
const off = (effect: string) => ({ type: 'AMOUNT', amount_off: 100, effect });
const coupon = (code: string, more: object = {}) => ({
  ...{ code, type: 'DISCOUNT_VOUCHER', active: true },
  discount: off('APPLY_TO_ORDER'),
  ...more,
});
const campaign = (id: string, more: object = {}) => couponCampaign(id, id, off('APPLY_TO_ORDER'), more);
const tier = (id: string, hierarchy: number, more: object) =>
  promotionTier({ id, name: id, campaign_id: 'camp_promo', hierarchy, ...more }, off('APPLY_TO_ORDER'));
const product = { product: { id: 'prod_mug' } };
const assigned = (reward: string, to: string, points?: number) => ({
  ...{ id: `rewa_${reward}`, reward_id: reward, related_object_type: 'campaign', related_object_id: to },
  ...(points === undefined ? {} : { parameters: { loyalty: { points } } }),
});
/** Makes a validation rule with the name of its voucher. */
const rule = (code: string, name: string, conditions: object, more: object = {}) =>
  validationRule(`val_${code}`, code, { name, conditions, ...more });
const ruled = ['SEGMENT', 'LARGE', 'TILL-4'];
const ofRule = (code: string) => ({
  ...{ id: `asgm_${code}`, rule_id: `val_${code}`, related_object_type: 'voucher', related_object_id: code },
});

/** Brings a voucher, campaign or tier for each refusal. */
export const lists = {
  products: [{ id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 1_200 }],
  customers: [
    { id: 'cust_ada', source_id: 'ada' },
    { id: 'cust_eve', source_id: 'eve' },
  ],
  segments: [{ id: 'seg_none', name: 'Nobody', type: 'static', customers: [] }],
  campaigns: [
    campaign('camp_off', { active: false }),
    campaign('camp_referral', { campaign_type: 'REFERRAL_PROGRAM' }),
    { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' },
    programme('camp_club'),
    programme('camp_other'),
  ],
  promotion_tiers: [
    tier('promo_off', 1, { active: false }),
    tier('promo_over', 2, { expiration_date: '2026-06-01T00:00:00Z' }),
  ],
  vouchers: [
    ...['PLAIN', ...ruled].map((code) => coupon(code)),
    coupon('OFF', { active: false }),
    coupon('OVER', { expiration_date: '2026-06-15T11:59:59.999Z' }),
    coupon('SOON', { start_date: '2035-01-01T00:00:00Z' }),
    coupon('TUESDAYS', { validity_day_of_week: [2] }),
    coupon('SLEEPS', { campaign_id: 'camp_off' }),
    coupon('USED', { redemption: { quantity: 2, redeemed_quantity: 2 } }),
    coupon('LOCKED', { redemption: { quantity: 1 } }),
    coupon('LINES', { discount: off('APPLY_TO_ITEMS') }),
    coupon('MANY', { discount: { type: 'UNIT', unit_off: max, unit_type: 'prod_mug', effect: 'ADD_NEW_ITEMS' } }),
    coupon('FRIEND', { campaign_id: 'camp_referral', holder_id: 'cust_ada', is_referral_code: true }),
    giftVoucher('LINES-GIFT', { amount: 400, balance: 400, effect: 'APPLY_TO_ITEMS' }, { active: true }),
    { code: 'GIFT', type: 'GIFT_VOUCHER', active: true, gift: { amount: 400, balance: 400 } },
    card('CARD', 100, { holder_id: 'cust_ada' }),
  ],
  validation_rules: [
    rule('SEGMENT', 'customer.segment', { $is: ['seg_none'] }),
    { ...rule('LARGE', 'order.amount', { $more_than: [10_000] }), error: { message: 'Take more' } },
    rule('TILL-4', 'redemption.metadata', { $is: [4] }, { property: 'till' }),
  ],
  validation_rules_assignments: ruled.map(ofRule),
  rewards: [
    { id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: product },
    { id: 'rew_gone', name: 'Gone', type: 'MATERIAL', parameters: product, stock: 3, redeemed: 3 },
    { id: 'rew_other', name: 'Of others', type: 'MATERIAL', parameters: product },
    { id: 'rew_coin', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 0.01, points_ratio: 1 } } },
  ],
  reward_assignments: [
    assigned('rew_mug', 'camp_club', 101),
    assigned('rew_gone', 'camp_club', 1),
    assigned('rew_other', 'camp_other', 1),
    assigned('rew_coin', 'camp_club'),
  ],
};

export async function openRefusingShop(): Promise<TestProject> {
  const shop = await loadProject(lists);
  await insertLock(shop.id, { code: 'LOCKED', session: { key: 'till-1' } });
  return shop;
}
