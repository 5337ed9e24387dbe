import { expect, test } from 'vitest';
import { handler as saveCustomer } from '../../functions/customers/create-customer.ts';
import { handler as listActivity } from '../../functions/customers/list-customer-activity.ts';
import { handler as activate } from '../../functions/loyalties/activate-pending-points.ts';
import { handler as adjustBalance } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as listPending } from '../../functions/loyalties/list-member-pending-points.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { darkRoast, type Earning, fixed, onMove, openEarning, tierOf } from '../support/earning.ts';

interface Transaction {
  source: string;
  details: { balance: { points: number; operation_type: string } };
}

/** Returns the ledger's data about points, the last entry first. */
async function detailsOf({ transactions }: Earning) {
  const { body } = await transactions('ADA');
  return body.data.map(({ source, details: { balance, ...about } }: Transaction) => {
    const { points, operation_type } = balance;
    return { points, source, operation_type, ...about };
  });
}

test('the ledger marks points of an order as automatic, for any caller, and added points as manual', async () => {
  const world = await openEarning();
  await world.rules('camp_club', { event: 'order.paid', loyalty: fixed(4) });
  const order = await world.pay({ amount: 1000 });
  await world.ask(adjustBalance, { params: { memberId: 'ADA' }, body: { points: 1 } });
  expect(await detailsOf(world)).toMatchObject([
    { points: 1, source: 'API', operation_type: 'MANUAL' },
    { points: 4, source: 'Automation', operation_type: 'AUTOMATIC', order: { id: order.id, source_id: null } },
  ]);
});

test('the ledger shows the segment that earned points, and the tier', async () => {
  const world = await openEarning({ loyalty_tiers: [tierOf('bronze', 0, 19), tierOf('silver', 20)] });
  const { id } = await world.ask(createSegment, { body: darkRoast('Dark') });
  await world.run();
  await world.rules(
    'camp_club',
    { event: 'customer.segment.entered', segment: { id }, loyalty: fixed(20) },
    onMove('upgraded', '__ANY__', 5),
  );
  await world.ask(saveCustomer, { body: { id: 'cust_ada', metadata: { roast: 'dark' } } });
  await world.follow();
  await world.handMoves();
  const silver = { id: 'ltr_silver', name: 'silver' };
  const [second, first] = await detailsOf(world);
  expect([first, second]).toMatchObject([
    { points: 20, segment: { id, name: 'Dark' }, holder_loyalty_tier: { id: 'ltr_bronze', name: 'bronze' } },
    { points: 5, loyalty_tier: silver, holder_loyalty_tier: silver, event: { type: 'customer.loyalty.tier.upgraded' } },
  ]);
  expect(first).not.toHaveProperty('loyalty_tier');
  expect(second).not.toHaveProperty('segment');
});

test('transactions and pending points show their rule, as members know it, and the tier', async () => {
  const world = await openEarning({ loyalty_tiers: [tierOf('bronze', 0, 99), tierOf('silver', 100)] });
  const [rule, later] = await world.rules(
    'camp_club',
    { event: 'order.paid', loyalty: fixed(100), source: { banner: 'Hundred' } },
    { event: 'order.paid', loyalty: fixed(5), pending_points: { period_value: 1 } },
  );
  await world.pay({ amount: 1 });
  await world.pay({ amount: 1 });
  const bronze = { id: 'ltr_bronze', name: 'bronze' };
  const silver = { id: 'ltr_silver', name: 'silver' };
  const pending = await world.ask(listPending, { params: { memberId: 'ADA' } });
  expect(pending.data.map(({ details }: { details: object }) => details)).toMatchObject([
    { earning_rule: { id: later.id, source: { banner: null } }, holder_loyalty_tier: silver },
    { earning_rule: { id: later.id, source: { banner: null } }, holder_loyalty_tier: bronze },
  ]);
  await world.ask(activate, { params: { memberId: 'ADA', pendingPointsId: pending.data[0].id } });
  const { data } = (await world.transactions('ADA')).body;
  expect(data.map(({ details }: { details: object }) => details)).toMatchObject([
    { earning_rule: { id: later.id }, holder_loyalty_tier: silver },
    { earning_rule: { id: rule.id, source: { banner: 'Hundred' } }, holder_loyalty_tier: silver },
    { earning_rule: { id: rule.id, source: { banner: 'Hundred' } }, holder_loyalty_tier: bronze },
  ]);
});

test('pending points name the event that earned them by the group of its activities', async () => {
  const world = await openEarning({ loyalty_tiers: [tierOf('bronze', 0, 99), tierOf('silver', 100)] });
  await world.rules(
    'camp_club',
    { event: 'order.paid', loyalty: fixed(100) },
    { event: 'order.paid', loyalty: fixed(7), pending_points: { period_value: 1 } },
    onMove('upgraded', '__ANY__', 5),
  );
  await world.pay({ amount: 1 });
  await world.handMoves();
  const pending = await world.ask(listPending, { params: { memberId: 'ADA' } });
  await world.ask(activate, { params: { memberId: 'ADA', pendingPointsId: pending.data[0].id } });
  const told = await world.ask(listActivity, { params: { customerId: 'cust_ada' }, query: 'limit=100' });
  const eventOf = (type: string) => {
    const groups = told.data.flatMap((one: { type: string; group_id: string }) =>
      one.type === type ? one.group_id : [],
    );
    expect(groups).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    return { id: groups[0], type };
  };
  const [paid, upgraded] = ['customer.order.paid', 'customer.loyalty.tier.upgraded'].map(eventOf);
  expect(pending.data[0].details.event).toEqual(paid);
  expect(await detailsOf(world)).toMatchObject([
    { points: 7, event: paid },
    { points: 5, event: upgraded },
    { points: 100, event: paid },
  ]);
});
