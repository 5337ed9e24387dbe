import { describe, expect, test } from 'vitest';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as sendEvent } from '../../functions/events/send-event.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { handler as listTransactions } from '../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../support/call.ts';
import { exported } from '../support/exported.ts';
import { ada, eve, twoOfOne } from '../support/merging.ts';
import { loadProject } from '../support/project.ts';

describe('a merged customer', () => {
  test('gives everything to the other one: vouchers, orders, redemptions, publications, activities, segments', async () => {
    const at = await twoOfOne();
    const [before, after] = [await at.lists('cust_eve'), await at.lists('cust_ada')];
    const figures = [await at.customer('cust_ada'), await at.customer('cust_eve')];
    expect(before.redemptions).toHaveLength(2);
    expect(before.publications).toHaveLength(1);
    const reply = await at.merge();
    expect([reply.status, reply.body]).toEqual([202, { async_action_id: expect.stringMatching(/./) }]);
    await at.run();
    expect(await at.action(reply.body.async_action_id)).toMatchObject({
      type: 'CUSTOMERS.MERGE',
      status: 'DONE',
      operation_status: 'SUCCESS',
      result: { message: 'The customer is merged: done', done_count: 1 },
    });
    const all = await at.lists('cust_ada');
    for (const name of ['orders', 'redemptions', 'publications'] as const) {
      expect([name, all[name]]).toEqual([name, [...before[name], ...after[name]].sort()]);
    }
    // The merge fills the number, which is a change of the customer.
    expect(all.activities).toEqual([...before.activities, ...after.activities, 'customer.updated'].sort());
    expect(all.totalActivities).toBe(before.totalActivities + after.totalActivities + 1);
    expect(all.segments).toEqual([at.segment]);
    expect(all.members).toEqual(['cust_ada']);
    expect(await at.wallet('cust_ada')).toEqual(['CLUB-ADA', 'CLUB-EVE', at.given, 'GIFT-EVE', 'HELD-EVE']);
    const one = await at.customer('cust_ada');
    expect(one).toMatchObject({
      ...ada,
      phone: eve.phone,
      metadata: { size: 'M', tone: 'du' },
      loyalty: { points: 1000 },
      summary: {
        orders: { total_amount: figures[0].summary.orders.total_amount + figures[1].summary.orders.total_amount },
        redemptions: { total_succeeded: 2, gift: { redeemed_amount: 250, amount_to_go: 750 } },
      },
    });
    for (const code of ['CLUB-EVE', 'GIFT-EVE', 'HELD-EVE', at.given]) {
      expect([code, (await at.voucher(code)).holder_id]).toEqual([code, 'cust_ada']);
    }
  });

  test('leads to the other one under its id and its source id, in reads, bodies and events, from the reply on', async () => {
    const at = await twoOfOne();
    expect((await at.merge()).status).toBe(202);
    for (const settled of [false, true]) {
      if (settled) await at.run();
      for (const name of ['cust_eve', 'crm-eve']) expect((await at.customer(name)).id).toBe('cust_ada');
      for (const customer of [{ id: 'cust_eve' }, { source_id: 'crm-eve' }, { id: 'cust_eve', source_id: 'crm-eve' }]) {
        expect((await at.call(createCustomer, { body: customer })).id).toBe('cust_ada');
        const order = await at.call(createOrder, { body: { amount: 100, customer } });
        expect(order.customer.id).toBe('cust_ada');
        const event = await at.call(sendEvent, { body: { event: 'visit', customer } });
        expect(event.customer.id).toBe('cust_ada');
      }
      expect((await at.call(createOrder, { body: { amount: 100, customer_id: 'cust_eve' } })).customer.id).toBe(
        'cust_ada',
      );
    }
    const { id: segment } = await at.call(createSegment, {
      body: { name: 'Old ids', type: 'static', customers: ['cust_eve', 'cust_ada'] },
    });
    await at.run();
    expect((await at.call(listCustomers, { query: `segment_id=${segment}` })).customers).toHaveLength(1);
    const { customers } = await at.call(listCustomers);
    expect(customers.map(({ id }: { id: string }) => id)).toEqual(['cust_ada']);
    expect(await at.redeem('HELD-EVE', { id: 'cust_eve' })).toBe('done');
    expect((await at.customer('cust_ada')).summary.redemptions.total_succeeded).toBe(3);
  });

  test('takes its uses of limits along, and a campaign that it joined once', async () => {
    const at = await twoOfOne();
    await at.merge();
    await at.run();
    for (const customer of [{ id: 'cust_ada' }, { id: 'cust_eve' }, { source_id: 'crm-eve' }]) {
      expect(await at.redeem('ALL', customer)).toBe('redemption_rules_violated');
    }
    const again = await at.send(publish, { body: { campaign: { name: 'Sale' }, customer: { id: 'cust_ada' } } });
    expect(again.body.voucher?.code ?? again.body.key).toBe(at.given);
  });
});

describe('between the reply and the job', () => {
  test('cards belong to the other customer, like before the merge', async () => {
    const at = await twoOfOne();
    const keyFor = async (id: string) => {
      const body = { redeemables: [{ object: 'voucher', id: 'CLUB-EVE' }], customer: { id }, order: { amount: 100 } };
      const reply = await at.call(validate, { body });
      return reply.redeemables[0].result.error?.key;
    };
    const [asHolder, asOther] = [await keyFor('cust_eve'), await keyFor('cust_ada')];
    expect([asHolder === 'invalid_customer', asOther]).toEqual([false, 'invalid_customer']);
    await at.merge();
    expect([await keyFor('cust_eve'), await keyFor('cust_ada')]).toEqual([asHolder, asHolder]);
  });
});

test('a project file takes the old names along', async () => {
  const at = await twoOfOne();
  await at.merge();
  await at.run();
  const { project: _, ...lists } = await exported(at.project.id);
  const { app_keys: __, ...others } = lists;
  const copy = await loadProject(others);
  for (const customerId of ['cust_eve', 'crm-eve', 'cust_ada', 'crm-ada']) {
    const { body } = await caller(getCustomer)({ headers: copy.credentials, params: { customerId } });
    expect([customerId, body.id]).toEqual([customerId, 'cust_ada']);
  }
});

describe('cards of one programme that customers join once', () => {
  test('are refused, unless points may be moved', async () => {
    const at = await twoOfOne({ isOneProgramme: true });
    const { status, body } = await at.merge();
    expect([status, body.key, body.resource_id]).toEqual([400, 'cards_of_one_programme', 'cust_eve']);
    expect(body.details).toContain('CLUB-EVE');
    expect((await at.customer('cust_eve')).id).toBe('cust_eve');
  });

  test('are one card afterwards, with the points of both and their days, and both ledgers tell it', async () => {
    const at = await twoOfOne({ isOneProgramme: true });
    expect((await at.merge({ from: 'crm-eve', move_points: true })).status).toBe(202);
    await at.run();
    expect(await at.wallet('cust_ada')).toEqual(['CLUB-ADA', at.given, 'GIFT-EVE', 'HELD-EVE']);
    expect((await at.voucher('CLUB-ADA')).loyalty_card).toMatchObject({ points: 1000, balance: 1000 });
    expect(await at.voucher('CLUB-EVE')).toMatchObject({ active: false, loyalty_card: { balance: 0 } });
    expect(await at.voucher('CLUB-EVE')).not.toHaveProperty('holder_id');
    const ledger = async (code: string) => {
      const { data } = await at.call(listTransactions, { params: { code } });
      return data.map(({ type, amount, details }: { type: string; amount: number; details: { balance: object } }) => [
        type,
        amount ?? Reflect.get(details.balance, 'points'),
      ]);
    };
    const [given, taken] = [await ledger('CLUB-EVE'), await ledger('CLUB-ADA')];
    expect(given).toEqual([['POINTS_TRANSFER_OUT', -500]]);
    expect(taken.map(([type]: [string]) => type)).toEqual(['POINTS_TRANSFER_IN', 'POINTS_TRANSFER_IN']);
    expect(taken.reduce((sum: number, [, points]: [string, number]) => sum + points, 0)).toBe(500);
    expect((await at.customer('cust_ada')).loyalty.points).toBe(1000);
  });
});
