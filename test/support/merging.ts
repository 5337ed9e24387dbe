import { expect } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as listActivities } from '../../functions/customers/list-customer-activities.ts';
import { handler as listRedeemables } from '../../functions/customers/list-customer-redeemables.ts';
import { handler as listSegmentsOf } from '../../functions/customers/list-customer-segments.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as merge } from '../../functions/customers/merge-customers.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as listOrders } from '../../functions/orders/list-orders.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as listPublications } from '../../functions/publications/list-publications.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from './call.ts';
import { testDependencies, uniqueId } from './dependencies.ts';
import { card, programme } from './loyalty.ts';
import { runOutbox } from './outbox.ts';
import { loadProject } from './project.ts';
import { cart, coupon, giftCard, vouchers } from './redeeming.ts';

/** Makes a shop with two customers of one person, Ada and Eve. Eve has used everything. */

const limit = { name: 'redemption.count.per_customer', conditions: { $less_than_or_equal: [1] } };

export const eve = { id: 'cust_eve', source_id: 'crm-eve', phone: '+49 30 2', metadata: { size: 'L', tone: 'du' } };
export const ada = {
  id: 'cust_ada',
  source_id: 'crm-ada',
  name: 'Ada',
  email: 'ada@mail.example',
  metadata: { size: 'M' },
};

/** Makes the shop. Both have a card of the same programme if `isOneProgramme` says so. */
export async function twoOfOne({ isOneProgramme = false } = {}) {
  const campaign_id = isOneProgramme ? 'camp_club' : 'camp_other';
  const project = await loadProject({
    products: [{ id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 }],
    customers: [ada, eve],
    event_schema: [{ name: 'visit', metadata: {} }],
    campaigns: [
      programme('camp_club'),
      programme('camp_other'),
      { id: 'camp_sale', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', join_once: true },
    ],
    vouchers: [
      card('CLUB-ADA', 500, { holder_id: 'cust_ada', campaign_id }),
      card(
        'CLUB-EVE',
        [
          { points: 300, expires: '2027-01-31' },
          { points: 200, expires: null },
        ],
        { holder_id: 'cust_eve' },
      ),
      { ...giftCard('GIFT-EVE', 1000), holder_id: 'cust_eve' },
      coupon('HELD-EVE', { holder_id: 'cust_eve' }),
      coupon('FREE', { campaign_id: 'camp_sale' }),
      coupon('FREE-2', { campaign_id: 'camp_sale' }),
      coupon('ALL', { redemption: { quantity: null, redeemed_quantity: 0 } }),
    ],
    validation_rules: [{ id: 'val_1', name: 'Once', rules: { 1: limit } }],
    validation_rules_assignments: [
      {
        rule_id: 'val_1',
        related_object_id: 'ALL',
        related_object_type: 'voucher',
      },
    ],
  });
  const { credentials: headers } = project;
  const send = (handler: Endpoint, request: object = {}, dependencies = testDependencies()) =>
    caller(handler, dependencies)({ headers, ...request });
  const call = async (handler: Endpoint, request: object = {}) => {
    const reply = await send(handler, request);
    expect([handler.route.path, reply.status, reply.body?.details]).toEqual([
      handler.route.path,
      expect.toSatisfy((status: number) => status < 300),
      undefined,
    ]);
    return reply.body;
  };
  const customer = { source_id: 'crm-eve' };
  const redeemable = (code: string, who: object = customer) => ({
    body: { redeemables: vouchers(code), customer: who, order: { ...cart(2), source_id: uniqueId('o-') } },
  });
  await call(createOrder, { body: { source_id: 'o-eve', status: 'PAID', amount: 700, customer } });
  await call(createOrder, { body: { source_id: 'o-ada', status: 'PAID', amount: 300, customer: { id: 'cust_ada' } } });
  await call(redeem, redeemable('ALL'));
  await call(redeem, {
    body: { redeemables: [{ object: 'voucher', id: 'GIFT-EVE', gift: { credits: 250 } }], customer, order: cart(1) },
  });
  const { voucher: given } = await call(publish, { body: { campaign: { name: 'Sale' }, customer } });
  await call(sendEvent, { body: { event: 'visit', customer } });
  const { id: segment } = await call(createSegment, {
    body: { name: 'Chosen', type: 'static', customers: ['cust_eve'] },
  });
  const of = (customerId: string) => ({ params: { customerId } });
  const ids = (all: { id: string }[]) => all.map(({ id }) => id).sort();
  return {
    project,
    headers,
    send,
    call,
    segment,
    redeemable,
    /** The code that Eve got of the campaign. */
    given: String(given.code),
    merge: (body: object = { from: 'cust_eve' }, into = 'cust_ada', dependencies = testDependencies()) =>
      send(merge, { ...of(into), body }, dependencies),
    run: () => runOutbox(project.id),
    action: async (id: string) => call(getAction, { params: { asyncActionId: id } }),
    customer: (id: string) => call(getCustomer, of(id)),
    voucher: (code: string) => call(getVoucher, { params: { code } }),
    redeem: async (code: string, who?: object) => {
      const reply = await send(redeem, redeemable(code, who));
      return reply.status === 200 ? 'done' : String(reply.body.key);
    },
    wallet: async (id: string): Promise<string[]> => {
      const { data } = await call(listRedeemables, of(id));
      return data
        .map(({ redeemable }: { redeemable: { voucher: { code: string } } }) => redeemable.voucher.code)
        .sort();
    },
    /** Returns everything that lists have of a customer. */
    lists: async (id: string) => {
      const [{ orders }, { redemptions }, { publications }, activities, { data: segments }, { customers }] =
        await Promise.all([
          call(listOrders, { query: `limit=100&filters[customer_id][conditions][$is]=${id}` }),
          call(listRedemptions, { query: `limit=100&customer=${id}` }),
          call(listPublications, { query: `limit=100&customer=${id}` }),
          call(listActivities, { ...of(id), query: 'limit=100' }),
          call(listSegmentsOf, of(id)),
          call(listCustomers, { query: `segment_id=${segment}` }),
        ]);
      return {
        orders: ids(orders),
        redemptions: ids(redemptions),
        publications: ids(publications),
        activities: activities.data.map(({ type }: { type: string }) => type).sort(),
        totalActivities: activities.total,
        segments: ids(segments),
        members: ids(customers),
      };
    },
  };
}
