import { expect } from 'vitest';
import { settleDue } from '#registry.ts';
import { handler as getCustomer } from '../../../functions/customers/get-customer.ts';
import { handler as createOrder } from '../../../functions/orders/create-order.ts';
import { handler as updateOrder } from '../../../functions/orders/update-order.ts';
import { handler as redeemRedeemables } from '../../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackRedemptions } from '../../../functions/redemptions/rollback-redemptions.ts';
import { handler as adjustBalance } from '../../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as getVoucher } from '../../../functions/vouchers/get-voucher.ts';
import { caller } from '../call.ts';
import { ownTable, standingClock, testDependencies } from '../dependencies.ts';
import { assignedReward, coupon, earningRule, giftVoucher } from '../lists.ts';
import { card, programme } from '../loyalty.ts';
import { credentialsOf, loadFile, projectFile } from '../project.ts';
import type { Asked } from './return-book.ts';
import { sendReturn } from './returning.ts';
import type { Payment, SoldLine } from './sale.ts';
import { type OrderOfStory, pendingDays, validMonths } from './story-book.ts';

/** The shop of the story: its lists, and its calls. */

export const customers = [0, 1, 2];
export const gifts = ['GIFT-0', 'GIFT-1', 'GIFT-2'];
export const startedWith = { gift: 50_000, keep: 500 };

const earns = (every: number) => ({
  type: 'PROPORTIONAL',
  calculation_type: 'ORDER_TOTAL_AMOUNT',
  order: { total_amount: { every, points: 1 } },
});
const period = { expiration_rules: { period_type: 'MONTH', period_value: validMonths } };

const lists = {
  customers: customers.map((index) => ({ id: `cust_${index}` })),
  campaigns: [
    programme('camp_club', { voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0, ...period } } }),
    programme('camp_keep'),
  ],
  earning_rules: [
    earningRule('ern_club', 'order.paid', earns(100)),
    earningRule('ern_keep', 'order.paid', earns(50), {
      ...{ campaign_id: 'camp_keep', pending_points: { days: pendingDays } },
    }),
  ],
  vouchers: [
    coupon('TENTH', { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' }, { active: true }),
    coupon('OFF500', { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' }, { active: true }),
    ...gifts.map((code) =>
      giftVoucher(code, { amount: startedWith.gift, balance: startedWith.gift }, { active: true }),
    ),
    ...customers.map((index) => card(`CLUB-${index}`, 0, { holder_id: `cust_${index}` })),
    ...customers.map((index) =>
      card(`KEEP-${index}`, startedWith.keep, { campaign_id: 'camp_keep', holder_id: `cust_${index}` }),
    ),
  ],
  rewards: [
    { id: 'rew_coin', name: 'Coin', type: 'COIN', parameters: { coin: { exchange_ratio: 0.01, points_ratio: 1 } } },
  ],
  reward_assignments: [assignedReward('rewa_coin', 'rew_coin', undefined, { related_object_id: 'camp_keep' })],
};

/** A sale: its lines or amount, the codes of its coupons, and its payments. */
export interface Basket {
  customer: number;
  lines: readonly SoldLine[];
  /** The amount of an order without lines. */
  amount?: bigint;
  coupons: readonly string[];
  payments: readonly Payment[];
}

/** Opens the shop in a separate table, because a night settles all projects of a table. */
export async function openStory(settings: object) {
  const clock = standingClock();
  const dependencies = { ...testDependencies({ tableName: await ownTable() }), clock };
  const file = projectFile(lists);
  await loadFile({ ...file, project: { ...file.project, ...settings } }, clock(), dependencies);
  const headers = credentialsOf(file);
  const call = (handler: Parameters<typeof caller>[0], request: object) =>
    caller(handler, dependencies)({ headers, ...request });

  async function night(days: number): Promise<void> {
    clock.advance(days * 86_400);
    expect(await settleDue(dependencies)).toMatchObject({ failed: 0, finished: true });
  }

  /** Sells a basket. An order without redeemables is made as a paid order. */
  async function sell({ customer, lines, amount, coupons, payments }: Basket, name: string) {
    const items = lines.map(({ id, quantity, amount }) => ({
      ...{ source_id: `${name}-${id}`, quantity: Number(quantity), amount: Number(amount) },
    }));
    const redeemables = [
      ...coupons.map((id) => ({ object: 'voucher', id })),
      ...payments.map(({ kind, code, charged }) => ({
        ...{ object: 'voucher', id: code },
        ...(kind === 'credits'
          ? { gift: { credits: Number(charged) } }
          : { reward: { id: 'rew_coin', points: Number(charged) } }),
      })),
    ];
    const who = { customer: { id: `cust_${customer}` } };
    const order = {
      source_id: name,
      ...(amount === undefined ? { items } : { amount: Number(amount) }),
      status: 'PAID',
    };
    if (redeemables.length === 0) {
      const { status, body } = await call(createOrder, { body: { ...order, ...who } });
      expect([name, status, body.details]).toEqual([name, 200, undefined]);
      return { order: body, redemptions: [], parent: undefined };
    }
    const { status, body } = await call(redeemRedeemables, { body: { redeemables, ...who, order } });
    expect([name, status, body.details]).toEqual([name, 200, undefined]);
    return { order: body.order, redemptions: body.redemptions, parent: body.parent_redemption?.id };
  }

  return {
    night,
    sell,
    today: () => clock().toISOString().slice(0, 10),
    giveBack: (order: OrderOfStory, asked: Asked, more = {}) => sendReturn(headers, order, asked, more, dependencies),
    rollBack: (redemptionId: string) => call(rollBackRedemptions, { params: { redemptionId } }),
    update: (orderId: string, body: object) => call(updateOrder, { params: { orderId }, body }),
    adjust: (code: string, amount: number) => call(adjustBalance, { params: { code }, body: { amount } }),
    balance: async (code: string): Promise<number> => {
      const { body } = await call(getVoucher, { params: { code } });
      return (body.gift ?? body.loyalty_card).balance;
    },
    customer: async (index: number) => (await call(getCustomer, { params: { customerId: `cust_${index}` } })).body,
  };
}

export type StoryShop = Awaited<ReturnType<typeof openStory>>;
