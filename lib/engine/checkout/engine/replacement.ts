import { maxAmount, scaleAmount } from '#kernel/core/money.ts';
import type { Catalogue } from '../orders/line.ts';
import {
  type ApplicationDetail,
  type Cart,
  type CartLine,
  type CartStep,
  computeRest,
  computeSubtotal,
  mergeApplied,
  nothingApplied,
  originalAmount,
  reduceCart,
  setDiscount,
} from './cart.ts';
import type { Selected } from './selection.ts';
import {
  addLine,
  computeWholeUnitPrice,
  findLines,
  hasRoomFor,
  makeEmptyLine,
  replaceLine,
  type UnitKind,
} from './units.ts';

/** Replaces units of lines by another product or SKU, for the price of the replaced units. */

interface Places {
  readonly source: number;
  readonly target: number;
}

/** The part that leaves a line: amount, discount, and earlier price. */
interface Leaving {
  readonly units: number;
  readonly amount: number;
  readonly discount: number;
  readonly original: number;
}

function leavingOf(line: CartLine, units: number): Leaving {
  const { quantity, amount = 0, discount_amount = 0 } = line;
  const part = (whole: number) => scaleAmount(whole, units, quantity);
  return { units, amount: part(amount), discount: part(discount_amount), original: part(originalAmount(line)) };
}

function shrunk(
  { base_quantity: _, freed_quantity: __, ...line }: CartLine,
  { units, amount, discount, original }: Leaving,
): CartLine {
  const { quantity, initial_quantity = quantity, initial_amount = line.amount ?? 0 } = line;
  const rest = {
    ...line,
    quantity: quantity - units,
    initial_quantity,
    initial_amount,
    amount: (line.amount ?? 0) - amount,
    original_amount: originalAmount(line) - original,
  };
  return setDiscount(rest, (line.discount_amount ?? 0) - discount);
}

/** Keeps the discounts of the replaced units, and bases percents on their earlier price. */
function grown(
  { base_quantity: _, freed_quantity: __, ...line }: CartLine,
  units: number,
  worth: number,
  { discount, original }: Leaving,
): CartLine {
  const { quantity, initial_quantity = quantity, amount = 0, initial_amount = amount } = line;
  const bigger = {
    ...line,
    quantity: quantity + units,
    initial_quantity,
    initial_amount,
    amount: amount + worth,
    original_amount: originalAmount(line) + original,
  };
  return setDiscount(bigger, (line.discount_amount ?? 0) + discount);
}

/**
 * Replaces units. `each` is the number of new units for each replaced unit. Units with a higher discount than the new
 * price stay.
 */
function replaceOne(cart: Cart, { source, target }: Places, selected: number, each: number): CartStep | undefined {
  const [from, to] = [cart.lines[source], cart.lines[target]];
  const price = to && computeWholeUnitPrice(to);
  if (!from || !to || price === undefined) return { cart, applied: nothingApplied };
  // Another kind of units in the discount may have reduced the line since its selection.
  const counted = Math.min(selected, from.quantity);
  if (counted === 0) return { cart, applied: nothingApplied };
  const leaving = leavingOf(from, counted);
  const units = counted * each;
  const worth = price * units;
  if (to.quantity + units > maxAmount || !hasRoomFor(cart, worth)) return undefined;
  // Otherwise the discounts that earlier redeemables have reported would be lost.
  if (leaving.discount > worth) return { cart, applied: nothingApplied };
  const less = shrunk(from, leaving);
  const more = grown(to, units, worth, leaving);
  const change = worth - leaving.amount;
  const exchanged = replaceLine(replaceLine(cart, source, less, 0), target, more, Math.max(0, change));
  const moved = change < 0 ? reduceCart(exchanged, -change) : exchanged;
  const off = Math.min(Math.max(0, change), computeSubtotal(more), computeRest(moved));
  const after = replaceLine(moved, target, setDiscount(more, (more.discount_amount ?? 0) + off), 0);
  const detail: ApplicationDetail = {
    source_index: source,
    source_applied_quantity: -counted,
    source_applied_quantity_amount: -leaving.amount || 0,
    target_index: target,
    target_applied_quantity: units,
    target_applied_quantity_amount: worth,
    target_applied_discount_amount: off,
    ...(leaving.discount > 0 ? { moved_discount_amount: leaving.discount } : {}),
  };
  const lines = new Map([
    [source, { applied_quantity: -counted, applied_quantity_amount: -leaving.amount || 0 }],
    [
      target,
      {
        applied_discount_amount: off,
        applied_quantity: units,
        applied_quantity_amount: worth,
        application_details: [detail],
      },
    ],
  ]);
  return { cart: after, applied: { lines } };
}

interface Source {
  readonly catalogue: Catalogue;
  readonly selection: readonly Selected[];
  /** True if lines that have a discount already are left out. */
  readonly isOnce: boolean;
}

/**
 * Replaces units. A cheaper target makes the order cheaper, without a discount. `undefined` means that figures exceed the safe integers.
 */
export function replaceUnits(
  cart: Cart,
  kind: UnitKind,
  each: number,
  { catalogue, selection, isOnce }: Source,
): CartStep | undefined {
  const empty = makeEmptyLine(kind, catalogue);
  const targets = findLines(cart, empty);
  const inReach = targets.filter((index) => !isOnce || !cart.lines[index]?.discount_amount);
  const sources = selection.filter(({ index, counted }) => !targets.includes(index) && counted > 0);
  if (sources.length === 0 || empty.amount === undefined) return { cart, applied: nothingApplied };
  const [target = cart.lines.length] = inReach;
  let step: CartStep | undefined = {
    cart: inReach.length > 0 ? cart : addLine(cart, empty),
    applied: nothingApplied,
  };
  for (const { index, counted } of sources) {
    const next: CartStep | undefined = step && replaceOne(step.cart, { source: index, target }, counted, each);
    step = step && next && { cart: next.cart, applied: mergeApplied(step.applied, next.applied) };
  }
  // A line must not appear without units.
  return step && step.applied.lines.size === 0 ? { cart, applied: nothingApplied } : step;
}
