import { expect, test } from 'vitest';
import { keyOf } from '#kernel/table/keys.ts';
import { handler as saveCustomer } from '../../functions/customers/create-customer.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { darkRoast, fixed, onMove, openEarning, tierOf } from '../support/earning.ts';
import { card, ledgerOf, programme } from '../support/loyalty.ts';
import { afterRead, meanwhile } from '../support/meanwhile.ts';
import { deliver } from '../support/outbox.ts';

test('entering a segment earns once, however often it is delivered, and makes a member in an open programme', async () => {
  const world = await openEarning({ vouchers: [card('ADA', 0, { holder_id: 'cust_ada' })] });
  const { id } = await world.ask(createSegment, { body: darkRoast('Dark') });
  const other = await world.ask(createSegment, { body: darkRoast('Other') });
  await world.run();
  const entered = (segmentId: string, points: number) => ({
    event: 'customer.segment.entered',
    segment: { id: segmentId },
    loyalty: fixed(points),
  });
  await world.rules('camp_club', entered(id, 20), entered(id, 3), entered(other.id, 100));
  await world.rules('camp_open', entered(id, 50));
  const roast = (name: string) => world.ask(saveCustomer, { body: { id: 'cust_ada', metadata: { roast: name } } });
  await world.follow();
  expect(await world.balance('ADA')).toBe(0);
  await roast('dark');
  await world.follow(5);
  await world.follow(2);
  expect(await world.balance('ADA')).toBe(123);
  const joined = (await world.items('VOUCHER')).filter(({ campaign_id }) => campaign_id === 'camp_open');
  expect(joined.map(({ holder_id, credited_points }) => [holder_id, credited_points])).toEqual([['cust_ada', 50]]);
  await roast('light');
  await world.follow();
  await roast('dark');
  await world.follow(3);
  expect(await world.balance('ADA')).toBe(246);
  await ledgerOf(world, 'ADA');
});

test('a tier change earns by its rules once, and so do the changes that follow from it', async () => {
  const world = await openEarning({
    loyalty_tiers: [
      tierOf('bronze', 0, 99),
      tierOf('silver', 100, 199),
      tierOf('gold', 200),
      tierOf('first', 7, undefined, 'camp_open'),
    ],
  });
  await world.rules(
    'camp_club',
    { event: 'visit', loyalty: fixed(100) },
    onMove('upgraded', 'ltr_silver', 100),
    onMove('upgraded', '__ANY__', 5),
    onMove('joined', 'ltr_first', 1000),
    onMove('left', '__ANY__', 9),
  );
  await world.rules('camp_open', onMove('upgraded', 'ltr_gold', 7));
  await world.visit();
  expect(await world.balance('ADA')).toBe(100);
  await world.handMoves(4);
  // The visit gives 100, silver 105, gold 5, and joining the first tier of gold's programme 1000.
  expect(await world.balance('ADA')).toBe(100 + 105 + 5 + 1000);
  await ledgerOf(world, 'ADA');
  await world.handMoves(2);
  expect(await world.balance('ADA')).toBe(1210);
});

test.each([
  ['first', 1],
  ['second', 2],
])('a tier change earns once if one worker handles it after the %s read of its mark by another', async (_, nth) => {
  const world = await openEarning({ loyalty_tiers: [tierOf('bronze', 0, 99), tierOf('silver', 100)] });
  await world.rules('camp_club', { event: 'visit', loyalty: fixed(100) }, onMove('upgraded', 'ltr_silver', 7));
  await world.visit();
  const marked = (await world.items('LEDGER')).filter(({ dueAt }) => dueAt !== undefined);
  expect(marked).toHaveLength(1);
  const handle = async () => {
    await world.hand(marked.map(keyOf));
    expect(await world.balance('ADA')).toBe(107);
  };
  const moment = afterRead(nth, String(marked[0]?.sk));
  const { clock } = world;
  const delivered = await meanwhile(moment, handle, (container) => deliver(marked, container), { clock });
  expect(delivered).toEqual({ batchItemFailures: [] });
  expect(await world.balance('ADA')).toBe(107);
});

test('tier changes that give points for further tier changes end after ten rounds', async () => {
  const world = await openEarning({
    loyalty_tiers: Array.from({ length: 20 }, (_, index) => tierOf(`t${index}`, index * 10, index * 10 + 9)),
  });
  await world.rules('camp_club', { event: 'visit', loyalty: fixed(10) }, onMove('upgraded', '__ANY__', 10));
  await world.visit();
  await world.handMoves();
  expect(await world.balance('ADA')).toBe(10 + 10 * 10);
});

test('a tier that is prolonged at its end earns for that', async () => {
  const kept = {
    qualification_type: 'BALANCE',
    expiration_date: { type: 'CUSTOM', extend: 'P1M', rounding: { type: 'MONTH', strategy: 'END' } },
  };
  const world = await openEarning({
    campaigns: [programme('camp_club', { loyalty_tiers_expiration: kept })],
    loyalty_tiers: [tierOf('only', 5)],
  });
  await world.rules('camp_club', { event: 'visit', loyalty: fixed(5) }, onMove('prolonged', '__ANY__', 50));
  await world.visit();
  world.clock.set('2026-08-01T12:00:00Z');
  await world.visit();
  await world.handMoves(3);
  expect(await world.balance('ADA')).toBe(60);
});

test('points for every kind of event may be pending first', async () => {
  const world = await openEarning({
    vouchers: [card('ADA', 0, { holder_id: 'cust_ada' })],
    loyalty_tiers: [tierOf('bronze', 0, 99), tierOf('silver', 100)],
  });
  const { id } = await world.ask(createSegment, { body: darkRoast('Dark') });
  await world.run();
  const later = { pending_points: { period_value: 3 } };
  await world.rules(
    'camp_club',
    { event: 'order.paid', loyalty: fixed(1), ...later },
    { event: 'visit', loyalty: fixed(2), ...later },
    { event: 'visit', loyalty: fixed(100) },
    { ...onMove('upgraded', 'ltr_silver', 4), ...later },
    { event: 'customer.segment.entered', segment: { id }, loyalty: fixed(8), ...later },
  );
  await world.pay({ amount: 1 });
  await world.visit();
  await world.handMoves();
  await world.ask(saveCustomer, { body: { id: 'cust_ada', metadata: { roast: 'dark' } } });
  await world.follow(3);
  const pending = await world.items('PENDING_POINTS');
  expect(pending.map(({ points }) => points).sort()).toEqual([1, 2, 4, 8]);
  expect(await world.balance('ADA')).toBe(100);
  await ledgerOf(world, 'ADA');
});
