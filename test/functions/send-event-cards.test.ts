import { describe, expect, test } from 'vitest';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { itemsOf } from '../support/outbox.ts';
import { openShop, typesOf } from '../support/shop.ts';

const added = 'customer.voucher.loyalty_card.points_added';
const rewarded = 'customer.rewarded.loyalty_points';

describe('an event with a card', () => {
  test('credits by every active rule of its event, with ledger entries and activities of the holder', async () => {
    const shop = await openShop();
    await shop.send({
      event: 'order_paid',
      customer: { id: 'cust_bob' },
      loyalty: { code: 'ADA' },
      metadata: { amount: 1050 },
    });
    // Ada is in silver with 900. She gets 1.5 times the 10 of the first rule, and 3 by the second.
    expect(await shop.card('ADA')).toMatchObject({
      points: 918,
      balance: 918,
      next_expiration_date: '2027-06-15',
      next_expiration_points: 18,
    });
    const ledger = await shop.ledger('ADA');
    expect(ledger.map(({ type, points, balance }: Record<string, unknown>) => [type, points, balance])).toEqual([
      ['POINTS_ACCRUAL', 3, 918],
      ['POINTS_ACCRUAL', 15, 915],
    ]);
    expect(typesOf(await shop.activities('cust_ada'))).toEqual([rewarded, rewarded, added, added]);
    expect(typesOf(await shop.activities('cust_bob'))).toEqual(['customer.custom_event']);
    expect(await shop.activities('cust_ada', 'campaign_id=camp_club')).toMatchObject({ total: 4 });
  });

  test('moves the member up, with an activity', async () => {
    const shop = await openShop();
    await shop.send({ event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
    expect(await shop.card('ADA')).toMatchObject({ balance: 1015 });
    expect(await shop.tier('ADA')).toBe('ltr_gold');
    const list = await shop.activities('cust_ada', 'order=created_at');
    // The activities are in the order of their causes, though all are of one moment.
    expect(list.data.map(({ type }: { type: string }) => type)).toEqual([
      'customer.custom_event',
      rewarded,
      added,
      'customer.loyalty.tier.upgraded',
    ]);
    expect(list.total).toBe(4);
    const upgraded = list.data.find(({ type }: { type: string }) => type.endsWith('upgraded'));
    expect(upgraded.data.data).toMatchObject({
      loyalty_tier_to: { id: 'ltr_gold' },
      loyalty_tier_from: { id: 'ltr_silver' },
      customer: {
        id: 'cust_ada',
        loyalty: { points: 1015, campaigns: { Club: { points: 1015, loyalty_tier: 'ltr_gold' } } },
      },
    });
  });

  test("gives the tier's own points in place of the rule's", async () => {
    const shop = await openShop();
    await shop.send({ event: 'review_written', customer: { id: 'cust_bob' }, loyalty: { code: 'RICH' } });
    expect(await shop.card('RICH')).toMatchObject({ balance: 2075 });
  });

  test('makes points pending if the rule has a period, and credits none by a disabled rule', async () => {
    const shop = await openShop();
    await shop.send({ event: 'photo_added', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
    await shop.send({ event: 'signed_in', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
    expect(await shop.card('ADA')).toMatchObject({ balance: 900 });
    const [pending, ...others] = await itemsOf(shop.project.id, 'PENDING_POINTS');
    expect(others).toEqual([]);
    expect(pending).toMatchObject({ points: 50, state: 'PENDING', activates_at: '2026-06-29T00:00:00.000Z' });
    expect(typesOf(await shop.activities('cust_ada'))).toEqual([
      'customer.custom_event',
      'customer.custom_event',
      'customer.voucher.loyalty_card.pending_points.added',
    ]);
  });

  test('without a holder is an event of the customer', async () => {
    const shop = await openShop();
    await shop.send({ event: 'visited', customer: { id: 'cust_bob' }, loyalty: { code: 'NOBODYS' } });
    const list = await shop.activities('cust_bob');
    expect(typesOf(list)).toEqual(['customer.custom_event', rewarded, added]);
    expect(list.total).toBe(3);
    expect(await shop.activities('cust_bob', 'campaign_id=camp_club')).toMatchObject({ total: 2 });
  });
});

test('an event after the last day of points writes them off first', async () => {
  const clock = standingClock();
  const shop = await openShop(testDependencies({ clock }));
  const body = { event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'NOBODYS' } };
  await shop.send(body);
  clock.set('2027-06-16T08:00:00Z');
  expect(await shop.card('NOBODYS')).toMatchObject({ points: 100, balance: 0 });
  await shop.send(body);
  const ledger = await shop.ledger('NOBODYS');
  expect(ledger.map(({ type, points, balance }: Record<string, unknown>) => [type, points, balance])).toEqual([
    ['POINTS_ACCRUAL', 100, 100],
    ['POINTS_EXPIRATION', -100, 0],
    ['POINTS_ACCRUAL', 100, 100],
  ]);
});
