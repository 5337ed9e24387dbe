import { expect } from 'vitest';
import { handler as adjustBalance } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as createReturn } from '../../functions/orders/create-return.ts';
import { handler as getReturn } from '../../functions/orders/get-return.ts';
import { handler as listReturns } from '../../functions/orders/list-returns.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackRedemptions } from '../../functions/redemptions/rollback-redemptions.ts';
import { caller } from './call.ts';
import { club } from './club.ts';
import { testDependencies } from './dependencies.ts';
import { byTotal, forOrders, openStore } from './store.ts';

/** Opens a store with coupons and cards, and the calls of its returns. */

const off = (code: string, discount: object, more = {}) => ({ code, type: 'DISCOUNT_VOUCHER', discount, ...more });

const vouchers = [
  off('TENTH', { type: 'PERCENT', percent_off: 10 }),
  off('FIVE', { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' }),
  off('THOUSAND', { type: 'AMOUNT', amount_off: 1_000, effect: 'APPLY_TO_ORDER' }),
  off('BULK', { type: 'PERCENT', percent_off: 10 }),
  off('ONCE', { type: 'PERCENT', percent_off: 10 }, { redemption: { quantity: 1 } }),
  { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 100_000 } },
];

export async function openReturns(
  earning_rules: object[] = [forOrders('ern_paid', byTotal)],
  lists: Record<string, unknown> & { readonly vouchers?: object[] } = {},
) {
  const { vouchers: more = [], ...others } = lists;
  const store = await openStore(earning_rules, {
    ...others,
    vouchers: [...club.vouchers.filter((one) => one.code !== 'GIFT'), ...vouchers, ...more],
  });
  const headers = store.project.credentials;
  const dependencies = testDependencies({ clock: store.clock });
  const calls = {
    create: caller(createReturn, dependencies),
    get: caller(getReturn, dependencies),
    list: caller(listReturns, dependencies),
    redeem: caller(redeemRedeemables, dependencies),
    rollBack: caller(rollBackRedemptions, dependencies),
    adjust: caller(adjustBalance, dependencies),
  };
  return {
    ...store,
    ask: (orderId: string, body: object) => calls.create({ headers, params: { orderId }, body }),
    /** Subtracts points from a card. */
    spend: async (memberId: string, points: number) => {
      const { status } = await calls.adjust({ headers, params: { memberId }, body: { points: -points } });
      expect(status).toBe(200);
    },
    /** Returns units, and expects success. */
    giveBack: async (orderId: string, body: object) => {
      const { status, body: done } = await calls.create({ headers, params: { orderId }, body });
      expect([status, done]).toEqual([200, expect.objectContaining({ object: 'order_return' })]);
      return done;
    },
    returned: (orderId: string, returnId: string) => calls.get({ headers, params: { orderId, returnId } }),
    returns: async (orderId: string, query = '') => (await calls.list({ headers, params: { orderId }, query })).body,
    redeem: async (order: object, redeemables: object[], more: object = {}) => {
      const { status, body } = await calls.redeem({ headers, body: { redeemables, order, ...more } });
      expect([status, body]).toEqual([200, expect.anything()]);
      return body;
    },
    rollBack: (redemptionId: string) => calls.rollBack({ headers, params: { redemptionId }, body: {} }),
  };
}

export const code = (id: string) => ({ object: 'voucher', id });
export const card = (id: string, credits: number) => ({ object: 'voucher', id, gift: { credits } });
export const priced = (...amounts: number[]) => ({
  items: amounts.map((amount, index) => ({ source_id: `line-${index + 1}`, amount, quantity: 1 })),
});
