import { describe, expect, test } from 'vitest';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as deleteCustomer } from '../../functions/customers/delete-customer.ts';
import { handler as deletePermanently } from '../../functions/customers/delete-customer-permanently.ts';
import { handler as merge } from '../../functions/customers/merge-customers.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { beforeTransaction, meanwhile } from '../support/meanwhile.ts';
import { ada, eve, twoOfOne } from '../support/merging.ts';
import { mortal } from '../support/mortal.ts';
import { deliver, itemsOf, openJobs } from '../support/outbox.ts';

type World = Awaited<ReturnType<typeof twoOfOne>>;

/** Returns everything that must be right after a merge, whatever happened to it. */
async function stateOf(at: World) {
  const { updated_at: _, ...customer } = await at.customer('cust_ada');
  const codes = ['CLUB-ADA', 'CLUB-EVE', 'GIFT-EVE', 'HELD-EVE', at.given];
  const holders = await Promise.all(codes.map(async (code) => (await at.voucher(code)).holder_id));
  const ledger = (await itemsOf(at.project.id, 'LEDGER')).map(({ type, points }) => `${type} ${points}`).sort();
  const { orders, redemptions, publications, ...lists } = await at.lists('cust_ada');
  const counters = (await itemsOf(at.project.id, 'RULE_COUNTER')).map(({ count }) => count);
  const numbers = [orders, redemptions, publications].map(({ length }) => length);
  return { customer, holders, ledger, lists: { ...lists, segments: lists.segments.length }, counters, numbers };
}

async function merged(isOneProgramme: boolean, run: (at: World) => Promise<void>) {
  const at = await twoOfOne({ isOneProgramme });
  expect((await at.merge({ from: 'cust_eve', move_points: true })).status).toBe(202);
  await run(at);
  await at.run();
  return at;
}

const comparable = (state: Awaited<ReturnType<typeof stateOf>>) => {
  const { customer, lists, ...others } = state;
  return {
    ...others,
    activities: lists.activities,
    total: lists.totalActivities,
    customer: { ...customer, assets: undefined },
  };
};

describe.each([false, true])('a merge whose cards are of one programme (%s)', (isOneProgramme) => {
  test('ends the same whether workers die after each of their calls, or meet', async () => {
    const quiet = await merged(isOneProgramme, async () => {});
    const dying = await merged(isOneProgramme, async (at) => {
      for (let left = 2; left < 40; left += 1) {
        const open = (await openJobs(at.project.id)).filter(({ kind }) => kind === 'merge-customers');
        if (open.length === 0) break;
        await deliver(open, mortal(left, left % 2 === 0)).catch(() => undefined);
      }
    });
    const meeting = await merged(isOneProgramme, async (at) => {
      const open = (await openJobs(at.project.id)).filter(({ kind }) => kind === 'merge-customers');
      await Promise.all([deliver(open), deliver(open), deliver(open)]);
    });
    const expected = comparable(await stateOf(quiet));
    expect(comparable(await stateOf(dying))).toEqual(expected);
    expect(comparable(await stateOf(meeting))).toEqual(expected);
    const left = (await itemsOf(quiet.project.id, '')).filter(
      (item) => String(item.pk).includes('CUSTOMER#cust_eve') && !['ACTIVITY', 'CUSTOMER'].includes(String(item.kind)),
    );
    expect(left).toEqual([]);
  });
});

describe('two requests to merge', () => {
  test('that are the same, or repeated later, have one action', async () => {
    const at = await twoOfOne();
    const replies = await Promise.all(Array.from({ length: 5 }, () => at.merge()));
    await at.run();
    replies.push(await at.merge(), await at.merge({ from: 'crm-eve' }, 'crm-ada'));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
    expect(new Set(replies.map(({ body }) => body.async_action_id)).size).toBe(1);
    expect((await at.customer('cust_ada')).summary.orders.total_count).toBe(4);
  });

  test('in opposite directions make one customer, and lose nothing', async () => {
    const at = await twoOfOne();
    const replies = await Promise.all([at.merge(), at.merge({ from: 'cust_ada' }, 'cust_eve')]);
    expect(replies.map(({ status }) => status)).toEqual([202, 202]);
    await at.run();
    const [one, other] = [await at.customer('cust_ada'), await at.customer('cust_eve')];
    expect(one.id).toBe(other.id);
    expect(one.loyalty.points).toBe(1000);
    expect(one.summary.orders.total_count).toBe(4);
    expect(await at.wallet(one.id)).toHaveLength(5);
  });

  test('of a chain lead all names to the last customer', async () => {
    const at = await twoOfOne();
    const { id } = await at.call(createCustomer, { body: { source_id: 'crm-last' } });
    expect((await at.merge()).status).toBe(202);
    expect((await at.merge({ from: 'crm-ada' }, 'crm-last')).status).toBe(202);
    await at.run();
    for (const name of ['cust_eve', 'crm-eve', 'cust_ada', 'crm-ada', 'crm-last']) {
      expect([name, (await at.customer(name)).id]).toEqual([name, id]);
    }
    expect((await at.customer(id)).loyalty.points).toBe(1000);
    expect(await at.wallet(id)).toHaveLength(5);
  });

  test.each([
    ['itself', { from: 'crm-ada' }, 400, 'invalid_payload'],
    ['an unknown one', { from: 'crm-nobody' }, 404, 'not_found'],
    ['nobody', {}, 400, 'invalid_payload'],
  ])('of a customer and %s are refused', async (_, body, status, key) => {
    const at = await twoOfOne();
    const reply = await at.merge(body);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect((await at.merge({ from: 'cust_ada' }, 'crm-nobody')).status).toBe(404);
  });
});

describe('a request that meets a merge', () => {
  test('redeems for the customer that is left', async () => {
    const at = await twoOfOne();
    const act = async () => {
      expect((await at.merge()).status).toBe(202);
    };
    const reply = await meanwhile(beforeTransaction(), act, (dependencies) =>
      at.send(redeem, at.redeemable('HELD-EVE'), dependencies),
    );
    expect([reply.status, reply.body.redemptions?.[0]?.customer_id]).toEqual([200, 'cust_ada']);
    await at.run();
    expect((await at.customer('cust_ada')).summary.redemptions.total_succeeded).toBe(3);
    expect((await at.lists('cust_ada')).redemptions).toHaveLength(3);
  });

  test('is counted once, though twenty orders of both come with the merge', async () => {
    const at = await twoOfOne();
    const orders = Array.from({ length: 20 }, (_, index) => ({
      body: {
        source_id: `s-${index}`,
        status: 'PAID',
        amount: 10,
        customer: { id: index % 2 ? 'cust_eve' : 'cust_ada' },
      },
    }));
    const replies = await Promise.all([at.merge(), ...orders.map((order) => at.send(createOrder, order))]);
    expect(replies.map(({ status }) => status)).toEqual([202, ...orders.map(() => 200)]);
    await at.run();
    const { summary } = await at.customer('cust_ada');
    const { orders: listed } = await at.lists('cust_ada');
    expect([summary.orders.total_count, listed.length]).toEqual([24, 24]);
  });

  test('rolls back a redemption of the merged customer, before and after it moved', async () => {
    const at = await twoOfOne();
    const [first, second] = (await at.lists('cust_eve')).redemptions;
    await at.merge();
    const back = (redemptionId: string | undefined) => at.call(rollBack, { params: { redemptionId } });
    await back(first);
    await at.run();
    await back(second);
    const { redemptions } = (await at.customer('cust_ada')).summary;
    expect(redemptions).toMatchObject({ total_succeeded: 2, total_rolled_back: 2, gift: { redeemed_amount: 0 } });
    expect((await at.voucher('GIFT-EVE')).gift.balance).toBe(1000);
    expect(await at.redeem('ALL', { id: 'cust_ada' })).toBe('done');
  });
});

describe('the deletion of the customer that is left', () => {
  test('frees all names', async () => {
    const at = await twoOfOne();
    await at.merge();
    await at.run();
    await at.call(deleteCustomer, { params: { customerId: 'cust_ada' } });
    await at.run();
    for (const source_id of [ada.source_id, eve.source_id]) {
      const { id } = await at.call(createCustomer, { body: { source_id } });
      expect(id).not.toMatch(/cust_(ada|eve)$/);
    }
    expect((await at.send(merge, { params: { customerId: 'cust_eve' }, body: { from: 'crm-ada' } })).status).toBe(404);
    const left = (await itemsOf(at.project.id, '')).filter(({ pk }) => /CUSTOMER#cust_(ada|eve)$/.test(String(pk)));
    expect(left).toEqual([]);
  });

  test.each([true, false])('erases both, also if it comes before the job (%s)', async (isEarly) => {
    const at = await twoOfOne();
    await at.merge();
    if (!isEarly) await at.run();
    await at.call(deletePermanently, { params: { customerId: 'crm-eve' } });
    await at.run();
    const items = await itemsOf(at.project.id, '');
    const named = items.filter((item) => /crm-eve|crm-ada|ada@mail|\+49 30 2/.test(JSON.stringify(item)));
    expect(named.map(({ kind }) => kind)).toEqual([]);
  });
});
