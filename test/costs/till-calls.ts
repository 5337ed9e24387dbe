import { couponCampaign, earningRule } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
/** The calls of a till, and the shop in which they are measured. */

export interface TillCall {
  name: string;
  operation: string;
  body: (turn: number) => object;
}

/** Has one turn more than are measured: its items are weighed. */
const turns = [0, 1, 2, 3, 4];

const discount = { type: 'PERCENT', percent_off: 3, effect: 'APPLY_TO_ORDER' };
const coupon = (code: string, more: object = {}) => ({ code, type: 'DISCOUNT_VOUCHER', active: true, ...more });

/** Each redemption of one coupon uses a separate code. */
const callers = ['GUEST', 'KNOWN', 'MEMBER'] as const;
const own = (caller: (typeof callers)[number], turn: number) => `${caller}-${turn}`;
const shared = [0, 1, 2, 3, 4].map((index) => `ALL-${index}`);

export const tillShop = {
  products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
  customers: ['ada', 'bob'].map((name) => ({ id: `cust_${name}`, source_id: name })),
  campaigns: [
    couponCampaign('camp_coupons', 'Coupons', discount),
    { id: 'camp_offers', name: 'Offers', campaign_type: 'PROMOTION', type: 'STATIC' },
    programme('camp_club', { name: 'Club' }),
  ],
  promotion_tiers: Array.from({ length: 5 }, (_, hierarchy) => ({
    ...{ id: `promo_${hierarchy}`, name: `Offer ${hierarchy}`, campaign_id: 'camp_offers', hierarchy },
    action: { discount: { type: 'PERCENT', percent_off: 1 + hierarchy } },
  })),
  earning_rules: [
    earningRule('ern_order', 'order.paid', {
      type: 'PROPORTIONAL',
      calculation_type: 'ORDER_TOTAL_AMOUNT',
      order: { total_amount: { every: 100, points: 1 } },
    }),
  ],
  vouchers: [
    ...callers.flatMap((caller) =>
      turns.map((turn) => coupon(own(caller, turn), { campaign_id: 'camp_coupons', redemption: { quantity: 1 } })),
    ),
    ...shared.map((code) => coupon(code, { discount })),
    card('CARD', 1_000, { holder_id: 'cust_ada' }),
  ],
  event_schema: [{ name: 'visit', metadata: {} }],
};

const voucher = (id: string) => ({ object: 'voucher', id });
const ada = { source_id: 'ada' };
const bob = { source_id: 'bob' };
const cart = { items: [{ source_id: 'tea', quantity: 2 }] };
const longCart = {
  items: Array.from({ length: 30 }, (_, index) => ({ source_id: index ? `line-${index}` : 'tea', quantity: 2 })),
};
const five = shared.map(voucher);

export const tillCalls: readonly TillCall[] = [
  {
    name: 'validate one coupon, 1 line',
    operation: 'validate-redeemables',
    body: () => ({ redeemables: [voucher('ALL-0')], customer: bob, order: cart }),
  },
  {
    name: 'validate five coupons, 30 lines',
    operation: 'validate-redeemables',
    body: () => ({ redeemables: five, customer: bob, order: longCart }),
  },
  {
    name: 'qualify a guest, 5 promotion tiers, 1 line',
    operation: 'qualify',
    body: () => ({ order: cart }),
  },
  {
    name: 'qualify a known customer, 5 promotion tiers, 1 line',
    operation: 'qualify',
    body: () => ({ customer: ada, order: cart }),
  },
  {
    name: 'redeem one coupon, guest, 1 line',
    operation: 'redeem-redeemables',
    body: (turn) => ({ redeemables: [voucher(own('GUEST', turn))], order: cart }),
  },
  {
    name: 'redeem one coupon, known customer, 1 line',
    operation: 'redeem-redeemables',
    body: (turn) => ({ redeemables: [voucher(own('KNOWN', turn))], customer: bob, order: cart }),
  },
  {
    name: 'redeem one coupon, member who earns, 1 line',
    operation: 'redeem-redeemables',
    body: (turn) => ({ redeemables: [voucher(own('MEMBER', turn))], customer: ada, order: cart }),
  },
  {
    name: 'redeem five coupons, known customer, 30 lines',
    operation: 'redeem-redeemables',
    body: () => ({ redeemables: five, customer: bob, order: longCart }),
  },
  {
    name: 'create an order, known customer, 1 line',
    operation: 'create-order',
    body: (turn) => ({ source_id: `receipt-${turn}`, customer: bob, ...cart }),
  },
  {
    name: 'send an event, known customer',
    operation: 'send-event',
    body: () => ({ event: 'visit', customer: bob }),
  },
];
