import { expect, test } from 'vitest';
import { at, least, portion, total } from '../support/return-books/exact.ts';
import { type Draw, drawReturn, drawUpTo, everythingLeft, pick } from '../support/return-books/random-sales.ts';
import { type Asked, ReturnBook } from '../support/return-books/return-book.ts';
import { figuresOf, saidBy } from '../support/return-books/returning.ts';
import type { Coupon, Payment, SoldLine } from '../support/return-books/sale.ts';
import { addDays, type OrderOfStory, pendingDays, StoryBook } from '../support/return-books/story-book.ts';
import {
  type Basket,
  customers,
  gifts,
  openStory,
  type StoryShop,
  startedWith,
} from '../support/return-books/story-shop.ts';
import { isLong } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';

/**
 * A shop over months: it sells, takes back, rolls back, cancels and edits orders, while points ripen and expire. Books kept outside have the
 * balance of each card and the figures of each customer after each action.
 */

const actions = Number(process.env.RETURN_ACTIONS ?? (isLong ? 500 : 60));
const seed = Number(process.env.MODEL_SEED ?? 20_261_130);

const daysOfRollback = 88;

interface Story {
  draw: Draw;
  shop: StoryShop;
  books: StoryBook;
}

/** Draws lines, coupons and payments. Returns them with the discounts of the coupons. */
function drawBasket({ draw, books }: Story) {
  const customer = pick(draw, customers);
  if (draw(4) === 0) {
    const amount = 1n + drawUpTo(draw, 30_000n);
    return { basket: { customer, lines: [], amount, coupons: [], payments: [] }, discounts: [], paid: amount };
  }
  const lines = Array.from(
    { length: 1 + draw(4) },
    (_, index): SoldLine => ({
      ...{ id: `line-${index}`, quantity: BigInt(1 + draw(4)), amount: 1n + drawUpTo(draw, 20_000n), discount: 0n },
    }),
  );
  let left = total(lines.map(({ amount }) => amount));
  const coupons = ['TENTH', 'OFF500'].filter(() => draw(3) === 0);
  const discounts = coupons.map((code) => {
    const discount = code === 'TENTH' ? portion(left, 10n, 100n) : least(left, 500n);
    left -= discount;
    return discount;
  });
  const payments: Payment[] = [];
  for (const code of [pick(draw, gifts), `KEEP-${customer}`].filter(() => draw(3) === 0)) {
    const charged = drawUpTo(draw, least(left, books.balance(code)));
    if (charged === 0n) continue;
    left -= charged;
    const kind = code.startsWith('GIFT') ? 'credits' : 'points';
    payments.push({ kind, redemption: '', code, worth: charged, charged });
  }
  return { basket: { customer, lines, coupons, payments }, discounts, paid: left };
}

/** Names redemptions by their ids, and opens the books of the order. */
function bookOf(
  { books }: Story,
  { lines, amount, payments }: Basket,
  discounts: readonly bigint[],
  ids: readonly string[],
) {
  const redeemed: (Coupon | Payment)[] = [
    ...discounts.map((discount, place): Coupon => ({ kind: 'coupon', redemption: at(ids, place), discount })),
    ...payments.map((payment, place) => ({ ...payment, redemption: at(ids, discounts.length + place) })),
  ];
  const sale = { lines, redeemed, ...(amount === undefined ? {} : { amount }) };
  return (accounts: OrderOfStory['accounts']) =>
    new ReturnBook(sale, { accounts, giveBack: (refund) => books.giveBack(refund) });
}

async function nextDay({ shop, books }: Story, days: number): Promise<void> {
  await shop.night(days);
  books.begin(shop.today());
}

async function sell(story: Story, number: number): Promise<void> {
  const { shop, books } = story;
  // Each order's points have their own last day.
  await nextDay(story, 1);
  const { basket, discounts, paid } = drawBasket(story);
  const { order, redemptions, parent } = await shop.sell(basket, `order-${number}`);
  const ids: string[] = redemptions.map(({ id }: { id: string }) => id);
  const today = shop.today();
  const accounts = books.earn(basket.customer, paid, today);
  for (const { code, charged } of basket.payments) books.add(code, -charged);
  books.orders.push({
    ...{ orderId: order.id, customer: basket.customer, accounts, paid, moneyBack: 0n, isOver: false },
    ...{ book: bookOf(story, basket, discounts, ids)(accounts), rollback: parent ?? ids[0] },
    ids: new Map(basket.lines.map(({ id }, place) => [id, order.items[place].id])),
    parents: parent ? [parent] : [],
    ripens: addDays(today, pendingDays),
  });
}

/** Writes what a return of this order does into the books, and returns its figures. */
function keep(order: OrderOfStory, asked: Asked) {
  const answer = order.book.take(asked);
  if ('refused' in answer) throw new Error(`seed ${seed}: ${answer.refused}`);
  order.moneyBack += answer.returned.refund.money;
  order.isOver = answer.returned.isNothingKept;
  return figuresOf(order, answer.returned);
}

async function takeBack({ draw, shop }: Story, order: OrderOfStory): Promise<void> {
  const drawn = drawReturn(draw, order.book);
  if (!drawn) return;
  const { earned_points: _, ...asked } = drawn;
  const reply = await shop.giveBack(order, asked);
  expect([order.orderId, reply.status, reply.body.details]).toEqual([order.orderId, 200, undefined]);
  const lines = [...order.ids.values()];
  expect(saidBy(reply, lines)).toEqual(keep(order, asked));
}

async function rollBack({ shop, books }: Story, order: OrderOfStory): Promise<void> {
  if (order.rollback === undefined) return;
  // A redemption can be rolled back for three months.
  if (addDays(order.ripens, daysOfRollback - pendingDays) < shop.today()) return;
  const { status, body } = await shop.rollBack(order.rollback);
  expect([order.orderId, status, body.details]).toEqual([order.orderId, 200, undefined]);
  books.rollBack(order);
}

async function cancel({ shop }: Story, order: OrderOfStory): Promise<void> {
  const { status, body } = await shop.update(order.orderId, { status: 'CANCELED' });
  expect([order.orderId, status, body.status]).toEqual([order.orderId, 200, 'CANCELED']);
  keep(order, everythingLeft(order.book));
  const again = await shop.update(order.orderId, { status: 'PAID' });
  expect([order.orderId, again.body.key]).toEqual([order.orderId, 'order_canceled']);
}

/** Asks again for what was returned. */
async function refuse({ shop }: Story, { orderId, ids, ...order }: OrderOfStory): Promise<void> {
  const [id] = ids.keys();
  const asked = id === undefined ? { amount: 1n } : { items: [{ id, quantity: 1n }] };
  const { body } = await shop.giveBack({ orderId, ids, ...order }, asked);
  expect(['order_canceled', 'return_exceeds_order']).toContain(body.key);
}

async function adjust({ draw, shop, books }: Story): Promise<void> {
  const code = pick(draw, [...gifts, ...customers.map((index) => `CLUB-${index}`)]);
  const amount = draw(2) === 0 ? drawUpTo(draw, 300n) : -drawUpTo(draw, books.balance(code));
  if (amount === 0n || (amount > 0n && code.startsWith('CLUB'))) return;
  expect((await shop.adjust(code, Number(amount))).status).toBe(200);
  books.add(code, amount);
}

async function act(story: Story, number: number): Promise<void> {
  const { draw, books } = story;
  const open = books.orders.filter(({ isOver }) => !isOver);
  const over = books.orders.filter(({ isOver }) => isOver);
  const chance = draw(20);
  if (open.length === 0 || chance < 7) return sell(story, number);
  if (chance < 13) return takeBack(story, pick(draw, open));
  if (chance < 14) return rollBack(story, pick(draw, open));
  if (chance < 15) return cancel(story, pick(draw, open));
  if (chance < 16) return adjust(story);
  if (chance < 18 && over.length > 0) return refuse(story, pick(draw, over));
  return nextDay(story, 1 + draw(12));
}

async function expectBooks({ shop, books }: Story, number: number): Promise<void> {
  const codes = [...gifts, ...customers.flatMap((index) => [`CLUB-${index}`, `KEEP-${index}`])];
  const read = await Promise.all(codes.map((code) => shop.balance(code)));
  const kept = codes.map((code) => Number(books.balance(code)));
  expect([number, Object.fromEntries(codes.map((code, index) => [code, read[index]]))]).toEqual([
    number,
    Object.fromEntries(codes.map((code, index) => [code, kept[index]])),
  ]);
  for (const index of customers) {
    const { total_amount, total_count } = (await shop.customer(index)).summary.orders;
    expect([number, index, { total_amount, total_count }]).toEqual([number, index, books.paidBy(index)]);
  }
}

test(`a shop's ${actions} actions with returns end as in books kept outside`, { timeout: 3_600_000 }, async () => {
  const shop = await openStory({ orders_carry_effects: true });
  const books = new StoryBook();
  for (const code of gifts) books.gifts.set(code, BigInt(startedWith.gift));
  for (const index of customers) books.add(`KEEP-${index}`, BigInt(startedWith.keep));
  const story = { draw: seeded(seed), shop, books };
  for (let number = 0; number < actions; number++) {
    await act(story, number);
    await expectBooks(story, number);
  }
});
