import { expect, test } from 'vitest';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as listActivity } from '../../functions/customers/list-customer-activity.ts';
import { handler as listHeld } from '../../functions/customers/list-customer-redeemables.ts';
import { handler as listSegments } from '../../functions/customers/list-customer-segments.ts';
import { handler as listOrders } from '../../functions/orders/list-orders.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as listPublications } from '../../functions/publications/list-publications.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { caller } from '../support/call.ts';
import { passiveSegment } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

test('seven requests return what one customer has, and nothing of another', async () => {
  const discount = { type: 'AMOUNT', amount_off: 100 };
  const people = ['ada', 'bob'];
  const { credentials: headers } = await loadProject({
    customers: people.map((name) => ({ id: `cust_${name}`, source_id: name, metadata: { note: `about ${name}` } })),
    segments: people.map((name) =>
      passiveSegment(`seg_${name}`, name, { 'metadata.note': { conditions: { $is: [`about ${name}`] } } }),
    ),
    vouchers: people.map((name) => ({ code: `OF-${name}`, type: 'DISCOUNT_VOUCHER', discount })),
  });
  for (const name of people) {
    const customer = { source_id: name };
    await caller(publish)({ headers, body: { voucher: `OF-${name}`, customer, metadata: { note: `about ${name}` } } });
    const redeemables = [{ object: 'voucher', id: `OF-${name}` }];
    const order = { source_id: `order of ${name}`, amount: 1000, metadata: { note: `about ${name}` } };
    expect((await caller(redeem)({ headers, body: { redeemables, customer, order } })).status).toBe(200);
  }
  const params = { customerId: 'cust_ada' };
  const replies = [
    await caller(getCustomer)({ headers, params }),
    await caller(listActivity)({ headers, params }),
    await caller(listHeld)({ headers, params }),
    await caller(listSegments)({ headers, params }),
    await caller(listOrders)({ headers, query: 'filters[customer_id][conditions][$is]=cust_ada' }),
    await caller(listRedemptions)({ headers, query: 'customer=cust_ada' }),
    await caller(listPublications)({ headers, query: 'customer=cust_ada' }),
  ];
  for (const { status, body } of replies) {
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    expect(text).toContain('ada');
    expect(text).not.toContain('bob');
  }
});
