import { addUp } from '#kernel/core/sum.ts';
import { computeFigures, readStatedFigures } from './figures.ts';
import { type OrderLine, omitEmpty } from './line.ts';
import type { KeptOrder } from './redeemed-order.ts';
import type { OrderItem } from './resource.ts';

/** Removes the effects of one redemption from an order, while others stay. */

/** The orders that redemptions store. */
export interface OrderParts {
  readonly own: KeptOrder;
  /** The remaining redemptions that were redeemed before it. */
  readonly earlier: readonly KeptOrder[];
  /** The remaining redemptions that were redeemed after it. Their discounts exist, whatever was sent in between. */
  readonly later: readonly KeptOrder[];
}

/** The changes of a line. */
interface LinePart {
  readonly discount: number;
  readonly free: number;
  readonly freed: number;
  /** Negative if units moved to another line. */
  readonly quantity: number;
  readonly amount: number;
}

type Lines = readonly OrderLine[];

/** Returns the changes for each line of the order. A line that was sent again has a new id, and none of the earlier changes. */
function partsOf(items: Lines, orders: readonly KeptOrder[]): LinePart[] {
  const byId = Map.groupBy(
    orders.flatMap((one) => one.items),
    ({ id }) => id,
  );
  return items.map(({ id }) => {
    const lines = (id === undefined ? undefined : byId.get(id)) ?? [];
    return {
      discount: addUp(lines, (line) => line.applied_discount_amount),
      free: addUp(lines, (line) => line.applied_discount_quantity),
      freed: addUp(lines, (line) => line.applied_freed_quantity),
      quantity: addUp(lines, (line) => line.applied_quantity),
      amount: addUp(lines, (line) => line.applied_quantity_amount),
    };
  });
}

/** A discount that moved between lines with replaced units, by the lines' indices. */
interface Move {
  readonly from: number;
  readonly to: number;
  readonly discount: number;
}

function movesOf(items: Lines, orders: readonly KeptOrder[]): Move[] {
  const indexOf = (id: string | undefined) => (id === undefined ? -1 : items.findIndex((line) => line.id === id));
  return orders.flatMap((one) =>
    one.items
      .flatMap(({ application_details = [] }) => application_details)
      .flatMap(({ source_index, target_index, moved_discount_amount: discount = 0 }) => {
        const from = indexOf(one.items[source_index]?.id);
        const to = indexOf(one.items[target_index]?.id);
        return discount > 0 && from >= 0 && to >= 0 ? [{ from, to, discount }] : [];
      }),
  );
}

/** Returns the added amount without the own part. It is at most what others added, because the order may have changed since. */
function without(there: number, own: number, others: number): number {
  return own < 0 ? Math.min(there - own, Math.max(there, others)) : Math.max(there - own, Math.min(there, others));
}

/** Returns one redemption's changes of line discounts, including those that moved with units. */
function discountsBy(items: Lines, own: KeptOrder): number[] {
  const discounts = partsOf(items, [own]).map(({ discount }) => discount);
  for (const { from, to, discount } of movesOf(items, [own])) {
    discounts[from] = (discounts[from] ?? 0) - discount;
    discounts[to] = (discounts[to] ?? 0) + discount;
  }
  return discounts;
}

/** Applies one more redemption. Its units took at most the existing discount of a line. */
function followedBy(items: Lines, before: readonly number[], one: KeptOrder): number[] {
  const effects = discountsBy(items, one);
  const after = before.map((discount, index) => discount + (effects[index] ?? 0));
  const moves = movesOf(items, [one]);
  // Discounts move from line to line. Each pass is one step further.
  for (const { from, to, discount } of moves.flatMap(() => moves)) {
    const part = Math.min(Math.max(0, -(after[from] ?? 0)), discount);
    after[from] = (after[from] ?? 0) + part;
    after[to] = (after[to] ?? 0) - part;
  }
  return after;
}

/** Returns the line discounts: the callers' own, then the discounts of staying redemptions one after another. */
function discountsWithout(items: Lines, { own, earlier, later }: OrderParts): number[] {
  const all = [...earlier, own, ...later].map((one) => discountsBy(items, one));
  const first = items.map(({ sent_discount_amount: sent, discount_amount: there = 0 }, index) => {
    return sent ?? Math.max(0, there - addUp(all, (effects) => effects[index]));
  });
  const left = [...earlier, ...later].reduce((before, one) => followedBy(items, before, one), first);
  const ofLater = partsOf(items, later);
  return items.map(({ discount_amount: there = 0 }, index) => {
    // A line that was sent again with a smaller discount has the later discounts.
    const since = (first[index] ?? 0) < 0 ? Math.min(there, ofLater[index]?.discount ?? 0) : 0;
    return Math.max(since, left[index] ?? 0);
  });
}

function lineWithout(line: OrderLine, own: LinePart, others: LinePart, discount: number): OrderLine {
  const { discount_amount: _, discount_quantity = 0, freed_quantity = 0, ...rest } = line;
  const { quantity: there, amount: worth, initial_quantity = there, initial_amount = worth } = line;
  const quantity = Math.max(0, initial_quantity + without(there - initial_quantity, own.quantity, others.quantity));
  const free = without(discount_quantity, own.free, others.free);
  const freed = without(freed_quantity, own.freed, others.freed);
  const units = { ...(free > 0 ? { discount_quantity: free } : {}), ...(freed > 0 ? { freed_quantity: freed } : {}) };
  const counts = { ...rest, quantity, ...units };
  if (worth === undefined || initial_amount === undefined) return counts;
  const amount = Math.max(0, initial_amount + without(worth - initial_amount, own.amount, others.amount));
  const taken = Math.min(discount, amount);
  return { ...counts, amount, ...(taken > 0 ? { discount_amount: taken } : {}), subtotal_amount: amount - taken };
}

/** Limits the line discounts to the order's amount, from the first line on. */
function within(amount: number, items: Lines): OrderLine[] {
  let left = amount;
  return items.map((line) => {
    const { discount_amount = 0, ...rest } = line;
    const taken = Math.min(discount_amount, left);
    left -= taken;
    if (taken === discount_amount || line.amount === undefined) return line;
    return { ...rest, ...(taken > 0 ? { discount_amount: taken } : {}), subtotal_amount: line.amount - taken };
  });
}

/** Returns one redemption's discount on the whole order. */
function ofWhole({ applied_discount_amount = 0, excess_applied_discount_amount = 0 }: KeptOrder): number {
  return applied_discount_amount + excess_applied_discount_amount;
}

const costOf = (items: Lines) => addUp(items, ({ amount }) => amount);

/**
 * Returns the lines and figures, with at most the order's amount as the whole discount. Further discounts of others return when the order
 * costs more. A line whose units all disappear is removed, unless others moved units to it and from it, which may return.
 */
export function removePart(before: OrderItem, parts: OrderParts) {
  const { items, initial_amount, sent } = before;
  const said = readStatedFigures(before).discount_amount ?? 0;
  const [own, others] = [partsOf(items, [parts.own]), partsOf(items, [...parts.earlier, ...parts.later])];
  const discounts = discountsWithout(items, parts);
  const changed = [...parts.earlier, ...parts.later].flatMap((one) => one.items);
  const mayComeBack = (id?: string) => changed.some((line) => line.id === id && line.applied_quantity !== undefined);
  const none: LinePart = { discount: 0, free: 0, freed: 0, quantity: 0, amount: 0 };
  const lines = items
    .map((line, index) => lineWithout(line, own[index] ?? none, others[index] ?? none, discounts[index] ?? 0))
    .filter(({ quantity, initial_quantity, id }) => quantity > 0 || initial_quantity !== 0 || mayComeBack(id));
  const excess = sent?.excess_amount ?? 0;
  const exact = before.amount == null ? undefined : before.amount - excess + (costOf(lines) - costOf(items));
  // An order below zero still costs the discounts of its lines.
  const least = excess > 0 ? addUp(lines, ({ discount_amount }) => discount_amount) : 0;
  const amount = exact === undefined ? undefined : Math.max(0, exact, least);
  const discount_amount = without(said, ofWhole(parts.own), addUp(parts.later, ofWhole));
  const kept = within(amount ?? 0, lines);
  const figures = computeFigures(kept, omitEmpty({ amount, initial_amount, discount_amount }));
  return {
    items: kept,
    figures,
    sent: omitEmpty({
      amount: sent?.amount === undefined ? undefined : figures.amount,
      initial_amount: sent?.initial_amount,
      discount_amount: discount_amount || undefined,
      excess_amount:
        excess > 0 && amount !== undefined && exact !== undefined ? amount - exact || undefined : undefined,
    }),
  };
}
