import { scaleAmount } from '#kernel/core/money.ts';
import { addUp } from '#kernel/core/sum.ts';
import type { PreparedOrder } from '../orders/figures.ts';
import type { OrderLine } from '../orders/line.ts';

/** A line while redeemables are applied to it. */
export type CartLine = OrderLine & {
  /** The collections of its product or SKU, among those that scopes name. */
  readonly collections?: readonly string[] | undefined;
  /** The product and SKU that replies show, if rules and formulas know more of their metadata. */
  readonly shown?: Pick<OrderLine, 'product' | 'sku'> | undefined;
  /**
   * The amount before all discounts, only of a line with replaced units. New units count with the earlier price of the units that they
   * replace.
   */
  readonly original_amount?: number | undefined;
};

/** An order while redeemables are applied one after another. New lines are added at its end, and none is removed. */
export interface Cart {
  /** True if the request has an order. A code can be used without an order. */
  readonly isOrdered: boolean;
  readonly lines: readonly CartLine[];
  /** The amount with added units. Without it no line has money. */
  readonly amount: number | undefined;
  /** The amount before units were added. */
  readonly initial_amount: number | undefined;
  /** The discount on the whole order, besides the discounts of lines. */
  readonly discount_amount: number;
  /** The former discount that exceeds the order since its amount fell. */
  readonly excess_discount_amount: number;
  /** The part of the amount that could not be deducted, because the amount must cover the discounts of lines. */
  readonly excess_amount: number;
}

/** The order that a cart is made of. Its `discount_amount` may exceed its amount. */
export interface CheckoutOrder extends Omit<PreparedOrder, 'items' | 'metadata'> {
  readonly items: readonly CartLine[];
  readonly excess_amount?: number | undefined;
}

/** The part of a line that one redeemable moved to another line, when it replaced units. */
export interface ApplicationDetail {
  readonly source_index: number;
  readonly source_applied_quantity: number;
  readonly source_applied_quantity_amount: number;
  readonly target_index: number;
  readonly target_applied_quantity: number;
  readonly target_applied_quantity_amount: number;
  readonly target_applied_discount_amount: number;
  /** The discount on the replaced units, which is now on the target. It is stored, and not shown. */
  readonly moved_discount_amount?: number;
}

/** The changes of a line, by the names of replies. */
export interface AppliedToLine {
  readonly applied_discount_amount?: number;
  readonly applied_discount_quantity?: number;
  /** The units that a discount of some units made free. It is stored, and not shown. */
  readonly applied_freed_quantity?: number;
  readonly applied_quantity?: number;
  readonly applied_quantity_amount?: number;
  readonly application_details?: ApplicationDetail[];
}

/** The changes of an order. An absent figure was not tried, and 0 had no effect. */
export interface Applied {
  /** The amount that was taken off the whole order. */
  readonly order?: number;
  /** The changes of lines, by their indices. */
  readonly lines: ReadonlyMap<number, AppliedToLine>;
}

export const nothingApplied: Applied = { lines: new Map() };

/** A cart with the changes of the last step. */
export interface CartStep {
  readonly cart: Cart;
  readonly applied: Applied;
}

const unordered: Cart = {
  isOrdered: false,
  lines: [],
  amount: undefined,
  initial_amount: undefined,
  discount_amount: 0,
  excess_discount_amount: 0,
  excess_amount: 0,
};

/** Keeps the cart of each order, because hundreds of redeemables may be tried on one order. */
const kept = new WeakMap<CheckoutOrder, Cart>();

/** Makes a cart. Existing discounts stay as far as they fit. Discounts of lines come first, from the first line on. */
export function buildCart(order: CheckoutOrder | undefined): Cart {
  if (!order) return unordered;
  const cart = kept.get(order) ?? cartMadeOf(order);
  kept.set(order, cart);
  return cart;
}

function cartMadeOf(order: CheckoutOrder): Cart {
  const { amount } = order;
  let left = amount ?? 0;
  const lines = order.items.map((line) => {
    if (line.amount === undefined) return line;
    const taken = Math.min(line.discount_amount ?? 0, line.amount, left);
    left -= taken;
    return setDiscount(line, taken);
  });
  const initial = order.initial_amount ?? amount;
  const discount_amount = order.discount_amount ?? 0;
  return withinAmount({
    ...{ isOrdered: true, lines, amount, initial_amount: initial },
    ...{ discount_amount, excess_discount_amount: 0, excess_amount: order.excess_amount ?? 0 },
  });
}

/** Limits the whole order's discount to the rest after its lines' discounts. */
function withinAmount(cart: Cart): Cart {
  const { amount = 0, discount_amount, excess_discount_amount: excess } = cart;
  const fitting = Math.min(discount_amount, Math.max(0, amount - sumItemDiscounts(cart)));
  return { ...cart, discount_amount: fitting, excess_discount_amount: excess + discount_amount - fitting };
}

/** Lowers the amount of the order, but not below its lines' discounts. The whole order's discount is limited to the rest. */
export function reduceCart(cart: Cart, less: number): Cart {
  const exact = (cart.amount ?? 0) - less;
  const amount = Math.max(exact, sumItemDiscounts(cart));
  return withinAmount({ ...cart, amount, excess_amount: cart.excess_amount + amount - exact });
}

/** Sets the total discount of a line. */
export function setDiscount(line: CartLine, discount: number): CartLine {
  const { amount = 0, discount_amount: _, ...rest } = line;
  const shown = discount > 0 || line.discount_amount !== undefined ? { discount_amount: discount } : {};
  return { ...rest, amount, ...shown, subtotal_amount: amount - discount };
}

function sumItemDiscounts({ lines }: Cart): number {
  return addUp(lines, ({ discount_amount = 0 }) => discount_amount);
}

/** Returns the rest to pay. */
export function computeRest(cart: Cart): number {
  return (cart.amount ?? 0) - cart.discount_amount - sumItemDiscounts(cart);
}

/** Returns the amount of a line before discounts and free units. Replaced units do not count any more. */
export function originalAmount({ amount = 0, initial_amount = amount, original_amount }: CartLine): number {
  return original_amount ?? Math.min(amount, initial_amount);
}

/** Returns the rest to pay of a line. */
export function computeSubtotal({ amount = 0, discount_amount = 0 }: CartLine): number {
  return amount - discount_amount;
}

/**
 * Counts the free units of a line, which come first in it. The line's discount must cover their price, because callers
 * may also send `discount_quantity`. If a line without other units still costs something, no unit is free.
 */
export function countFree(line: CartLine): number {
  const { quantity, discount_quantity = 0, freed_quantity = 0, discount_amount = 0, amount = 0 } = line;
  if (discount_quantity + freed_quantity === 0 || amount === 0) return 0;
  const free = Math.min(discount_quantity + freed_quantity, scaleAmount(discount_amount, quantity, amount));
  return free < quantity ? free : 0;
}

/** Returns whether discounts of lines have left nothing to pay of the line. */
export function isSpent(line: CartLine): boolean {
  return (line.discount_amount ?? 0) > 0 && computeSubtotal(line) === 0;
}

/** Returns the rest to pay of some of the units that are not free. */
export function computeRestOf(line: CartLine, units: number): number {
  const open = line.quantity - countFree(line);
  return units < open ? scaleAmount(computeSubtotal(line), units, open) : computeSubtotal(line);
}

/** Deducts an amount from the whole order, down to 0 at most. */
export function takeOffOrder(cart: Cart, wanted: number): CartStep {
  const taken = Math.min(wanted, computeRest(cart));
  return {
    cart: { ...cart, discount_amount: cart.discount_amount + taken },
    applied: { order: taken, lines: new Map() },
  };
}

/** Returns the number of units that a discount of some units makes free. */
function countFreed(line: CartLine, units: number, taken: number): number {
  return taken > 0 && taken >= computeRestOf(line, units) ? units : 0;
}

/**
 * Deducts amounts from lines, down to 0 for the line and, from the first line on, for the order. `units` names the
 * discounted units.
 */
export function takeOffLines(
  cart: Cart,
  wanted: ReadonlyMap<number, number>,
  units: ReadonlyMap<number, number> = new Map(),
): CartStep {
  const applied = new Map<number, AppliedToLine>();
  let left = computeRest(cart);
  const lines = cart.lines.map((line, index) => {
    const amount = wanted.get(index);
    if (amount === undefined) return line;
    const taken = Math.min(amount, computeSubtotal(line), left);
    left -= taken;
    const freed = countFreed(line, units.get(index) ?? 0, taken);
    const discounted = setDiscount(line, (line.discount_amount ?? 0) + taken);
    applied.set(index, { applied_discount_amount: taken, ...(freed > 0 ? { applied_freed_quantity: freed } : {}) });
    return freed > 0 ? { ...discounted, freed_quantity: (line.freed_quantity ?? 0) + freed } : discounted;
  });
  return { cart: { ...cart, lines }, applied: { lines: applied } };
}

const summed = [
  'applied_discount_amount',
  'applied_discount_quantity',
  'applied_freed_quantity',
  'applied_quantity',
  'applied_quantity_amount',
] as const;

function both(one: AppliedToLine | undefined, other: AppliedToLine): AppliedToLine {
  if (!one) return other;
  const figures = summed.flatMap((name) =>
    one[name] === undefined && other[name] === undefined ? [] : [[name, (one[name] ?? 0) + (other[name] ?? 0)]],
  );
  const details = [...(one.application_details ?? []), ...(other.application_details ?? [])];
  return { ...Object.fromEntries(figures), ...(details.length > 0 ? { application_details: details } : {}) };
}

/** Merges two changes. */
export function mergeApplied(one: Applied, other: Applied): Applied {
  const lines = new Map(one.lines);
  for (const [index, applied] of other.lines) lines.set(index, both(lines.get(index), applied));
  const order =
    one.order === undefined && other.order === undefined ? {} : { order: (one.order ?? 0) + (other.order ?? 0) };
  return { ...order, lines };
}

/** Returns whether anything was taken off or added. */
export function hasEffect({ order = 0, lines }: Applied): boolean {
  return order > 0 || [...lines.values()].some((line) => summed.some((name) => (line[name] ?? 0) !== 0));
}
