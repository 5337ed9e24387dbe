import { test } from 'vitest';
import { handler as addVoucher } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as disableCampaign } from '../../functions/campaigns/disable-campaign.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as listCampaigns } from '../../functions/campaigns/list-campaigns.ts';
import { handler as updateCampaign } from '../../functions/campaigns/update-campaign.ts';
import { handler as deleteCustomer } from '../../functions/customers/delete-customer.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as getOrder } from '../../functions/orders/get-order.ts';
import { handler as updateOrder } from '../../functions/orders/update-order.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { type Asked, expectAsInTurn } from '../support/in-turn.ts';

const made = { created_at: '2026-01-10T09:00:00.000Z' };
const discount = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
const campaign = (id: string, more: object) => ({ id, name: id, type: 'STATIC', ...made, ...more });
const lists = {
  customers: [{ id: 'cust_ada' }],
  orders: [{ id: 'ord_1', customer_id: 'cust_ada', status: 'PAID', amount: 500, ...made }],
  campaigns: [
    campaign('camp_pool', { campaign_type: 'DISCOUNT_COUPONS', voucher: { type: 'DISCOUNT_VOUCHER', discount } }),
    campaign('camp_one', {
      ...{ campaign_type: 'DISCOUNT_COUPONS', type: 'STANDALONE' },
      voucher: { type: 'DISCOUNT_VOUCHER', discount },
    }),
    campaign('camp_bare', { campaign_type: 'GIFT_VOUCHERS' }),
  ],
};

const paid = (amount: number): Asked => [
  createOrder,
  { body: { customer: { id: 'cust_ada' }, status: 'PAID', amount } },
];
const ofOrder = (body: object): Asked => [updateOrder, { params: { orderId: 'ord_1' }, body }];
const seen: Asked[] = [
  [getCustomer, { params: { customerId: 'cust_ada' } }],
  [getOrder, { params: { orderId: 'ord_1' } }],
];
const noAda: Asked = [deleteCustomer, { params: { customerId: 'cust_ada' } }];

test.each<[second: string, first: string, Asked, Asked, before?: Asked[]]>([
  ['a paid order', 'another', paid(700), paid(900)],
  ['a paid order', 'the deletion of its customer', paid(700), noAda],
  ['a change of an order', 'its end', ofOrder({ metadata: { a: 1 } }), ofOrder({ status: 'CANCELED' })],
  [
    'a repeated order',
    'its end',
    ofOrder({ amount: 500 }),
    ofOrder({ status: 'CANCELED' }),
    [ofOrder({ amount: 500 })],
  ],
  ['the end of an order', 'the same', ofOrder({ status: 'CANCELED' }), ofOrder({ status: 'CANCELED' })],
])('%s that meets %s ends as if the other had come first', async (_, __, second, first, before = []) => {
  await expectAsInTurn({ lists, before, first, second, seen });
});

const of = (campaignId: string, body: object): Asked => [updateCampaign, { params: { campaignId }, body }];
const shown = (campaignId: string): Asked => [getCampaign, { params: { campaignId } }];
const changed: Asked = [listCampaigns, { query: 'order=-updated_at' }];
const gone = (campaignId: string): Asked => [deleteCampaign, { params: { campaignId } }];
const added = (campaignId: string, code: string): Asked => [addVoucher, { params: { campaignId, code }, body: {} }];
const voucher = (code: string): Asked => [getVoucher, { params: { code } }];
const start_date = '2026-08-01T00:00:00Z';
const expiration_date = '2026-07-01T00:00:00Z';
const manyFields = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`key-${index}`, index]));

test.each<[second: string, first: string, Asked, Asked, Asked[]]>([
  ['an end', 'a later beginning', of('camp_pool', { expiration_date }), of('camp_pool', { start_date }), []],
  ['a change', 'a deletion', of('camp_pool', { description: 'x' }), gone('camp_pool'), [changed]],
  ['metadata', 'others', of('camp_pool', { metadata: manyFields }), of('camp_pool', { metadata: { other: 1 } }), []],
  ['switching off', 'a deletion', [disableCampaign, { params: { campaignId: 'camp_pool' } }], gone('camp_pool'), []],
  ['a voucher', 'a deletion', added('camp_pool', 'NEW'), gone('camp_pool'), [voucher('NEW')]],
  ['a first voucher', 'another', added('camp_one', 'NEW'), added('camp_one', 'OTHER'), [voucher('NEW')]],
  [
    'a first gift',
    'another',
    of('camp_bare', { gift: { amount: 5 } }),
    of('camp_bare', { gift: { amount: 6, effect: 'APPLY_TO_ITEMS' } }),
    [],
  ],
])('%s of a campaign that meets %s ends as if the other had come first', async (_, __, second, first, besides) => {
  const [, request] = second;
  await expectAsInTurn({ lists, first, second, seen: [shown(request?.params?.campaignId ?? ''), ...besides] });
});
