import { expect, test } from 'vitest';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as assignHolders } from '../../functions/referrals/assign-holders.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

const half = 'x'.repeat(30_000);
const [ada, grown] = [{ id: 'cust_ada' }, { id: 'cust_ada', metadata: { more: half } }];
const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } };
const redeemables = [{ object: 'voucher', id: 'OFF' }];

async function openShop() {
  const { credentials: headers } = await loadProject({
    customers: [{ ...ada, metadata: { kept: half } }, { id: 'cust_bob' }],
    event_schema: [{ name: 'visited', metadata: {} }],
    campaigns: [{ id: 'camp_mate', name: 'Mates', campaign_type: 'REFERRAL_PROGRAM', type: 'STATIC', voucher: coupon }],
    vouchers: [
      { ...coupon, code: 'OFF', active: true },
      { ...coupon, code: 'MATE', active: true, campaign_id: 'camp_mate', holder_id: 'cust_bob' },
    ],
  });
  const order = { items: [{ price: 500, quantity: 1 }] };
  const redeemed = await caller(redeem)({ headers, body: { redeemables, customer: ada, order } });
  return { headers, order, redemptionId: redeemed.body.redemptions[0].id };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

test.each<
  [string, Parameters<typeof caller>[0], (shop: Shop) => { body: object; params?: Record<string, string> }, string]
>([
  ['an event', sendEvent, () => ({ body: { event: 'visited', customer: grown } }), 'customer'],
  ['an order', createOrder, ({ order }) => ({ body: { ...order, customer: grown } }), 'customer'],
  ['an order as its referrer', createOrder, ({ order }) => ({ body: { ...order, referrer: grown } }), 'referrer'],
  ['a publication', publish, () => ({ body: { voucher: 'OFF', customer: grown } }), 'customer'],
  ['a validation', validate, ({ order }) => ({ body: { redeemables, order, customer: grown } }), 'customer'],
  [
    "a validation's order",
    validate,
    ({ order }) => ({ body: { redeemables, order: { ...order, customer: grown } } }),
    'order.customer',
  ],
  [
    "a redemption's order",
    redeem,
    ({ order }) => ({ body: { redeemables, order: { ...order, customer: grown } } }),
    'order.customer',
  ],
  ['a rollback', rollBack, ({ redemptionId }) => ({ params: { redemptionId }, body: { customer: grown } }), 'customer'],
  [
    'a list of holders',
    assignHolders,
    () => ({ params: { memberId: 'MATE' }, body: { holders: [{ source_id: 'new' }, grown] } }),
    'holders[1]',
  ],
])(
  "metadata that makes a customer too large is refused with the customer's place in %s",
  async (_, handler, asked, place) => {
    const shop = await openShop();
    const { status, body } = await caller(handler)({ headers: shop.headers, ...asked(shop) });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details.split(' would have')[0]).toBe(`${place}.metadata`);
  },
);
