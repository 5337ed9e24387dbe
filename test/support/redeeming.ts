import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as listTransactions } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from './call.ts';
import { giftVoucher } from './lists.ts';
import { loadProject } from './project.ts';

export const coupon = (code: string, more: Record<string, unknown> = {}) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
  redemption: { quantity: 1, redeemed_quantity: 0 },
  ...more,
});
export const giftCard = (code: string, amount: number) => giftVoucher(code, { amount, balance: amount });

/** Makes a rule that gives points for each paid order. */
export const earning = (campaign_id: string, points: number) => ({
  ...{ id: 'ern_1', campaign_id, event: 'order.paid', active: true },
  loyalty: { type: 'FIXED', points },
});

const products = [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }];
export const cart = (quantity: number, more: Record<string, unknown> = {}) => ({
  items: [{ source_id: 'tea', quantity }],
  ...more,
});
/** Makes redeemables of these codes. */
export const vouchers = (...codes: string[]) => codes.map((id) => ({ object: 'voucher', id }));

export async function shop(file: Record<string, unknown[]>) {
  const { id, credentials: headers } = await loadProject({ products, ...file });
  const read = async (code: string) => (await caller(getVoucher)({ headers, params: { code } })).body;
  return {
    id,
    headers,
    read,
    redeem: (body: Record<string, unknown>) => caller(redeemRedeemables)({ headers, body }),
    validate: (body: Record<string, unknown>) => caller(validateRedeemables)({ headers, body }),
    order: async (id: string) => (await caller(getOrder)({ headers, params: { orderId: id } })).body,
    customer: async (id: string) => (await caller(getCustomer)({ headers, params: { customerId: id } })).body,
    ledger: async (code: string) => (await caller(listTransactions)({ headers, params: { code } })).body.data,
    redemptions: async (query = '') => (await caller(listRedemptions)({ headers, query })).body.redemptions,
  };
}
