import { expect, test } from 'vitest';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';
import { total } from '../support/return-books/exact.ts';
import { drawReturn, everythingLeft } from '../support/return-books/random-sales.ts';
import type { Asked, Returned } from '../support/return-books/return-book.ts';
import { figuresOf, saidBy, sendReturn } from '../support/return-books/returning.ts';
import { paymentsOf } from '../support/return-books/sale.ts';
import { balanceOf, type Headers, readOrder, type Sold, sell } from '../support/return-books/selling.ts';
import { accountOf, listsOf, type Planned, planOrder } from '../support/return-books/shop.ts';
import { isLong } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';

/** Every figure of each return of random orders equals the figure of the books (`test/support/return-books`). */

/** `RETURN_ORDERS` sets another number, `MODEL_SEED` another seed. A failure names its order. */
const orders = Number(process.env.RETURN_ORDERS ?? (isLong ? 600 : 40));
const seed = Number(process.env.MODEL_SEED ?? 20_261_128);
/** The orders of one project. They are sold and returned at the same time. */
const together = 8;

type Draw = ReturnType<typeof seeded>;

async function moneyOf(headers: Headers, { name }: Planned): Promise<number> {
  const { body } = await caller(getCustomer)({ headers, params: { customerId: `cust_${name}` } });
  return body.summary.orders.total_amount;
}

/** Returns the balance that each card of an order must have after these returns. */
function balancesAfter({ planned, book }: Sold, before: ReadonlyMap<string, bigint>, all: readonly Returned[]) {
  const after = new Map(before);
  for (const { refund, earned } of all) {
    for (const { code, amount } of refund.credits) after.set(code, (after.get(code) ?? 0n) + amount);
    for (const { code, points } of refund.points) after.set(code, (after.get(code) ?? 0n) + points);
    for (const { code, balance } of earned) after.set(code, (after.get(code) ?? 0n) - balance);
  }
  for (const code of planned.deleted) after.delete(code);
  expect(total(book.left())).toBeGreaterThanOrEqual(0n);
  return after;
}

async function readBalances(headers: Headers, codes: Iterable<string>) {
  const read = await Promise.all([...codes].map(async (code) => [code, await balanceOf(headers, code)] as const));
  return new Map(read);
}

const cardsOf = ({ sale, deleted, ...planned }: Planned): string[] => {
  const paid = paymentsOf(sale).map(({ code }) => code);
  const earning = accountOf({ sale, deleted, ...planned }, 0n);
  return [...paid.filter((code) => !deleted.has(code)), ...(earning ? [earning.code] : [])];
};

/** Asks for one unit more than is left of the first line that is asked for. */
function tooMuch(sold: Sold, asked: Asked): Asked {
  const left = sold.book.left();
  if (asked.amount !== undefined) return { amount: (left[0] ?? 0n) + 1n };
  const [first] = asked.items ?? [];
  const place = sold.book.lines.findIndex(({ id }) => id === first?.id);
  return { items: [{ id: first?.id ?? '', quantity: (left[place] ?? 0n) + 1n }] };
}

/** Returns once by the request and once by the books, and compares them. */
async function returnOnce(headers: Headers, draw: Draw, sold: Sold, asked: Asked): Promise<Returned> {
  const { name } = sold.planned;
  const source_id = `${name}-${draw(2 ** 30)}`;
  if (draw(6) === 0 && (asked.amount === undefined || asked.amount < BigInt(Number.MAX_SAFE_INTEGER))) {
    const { body } = await sendReturn(headers, sold, tooMuch(sold, asked));
    expect([name, body.key]).toEqual([name, 'return_exceeds_order']);
  }
  const lines = sold.book.lines.map(({ id }) => sold.ids.get(id) ?? id);
  const preview = draw(3) === 0 ? await sendReturn(headers, sold, asked, { dry_run: true }) : undefined;
  const reply = await sendReturn(headers, sold, asked, { source_id });
  expect([name, reply.status, reply.body.details]).toEqual([name, 200, undefined]);
  const answer = sold.book.take(asked);
  if ('refused' in answer) throw new Error(`${name} of seed ${seed} is refused: ${answer.refused}`);
  const { returned } = answer;
  const expected = { name, asked: String(asked.refund_to), ...figuresOf(sold, returned) };
  expect({ name, asked: String(asked.refund_to), ...saidBy(reply, lines) }).toEqual(expected);
  expect(reply.body).toMatchObject({ object: 'order_return', order_id: sold.orderId, source_id });
  if (preview) {
    expect([preview.status, preview.body.id]).toEqual([200, undefined]);
    expect(saidBy(preview, lines)).toEqual(saidBy(reply, lines));
  }
  if (draw(5) === 0) {
    const again = await sendReturn(headers, sold, asked, { source_id });
    expect([name, again.status, again.body.id]).toEqual([name, 200, reply.body.id]);
  }
  return returned;
}

async function expectOrder(headers: Headers, { orderId, book, ids, planned }: Sold, all: readonly Returned[]) {
  const order = await readOrder(headers, orderId);
  const refunded = total(all.map(({ refund }) => refund.total));
  expect([planned.name, BigInt(order.refunded_amount ?? 0)]).toEqual([planned.name, refunded]);
  expect(order.status === 'CANCELED').toBe(all.some(({ isNothingKept }) => isNothingKept));
  const back = new Map<string, bigint>();
  for (const { id, quantity } of all.flatMap(({ items }) => items))
    back.set(ids.get(id) ?? id, (back.get(ids.get(id) ?? id) ?? 0n) + quantity);
  const sharesOf = new Map(book.lines.map(({ id, shares }) => [ids.get(id) ?? id, total(shares)]));
  for (const item of order.items ?? []) {
    expect([item.id, BigInt(item.returned_quantity ?? 0)]).toEqual([item.id, back.get(item.id) ?? 0n]);
    // An order of which nothing is kept may have lost its redemptions, with their shares.
    if (order.status === 'CANCELED') continue;
    expect([item.id, BigInt(item.order_discount_share ?? 0)]).toEqual([item.id, sharesOf.get(item.id) ?? 0n]);
  }
}

/** Sells one order, returns it in parts, and compares everything with the books after each. */
async function live(headers: Headers, planned: Planned, draw: Draw): Promise<void> {
  const sold = await sell(headers, planned);
  await expectOrder(headers, sold, []);
  const money = await moneyOf(headers, planned);
  const balances = await readBalances(headers, cardsOf(planned));
  const all: Returned[] = [];
  const parts = 1 + draw(4);
  for (let part = 1; part <= parts; part++) {
    const drawn = drawReturn(draw, sold.book);
    if (!drawn) break;
    const isLast = part === parts && draw(2) === 0;
    all.push(await returnOnce(headers, draw, sold, isLast ? everythingLeft(sold.book) : drawn));
    await expectOrder(headers, sold, all);
    const expected = balancesAfter(sold, balances, all);
    expect([planned.name, await readBalances(headers, balances.keys())]).toEqual([planned.name, expected]);
  }
  // A deleted card's sum is money that the customer never paid.
  if (planned.deleted.size > 0) return;
  const back = planned.isPaid ? total(all.map(({ refund }) => refund.money)) : 0n;
  expect([planned.name, BigInt(money - (await moneyOf(headers, planned)))]).toEqual([planned.name, back]);
}

test(`the returns of ${orders} random orders have every figure of the books`, { timeout: 3_600_000 }, async () => {
  for (let first = 0; first < orders; first += together) {
    const draws = Array.from({ length: Math.min(together, orders - first) }, (_, index) =>
      seeded(seed + first + index),
    );
    const plans = draws.map((draw, index) => planOrder(draw, `order-${first + index}`));
    const { credentials } = await loadProject(listsOf(plans));
    await Promise.all(plans.map((planned, index) => live(credentials, planned, draws[index] ?? seeded(seed))));
  }
});
