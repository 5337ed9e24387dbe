import { share } from '#kernel/core/money.ts';
import { addUp } from '#kernel/core/sum.ts';
import { type OrderLine, omitEmpty } from './orders/line.ts';
import type { KeptOrder } from './orders/redeemed-order.ts';
import type { OrderItem } from './orders/resource.ts';

/** Shares discounts on a whole order over its lines. Payments by cards do not count as discounts here. */

/** The part of one redemption in an order's discounts. */
export interface SharedPart {
  /** The discount on the whole order. */
  readonly discount: number;
  /** The payment of a card for the whole order. */
  readonly paid: number;
  /** The payment of a card for a line, by the line's index. */
  readonly paidOf: (index: number) => number;
}

type Priced = Pick<OrderLine, 'amount' | 'discount_amount' | 'paid_by_cards'>;

/**
 * Returns the worth of each line after its own discounts, and last the worth of the order that no line has. An amount below the sum of the
 * lines lowers each by its part.
 */
export function readWorths(amount: number | null | undefined, items: readonly Priced[]): number[] {
  const worths = items.map(({ amount: cost = 0, discount_amount: off = 0, paid_by_cards: paid = 0 }) =>
    Math.max(0, cost - Math.max(0, off - paid)),
  );
  const beyond = (amount ?? 0) - addUp(items, (line) => line.amount);
  if (beyond >= 0) return [...worths, beyond];
  const less = share(
    Math.min(
      -beyond,
      addUp(worths, (worth) => worth),
    ),
    worths,
  );
  return [...worths.map((worth, index) => worth - (less[index] ?? 0)), 0];
}

const sum = (all: readonly number[]) => addUp(all, (one) => one);

/** Returns shares that sum to the total, as far as the lines are worth it. Known shares stay unless the total fell below them. */
export function settleShares(known: readonly number[], worths: readonly number[], total: number): number[] {
  const fitting = worths.map((worth, index) => Math.min(worth, known[index] ?? 0));
  const open = Math.min(total, sum(worths)) - sum(fitting);
  if (open === 0) return fitting;
  if (open < 0) return share(Math.min(total, sum(worths)), worths);
  const more = share(
    open,
    worths.map((worth, index) => worth - (fitting[index] ?? 0)),
  );
  return fitting.map((one, index) => one + (more[index] ?? 0));
}

type Shared = Pick<
  OrderItem,
  'items' | 'amount' | 'discount_amount' | 'paid_by_cards' | 'rest_discount_share' | 'status'
>;

function sharesIn({ items, rest_discount_share: rest }: Pick<Shared, 'items' | 'rest_discount_share'>): number[] {
  return [...items.map(({ order_discount_share: one = 0 }) => one), rest ?? 0];
}

/**
 * Returns the order with its shares, and the shares before the parts and after each of them, in their order. `before` is the order before the
 * parts.
 */
export function shareDiscounts<O extends Shared>(
  { rest_discount_share: _, paid_by_cards: __, ...order }: O,
  before: Pick<Shared, 'rest_discount_share' | 'paid_by_cards'> | undefined,
  parts: readonly SharedPart[] = [],
) {
  const { rest_discount_share, paid_by_cards: paidBefore } = before ?? {};
  const items = order.items.map(({ paid_by_cards: known = 0, ...line }, index) => {
    const paid = Math.min(known + addUp(parts, (part) => part.paidOf(index)), line.discount_amount ?? 0);
    return { ...line, ...omitEmpty({ paid_by_cards: paid || undefined }) };
  });
  const paid = Math.min((paidBefore ?? 0) + addUp(parts, (part) => part.paid), order.discount_amount ?? 0);
  const total = (order.discount_amount ?? 0) - paid;
  const worths = readWorths(order.amount, items);
  let sought = Math.max(0, total - addUp(parts, (part) => part.discount));
  const steps = [settleShares(sharesIn({ items, rest_discount_share }), worths, sought)];
  for (const { discount } of parts) {
    sought = Math.min(total, sought + discount);
    steps.push(settleShares(steps.at(-1) ?? [], worths, sought));
  }
  const last = steps.at(-1) ?? [];
  return {
    steps,
    order: {
      ...order,
      ...omitEmpty({ paid_by_cards: paid || undefined }),
      ...omitEmpty({ rest_discount_share: (items.length > 0 ? last[items.length] : undefined) || undefined }),
      items: items.map(({ order_discount_share: _, ...line }, index) => ({
        ...line,
        ...omitEmpty({ order_discount_share: last[index] || undefined }),
      })),
    },
  };
}

/** Returns the order without one redemption's shares, or without its payment. Others keep theirs. */
export function removeShares(order: OrderItem, own: KeptOrder, isPayment: boolean): OrderItem {
  const owned = new Map(own.items.map((line) => [line.id, line]));
  const { applied_discount_amount: taken = 0 } = own;
  const ofLines = addUp(own.items, (line) => line.applied_order_discount_share);
  const less = (there: number | null | undefined, by: number | undefined) => Math.max(0, (there ?? 0) - (by ?? 0));
  const items = order.items.map((line) => {
    const { applied_order_discount_share: share, applied_discount_amount: paid } = owned.get(line.id) ?? {};
    return {
      ...line,
      order_discount_share: less(line.order_discount_share, share),
      ...omitEmpty({ paid_by_cards: isPayment ? less(line.paid_by_cards, paid) : line.paid_by_cards }),
    };
  });
  const left = isPayment
    ? { ...order, items, paid_by_cards: less(order.paid_by_cards, taken) }
    : { ...order, items, rest_discount_share: less(order.rest_discount_share, taken - ofLines) };
  return shareDiscounts(left, left).order;
}
