import { api, type BodyOf, dataOf, type QueryOf, type Schemas } from './api.ts';
import { foldCheckouts } from './checkouts.ts';
import { isParent } from './day-events.ts';
import type { Redemption } from './redemption.ts';

/** Reads an order with everything that happened to it: redemptions, payments and returns. */

export type Order = Schemas['Order'];
export type OrderReturn = Schemas['OrderReturn'];
export type ReturnDone = Schemas['OrderReturnDone'];
export type AskedReturn = BodyOf<'create-return'>;

export interface OrderStory {
  readonly order: Order;
  /** Are the redemptions of single codes and promotions, in their order. */
  readonly parts: readonly Redemption[];
  /** Are the returns of the order, the newest first. */
  readonly returns: readonly OrderReturn[];
}

const mostReturns = 100;

async function readReturns(orderId: string): Promise<OrderReturn[]> {
  const returns: OrderReturn[] = [];
  for (let page = 1; ; page += 1) {
    const query: QueryOf<'list-returns'> = { limit: mostReturns, page };
    const reply = await dataOf(api.GET('/v1/orders/{orderId}/returns', { params: { path: { orderId }, query } }));
    returns.push(...reply.returns);
    if (!reply.has_more) return returns;
  }
}

async function readParts({ redemptions = {} }: Order): Promise<Redemption[]> {
  const read = (redemptionId: string) =>
    api.GET('/v1/redemptions/{redemptionId}', { params: { path: { redemptionId } } }).then(({ data }) => data ?? []);
  const found = await Promise.all(Object.keys(redemptions).map(read));
  const checkouts = await foldCheckouts(found.flat());
  return checkouts.flatMap(({ parts }) => parts).filter((one) => !isParent(one));
}

/** Reads the story. A redemption that the key may not read is left out. */
export async function readStory(orderId: string): Promise<OrderStory> {
  const order = await dataOf(api.GET('/v1/orders/{orderId}', { params: { path: { orderId } } }));
  const [parts, returns] = await Promise.all([readParts(order).catch(() => []), readReturns(order.id)]);
  return { order, parts, returns };
}

const sum = <T>(all: readonly T[], of: (one: T) => number | undefined) =>
  all.reduce((total, one) => total + (of(one) ?? 0), 0);

interface Payment {
  readonly redemption: Redemption;
  readonly paid: number;
  readonly points: number;
  /** The amount that returns gave back. */
  readonly back: number;
  readonly pointsBack: number;
}

/** Returns the payments by cards. A rollback removes a payment, and a return remembers it. */
export function listPayments({ parts, returns }: OrderStory): Payment[] {
  const ofReturn = new Set(returns.flatMap(({ rolled_back: rolled }) => rolled));
  return parts.flatMap((redemption): Payment[] => {
    const { id, status, gift, loyalty_card: card, order } = redemption;
    if (status !== 'SUCCEEDED' && !ofReturn.has(id)) return [];
    const points = card?.points ?? 0;
    // Points that bought a reward took nothing off the order.
    const paid = gift?.amount ?? (points > 0 ? (order?.total_applied_discount_amount ?? 0) : 0);
    if (paid === 0) return [];
    const credits = returns.flatMap(({ refund }) => refund.credits).filter((one) => one.redemption_id === id);
    const given = returns.flatMap(({ refund }) => refund.points).filter((one) => one.redemption_id === id);
    return [
      {
        redemption,
        paid,
        points,
        back: sum(credits, ({ amount }) => amount) + sum(given, ({ worth }) => worth),
        pointsBack: sum(given, (one) => one.points),
      },
    ];
  });
}

/** A line of an order, or the amount that no line has. */
interface StoryLine {
  readonly id: string;
  /** Is empty for the amount that no line has. */
  readonly name: string;
  readonly quantity: number;
  readonly returned: number;
  /** Is the part of the amount that the returned units had. */
  readonly returnedAmount: number;
  readonly amount: number;
  readonly discount: number;
  readonly share: number;
  readonly worth: number;
}

export const restId = 'rest';

export function nameLine({ product, sku, product_id: productId, sku_id: skuId, ...line }: Order['items'][number]) {
  const named = [product?.name, sku?.sku].filter(Boolean).join(', ');
  return named || (productId ?? skuId ?? line.source_id ?? line.id ?? '');
}

const withWorth = (line: Omit<StoryLine, 'worth'>): StoryLine => ({
  ...line,
  worth: line.amount - line.discount - line.share,
});

/** Returns the lines with what they are worth after discounts. Payments by cards are not discounts. */
export function listLines(story: OrderStory): StoryLine[] {
  const { order, returns } = story;
  const payments = listPayments(story);
  const paidLines = payments.flatMap(({ redemption }) => redemption.order?.items ?? []);
  const lines = order.items.map((item) =>
    withWorth({
      id: item.id ?? '',
      name: nameLine(item),
      quantity: item.quantity,
      returned: item.returned_quantity ?? 0,
      returnedAmount: item.returned_amount ?? 0,
      amount: item.amount ?? 0,
      discount:
        (item.discount_amount ?? 0) -
        sum(paidLines, ({ id, applied_discount_amount: applied }) => (id === item.id ? applied : 0)),
      share: item.order_discount_share ?? 0,
    }),
  );
  const isWhole = lines.length === 0;
  const beyond = (order.amount ?? 0) - sum(lines, ({ amount }) => amount);
  if (beyond <= 0) return lines;
  const rest = returns.flatMap(({ items }) => items).filter(({ id }) => id === restId);
  const all = (order.total_discount_amount ?? 0) - sum(payments, ({ paid }) => paid);
  return [
    ...lines,
    withWorth({
      id: restId,
      name: '',
      quantity: 1,
      returned: sum(rest, ({ quantity }) => quantity),
      returnedAmount: sum(rest, ({ amount }) => amount),
      amount: beyond,
      discount: 0,
      share: isWhole ? all : (order.rest_discount_share ?? 0),
    }),
  ];
}

export interface Sums {
  readonly amount: number;
  readonly discount: number;
  /** The amount after discounts, which cards and money pay. */
  readonly worth: number;
  readonly money: number;
  readonly moneyBack: number;
  readonly back: number;
}

export function addStoryUp(story: OrderStory): Sums {
  const { order, returns } = story;
  const amount = order.amount ?? 0;
  const money = order.total_amount ?? amount;
  const worth = money + sum(listPayments(story), ({ paid }) => paid);
  return {
    amount,
    discount: amount - worth,
    worth,
    money,
    moneyBack: sum(returns, ({ refund }) => refund.money),
    back: sum(returns, ({ refund }) => refund.total),
  };
}

/** Returns the request for all that is left, or `undefined` if nothing is. */
export function askForAll(story: OrderStory): AskedReturn | undefined {
  const left = listLines(story).filter(({ quantity, returned }) => quantity > returned);
  if (story.order.status === 'CANCELED' || left.length === 0) return undefined;
  return { items: left.map(({ id, quantity, returned }) => ({ id, quantity: quantity - returned })) };
}

/** Returns what the API says that a return would do. Nothing is written. */
export function previewReturn(orderId: string, asked: AskedReturn): Promise<ReturnDone> {
  const body: AskedReturn = { ...asked, dry_run: true };
  return dataOf(api.POST('/v1/orders/{orderId}/returns', { params: { path: { orderId } }, body }));
}

export interface EarnedPoints {
  readonly code: string;
  readonly earned: number;
  readonly taken: number;
  readonly missing: number;
}

/**
 * Returns the points that the order earned, by card. A return of all that is left names those that are still earned. A key that may not
 * ask for it sees those that returns have taken.
 */
export async function readEarned(story: OrderStory): Promise<EarnedPoints[]> {
  const all = askForAll(story);
  const left = all && (await previewReturn(story.order.id, all).catch(() => undefined));
  const past = story.returns.flatMap(({ earned_points: points }) => points);
  const byCode = Map.groupBy([...past, ...(left?.earned_points ?? [])], ({ code }) => code);
  return [...byCode].map(([code, entries]) => {
    const taken = past.filter((one) => one.code === code);
    return {
      code,
      earned: sum(entries, ({ points }) => points),
      taken: sum(taken, ({ points, missing }) => points - missing),
      missing: sum(taken, ({ missing }) => missing),
    };
  });
}
