import type { Dependencies } from '#kernel/http/composition.ts';
import { operations } from '../../../infra/operations.ts';
import { caller, type Reply } from '../call.ts';
import type { Asked, Returned } from './return-book.ts';
import type { Headers, Sold } from './selling.ts';

/** Returns by requests, and what the books expect of each reply. */

/** Finds the operation by its route, so that its file may have any name. */
function findByRoute(method: string, path: string) {
  const found = operations.find(({ route }) => route.method === method && route.path === path);
  if (!found) throw new Error(`no operation has the route ${method} ${path}`);
  return found.handler;
}

interface More {
  source_id?: string;
  dry_run?: boolean;
}

function wireReturn({ ids }: Pick<Sold, 'ids'>, { items, amount, ...options }: Asked, more: More = {}) {
  return {
    ...more,
    ...(items
      ? { items: items.map(({ id, quantity }) => ({ id: ids.get(id) ?? id, quantity: Number(quantity) })) }
      : {}),
    ...(amount === undefined ? {} : { amount: Number(amount) }),
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
}

export function sendReturn(
  headers: Headers,
  sold: Pick<Sold, 'ids' | 'orderId'>,
  asked: Asked,
  more: More = {},
  dependencies?: Dependencies,
) {
  const handler = findByRoute('POST', '/v1/orders/{orderId}/returns');
  return caller(
    handler,
    dependencies,
  )({ headers, params: { orderId: sold.orderId }, body: wireReturn(sold, asked, more) });
}

/** Returns what a reply must say, by the books. Entries without any figure may be left out. */
export function figuresOf({ ids, parents }: Pick<Sold, 'ids' | 'parents'>, returned: Returned) {
  const { items, refund, reclaimed, earned, rolledBack } = returned;
  const named = (id: string) => ids.get(id) ?? id;
  return {
    items: items.map(({ id, quantity, amount, discount, share, net }) => ({
      ...{ id: named(id), quantity: Number(quantity), amount: Number(amount), discount: Number(discount) },
      ...{ order_discount_share: Number(share), net: Number(net) },
    })),
    ...{ total: Number(refund.total), money: Number(refund.money), reclaimed: Number(reclaimed) },
    credits: refund.credits
      .filter(({ amount, isDeleted }) => amount > 0n && !isDeleted)
      .map(({ code, redemption, amount }) => ({ code, redemption_id: named(redemption), amount: Number(amount) })),
    points: refund.points
      .filter(({ worth, points, isDeleted }) => (worth > 0n || points > 0n) && !isDeleted)
      .map(({ code, redemption, points, worth }) => ({
        ...{ code, redemption_id: named(redemption), points: Number(points), worth: Number(worth) },
      })),
    earned: earned.map(({ code, points, pending, balance, missing }) => ({
      ...{ code, points: Number(points), missing: Number(missing) },
      taken_from: { pending: Number(pending), balance: Number(balance) },
    })),
    rolled_back: [...(rolledBack.length > 0 ? [...rolledBack.map(named), ...parents] : [])].sort(),
  };
}

type Entry = Readonly<Record<string, unknown>>;

/** Returns these figures of an entry. A figure that is left out is 0. */
function figures(entry: Entry, texts: readonly string[], numbers: readonly string[]) {
  return Object.fromEntries([
    ...texts.map((key) => [key, entry[key]]),
    ...numbers.map((key) => [key, Number(entry[key] ?? 0)]),
  ]);
}

const ofLine = ['quantity', 'amount', 'discount', 'order_discount_share', 'net'];
const ofPayment = ['code', 'redemption_id'];

/** Returns what a reply says, in the form of `figuresOf`. Lines are in the order of `order`. */
export function saidBy({ body }: Reply, order: readonly string[]) {
  const { items = [], refund, reclaimed, earned_points = [], rolled_back = [] } = body;
  const place = ({ id }: { id: string }) => order.indexOf(id);
  const shown = (entries: readonly Entry[] = [], numbers: readonly string[]) =>
    entries.map((entry) => figures(entry, ofPayment, numbers)).filter((entry) => numbers.some((key) => entry[key] > 0));
  return {
    // The amount of an order without lines is shown, but it is not a unit. `refund.total` still is the sum of all nets.
    items: items
      .filter(({ quantity }: Entry) => quantity !== 0)
      .sort((a: { id: string }, b: { id: string }) => place(a) - place(b))
      .map((item: Entry) => figures(item, ['id'], ofLine)),
    ...{ total: refund.total, money: refund.money, reclaimed: reclaimed ?? 0 },
    credits: shown(refund.credits, ['amount']),
    points: shown(refund.points, ['points', 'worth']),
    earned: earned_points.map(({ taken_from = {}, ...entry }) => ({
      ...figures(entry, ['code'], ['points', 'missing']),
      taken_from: figures(taken_from, [], ['pending', 'balance']),
    })),
    rolled_back: [...rolled_back].sort(),
  };
}
