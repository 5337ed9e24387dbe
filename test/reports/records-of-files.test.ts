import { expect, test } from 'vitest';
import { findFactsOfItem } from '#addons/reports/facts/find-facts.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { noFault } from './world.ts';

/** Facts of orders and redemptions that a project file brings without everything that requests store. */

const keyOf = ({ pk, sk }: Record<string, unknown>) => ({ pk: String(pk), sk: String(sk) });

async function factsOf(lists: Record<string, unknown[]>, kind: string) {
  const { id } = await loadProject(lists);
  return (await itemsOf(id, kind)).flatMap((item) => findFactsOfItem(keyOf(item), item, noFault)).map(({ row }) => row);
}

const used = { voucher_code: 'TEN', result: 'SUCCESS', order: { id: 'ord_1', amount: 5_000 } };
const vouchers = [{ code: 'TEN', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1_000 } }];
const sold = { ...used, id: 'r_1', date: '2026-03-01T10:00:00.000Z', status: 'ROLLED_BACK' };
const undone = {
  ...used,
  id: 'rr_1',
  date: '2026-03-05T10:00:00.000Z',
  object: 'redemption_rollback',
  redemption: 'r_1',
};
const link = { related_redemptions: { rollbacks: [{ id: 'rr_1', date: '2026-03-05T10:00:00.000Z' }] } };

test.each([
  ['with the link to its rollback', [{ ...sold, ...link }, undone], '2026-03-05T10:00:00.000Z'],
  ['without the link', [sold, undone], '2026-03-01T10:00:00.000Z'],
  ['without the rollback', [sold], '2026-03-01T10:00:00.000Z'],
])('a redemption of a file that was rolled back leaves nothing in sums, %s', async (_, redemptions, at) => {
  const facts = await factsOf({ vouchers, redemptions }, 'REDEMPTION');
  const [done, back] = facts.toSorted((one, other) => Number(other.uses) - Number(one.uses));
  expect(facts).toHaveLength(2);
  expect(done).toMatchObject({ event: 'REDEMPTION', uses: 1, order_amount_minor: 5_000, order_total_minor: 5_000 });
  expect(back).toMatchObject({ event: 'ROLLBACK', uses: -1, order_amount_minor: -5_000, order_total_minor: -5_000 });
  expect([done?.redemption_id, back?.redemption_id, back?.at_ms]).toEqual(['r_1', 'r_1', Date.parse(at)]);
});

test.each([
  ['its total', { amount: 5_000, total_amount: 4_200 }, 4_200],
  ['its amount alone', { amount: 5_000 }, 5_000],
  ['its amount and all discounts', { amount: 5_000, total_discount_amount: 700 }, 4_300],
  ['its amount and both discounts', { amount: 5_000, discount_amount: 300, items_discount_amount: 500 }, 4_200],
  ['more discounts than it costs', { amount: 500, discount_amount: 700 }, 0],
  ['no figure', {}, null],
])('an order of a file with %s counts with what the customer paid', async (_, figures, total) => {
  const order = { id: 'ord_1', status: 'PAID', created_at: '2026-03-01T10:00:00.000Z', items: [], ...figures };
  const [fact] = await factsOf({ orders: [order] }, 'ORDER');
  expect(fact).toMatchObject({ order_id: 'ord_1', total_minor: total });
});
