import { assignedRule, promotionTier, validationRule } from './lists.ts';

/** A shop with a code for each way in which a cart can meet it, and carts at random. */

const off = (discount: object) => ({ type: 'DISCOUNT_VOUCHER', discount });
const percent = (percent_off: number, effect = 'APPLY_TO_ORDER') => off({ type: 'PERCENT', percent_off, effect });
const amount = (amount_off: number, effect = 'APPLY_TO_ORDER') => off({ type: 'AMOUNT', amount_off, effect });
const unit = (effect: string, unit_off: number, unit_type: string) =>
  off({ type: 'UNIT', effect, unit_off, unit_type });

const forVoucher = (rule_id: string, code: string) => assignedRule(rule_id, 'voucher', code);

const tier = (id: string, discount: object, more: object = {}) =>
  promotionTier({ id: `promo_${id}`, name: `Tier ${id}`, campaign_id: 'camp_promo', hierarchy: 1, ...more }, discount);

export const commerceLists = {
  products: [
    { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 505 },
    { id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 1_299 },
    { id: 'prod_cake', source_id: 'cake', name: 'Cake', price: 333 },
  ],
  skus: [{ id: 'sku_tin', product_id: 'prod_tea', source_id: 'tin', sku: 'Tea in a tin', price: 701 }],
  customers: [
    { id: 'cust_ada', source_id: 'ada', metadata: { club: true } },
    { id: 'cust_bob', source_id: 'bob' },
  ],
  campaigns: [
    { id: 'camp_promo', name: 'Always', campaign_type: 'PROMOTION', type: 'STATIC' },
    { id: 'camp_spring', name: 'Spring sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher: percent(7) },
  ],
  vouchers: [
    { code: 'SPRING', campaign_id: 'camp_spring', ...percent(7) },
    { code: 'Tenth', ...percent(10, 'APPLY_TO_ITEMS') },
    { code: 'THIRD', ...percent(33.333) },
    { code: 'FIVE', ...amount(500) },
    { code: 'EACH', ...amount(99, 'APPLY_TO_ITEMS') },
    { code: 'SHARED', ...amount(1_000, 'APPLY_TO_ITEMS_PROPORTIONALLY') },
    { code: 'FREECAKE', ...unit('ADD_NEW_ITEMS', 1, 'prod_cake') },
    { code: 'MISSINGCAKE', ...unit('ADD_MISSING_ITEMS', 2, 'prod_cake') },
    { code: 'SHIPFREE', ...unit('ADD_NEW_ITEMS', 1, 'prod_5h1pp1ng') },
    { code: 'FIXED', ...off({ type: 'FIXED', fixed_amount: 900, effect: 'APPLY_TO_ORDER' }) },
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 1_500, balance: 1_200 } },
    { code: 'GONE', ...percent(5), expiration_date: '2020-01-01T00:00:00Z' },
    { code: 'USED', ...percent(5), redemption: { quantity: 1, redeemed_quantity: 1 } },
    { code: 'SOON', ...percent(5), start_date: '2999-01-01T00:00:00Z' },
    { code: 'CLUB', ...percent(6) },
    { code: 'MUCH', ...percent(4) },
  ],
  validation_rules: [
    validationRule('val_club', 'Club', { name: 'customer.metadata', property: 'club', conditions: { $is: [true] } }),
    validationRule('val_much', 'Much', { name: 'order.amount', conditions: { $more_than_or_equal: [5_000] } }),
  ],
  validation_rules_assignments: [forVoucher('val_club', 'CLUB'), forVoucher('val_much', 'MUCH')],
  promotion_tiers: [
    tier('two', { type: 'PERCENT', percent_off: 2, effect: 'APPLY_TO_ORDER' }, { banner: 'Two percent off' }),
    tier('penny', { type: 'AMOUNT', amount_off: 1, effect: 'APPLY_TO_ITEMS' }),
    tier('off', { type: 'AMOUNT', amount_off: 900, effect: 'APPLY_TO_ORDER' }, { active: false }),
  ],
};

const commerceCodes: readonly string[] = [
  ...commerceLists.vouchers.map(({ code }) => code),
  'spring',
  'TENTH',
  'UNKNOWN',
  '',
];

/** Draws a cart in the words of UCP. `draw` returns a number below the given number. */
export function drawCart(draw: (below: number) => number) {
  const items = ['tea', 'mug', 'tin', 'cake', 'prod_tea', 'unlisted'];
  const pick = <T>(all: readonly T[]): T | undefined => all[draw(all.length)];
  return {
    line_items: Array.from({ length: 1 + draw(5) }, () => {
      const id = pick(items) ?? '';
      const isPriced = id === 'unlisted' || draw(3) === 0;
      return { item: { id, ...(isPriced ? { price: draw(3_000) } : {}), unknown: [1] }, quantity: 1 + draw(4) };
    }),
    currency: 'EUR',
    ...(draw(2) === 0 ? {} : { buyer: { customer_id: pick(['ada', 'bob', 'new']), nickname: 'x' } }),
    discounts: { codes: Array.from({ length: draw(5) }, () => pick(commerceCodes) ?? '') },
    signals: { unknown: true },
  };
}
