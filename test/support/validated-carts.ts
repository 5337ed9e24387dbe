import { handler as qualifyHandler } from '../../functions/qualifications/qualify.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import { caller } from './call.ts';
import { promotionTier } from './lists.ts';
import { loadProject } from './project.ts';

export const coupon = (code: string, more: Record<string, unknown> = {}) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
  ...more,
});

const tier = (id: string, amount_off: number) =>
  promotionTier(
    { id, name: id, campaign_id: 'camp_1', hierarchy: amount_off },
    { type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' },
  );

/** Loads a project with a tea, tiers, a customer and further lists. */
export async function openCart(more: Record<string, unknown[]> = {}) {
  const { credentials: headers } = await loadProject({
    products: [{ id: 'prod_1', source_id: 'tea', name: 'Tea', price: 500, metadata: { leaf: 'green' } }],
    product_collections: [
      { id: 'pc_1', name: 'Teas', type: 'STATIC', products: [{ id: 'prod_1', object: 'product' }] },
    ],
    campaigns: [{ id: 'camp_1', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' }],
    promotion_tiers: [tier('promo_1', 100), tier('promo_2', 200)],
    promotion_stacks: [{ id: 'stack_1', name: 'Both', campaign_id: 'camp_1', tiers: { ids: ['promo_2', 'promo_1'] } }],
    customers: [{ id: 'cust_1', source_id: 'ada', metadata: { vip: true } }],
    ...more,
  });
  return {
    validate: (body: Record<string, unknown>) => caller(validateRedeemables)({ headers, body }),
    redeem: (body: Record<string, unknown>) => caller(redeemRedeemables)({ headers, body }),
    qualify: (body: Record<string, unknown>) => caller(qualifyHandler)({ headers, body }),
  };
}

/** Makes redeemables of vouchers by code. */
export const vouchers = (...ids: string[]) => ids.map((id) => ({ object: 'voucher', id }));

/** An order of 1750. */
export const order = {
  items: [
    { source_id: 'tea', quantity: 3 },
    { quantity: 1, amount: 250 },
  ],
};
