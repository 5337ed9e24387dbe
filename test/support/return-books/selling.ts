import { expect } from 'vitest';
import { handler as createOrder } from '../../../functions/orders/create-order.ts';
import { handler as getOrder } from '../../../functions/orders/get-order.ts';
import { handler as updateOrder } from '../../../functions/orders/update-order.ts';
import { handler as redeemRedeemables } from '../../../functions/redemptions/redeem-redeemables.ts';
import { handler as adjustBalance } from '../../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as deleteVoucher } from '../../../functions/vouchers/delete-voucher.ts';
import { handler as getVoucher } from '../../../functions/vouchers/get-voucher.ts';
import { caller } from '../call.ts';
import { total } from './exact.ts';
import { ReturnBook } from './return-book.ts';
import { type Coupon, type Payment, paymentsOf, type Sale, type SoldLine } from './sale.ts';
import { accountOf, earnedBy, type Planned } from './shop.ts';

/** Sells drawn orders by requests, and opens the books of each. */

export type Headers = Record<string, string>;

export interface Sold {
  orderId: string;
  book: ReturnBook;
  planned: Planned;
  /** Maps the ids of redemptions and lines in the books to the service's. */
  ids: ReadonlyMap<string, string>;
  /** The redemptions that join several of one request. */
  parents: readonly string[];
}

const wireLine = (name: string, { id, quantity, amount, discount }: SoldLine) => ({
  ...{ source_id: `${name}-${id}`, quantity: Number(quantity), amount: Number(amount) },
  ...(discount > 0n ? { discount_amount: Number(discount) } : {}),
});

function wireRedeemable(one: Coupon | Payment) {
  if (one.kind === 'coupon') return { object: 'voucher', id: one.redemption };
  if (one.kind === 'credits') return { object: 'voucher', id: one.code, gift: { credits: Number(one.charged) } };
  return { object: 'voucher', id: one.code, reward: { id: one.reward, points: Number(one.charged) } };
}

function wireOrder({ name, sale, isPaid, requests }: Planned) {
  const { lines, amount } = sale;
  return {
    source_id: name,
    // An order of several requests is paid after the last, so that it earns by its final figures.
    status: isPaid && requests.length < 2 ? 'PAID' : 'CREATED',
    ...(lines.length > 0 ? { items: lines.map((line) => wireLine(name, line)) } : {}),
    ...(amount === undefined ? {} : { amount: Number(amount) }),
  };
}

/** Makes the order, redeems on it, and pays it. */
async function place(headers: Headers, planned: Planned) {
  const customer = { id: `cust_${planned.name}` };
  const ids = new Map<string, string>();
  const parents: string[] = [];
  let orderId: string | undefined;
  for (const redeemed of planned.requests) {
    const order = orderId === undefined ? wireOrder(planned) : { id: orderId };
    const body = { redeemables: redeemed.map(wireRedeemable), customer, order };
    const reply = await caller(redeemRedeemables)({ headers, body });
    expect([reply.status, reply.body.details, planned.name]).toEqual([200, undefined, planned.name]);
    for (const [index, { redemption }] of redeemed.entries()) ids.set(redemption, reply.body.redemptions[index].id);
    if (reply.body.parent_redemption) parents.push(reply.body.parent_redemption.id);
    orderId = reply.body.order.id;
  }
  if (orderId === undefined) {
    const reply = await caller(createOrder)({ headers, body: { ...wireOrder(planned), customer } });
    expect([reply.status, reply.body.details]).toEqual([200, undefined]);
    return { orderId: String(reply.body.id), ids, parents };
  }
  if (planned.isPaid && planned.requests.length > 1) {
    const params = { orderId };
    expect((await caller(updateOrder)({ headers, params, body: { status: 'PAID' } })).status).toBe(200);
  }
  return { orderId, ids, parents };
}

export async function readOrder(headers: Headers, orderId: string) {
  return (await caller(getOrder)({ headers, params: { orderId } })).body;
}

/** Returns the balance of a gift card or loyalty card. */
export async function balanceOf(headers: Headers, code: string): Promise<bigint> {
  const { body } = await caller(getVoucher)({ headers, params: { code } });
  return BigInt((body.gift ?? body.loyalty_card).balance);
}

/** Checks that the service's order has the drawn figures. */
function expectSold(sale: Sale, order: Record<string, number>, net: bigint): void {
  const own = total(sale.lines.map(({ discount }) => discount));
  const off = total(sale.redeemed.map((one) => (one.kind === 'coupon' ? one.discount : one.worth)));
  expect([BigInt(order.discount_amount ?? 0), BigInt(order.items_discount_amount ?? 0)]).toEqual([off, own]);
  const paid = total(paymentsOf(sale).map(({ worth }) => worth));
  expect(BigInt(order.total_amount ?? 0)).toBe(net - paid);
}

/** Spends points of the card that earned, or does nothing if the card has none. */
async function spend(headers: Headers, code: string, points: bigint): Promise<void> {
  if (points === 0n) return;
  const body = { amount: -Number(points) };
  expect((await caller(adjustBalance)({ headers, params: { code }, body })).status).toBe(200);
}

export async function sell(headers: Headers, planned: Planned): Promise<Sold> {
  const { sale } = planned;
  const { orderId, ids, parents } = await place(headers, planned);
  const order = await readOrder(headers, orderId);
  const { net, lines } = new ReturnBook(sale);
  expectSold(sale, order, net);
  for (const [index, { id }] of sale.lines.entries()) ids.set(id, order.items[index].id);
  const paid = total(paymentsOf(sale).map(({ worth }) => worth));
  const earned = earnedBy(planned, total(lines.map(({ amount }) => amount)), net - paid);
  const account = accountOf(planned, earned);
  if (account && account.pending === 0n) {
    expect(await balanceOf(headers, account.code)).toBe(earned);
    await spend(headers, account.code, earned - total(account.lots.map(({ points }) => points)));
  }
  for (const code of planned.deleted)
    expect((await caller(deleteVoucher)({ headers, params: { code } })).status).toBe(204);
  const book = new ReturnBook(sale, { accounts: account ? [account] : [], deleted: planned.deleted });
  return { orderId, book, planned, ids, parents };
}
