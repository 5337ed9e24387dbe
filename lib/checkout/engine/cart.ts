import { sumOf } from '../../core/sum.ts';
import type { PreparedOrder } from '../orders/figures.ts';
import type { OrderLine } from '../orders/line.ts';

/** A line while redeemables are applied to it. */
export type CartLine = OrderLine & {
  /** Those that its product or SKU is in, of those that scopes name. */
  readonly collections?: readonly string[] | undefined;
  /** What replies show of its product and SKU, where rules and formulas know more metadata of them. */
  readonly shown?: Pick<OrderLine, 'product' | 'sku'> | undefined;
  /** Of a line of which units were replaced, or that has units in their place: with what those cost before all discounts. */
  readonly original_amount?: number | undefined;
};

/** An order while redeemables are applied to it, one after the other; lines are added at its end and never leave. */
export interface Cart {
  /** A code can be used without any order. */
  readonly isOrdered: boolean;
  readonly lines: readonly CartLine[];
  /** With units that were added; without it nothing has money. */
  readonly amount: number | undefined;
  /** Before units were added. */
  readonly initial_amount: number | undefined;
  /** Off the whole order, beside what is taken off lines. */
  readonly discount_amount: number;
  /** What was off it besides, before it came to cost less than that. */
  readonly excess_discount_amount: number;
  /** The part of the amount by which it is held up: cheaper units never bring it below what is off the lines. */
  readonly excess_amount: number;
}

/** An order that a cart is made of; its `discount_amount` may be more than it costs. */
export interface CheckoutOrder extends Omit<PreparedOrder, 'items' | 'metadata'> {
  readonly items: readonly CartLine[];
  readonly excess_amount?: number | undefined;
}

/** Part of a line that one redeemable took from another line, when it replaced units by others. */
export interface ApplicationDetail {
  readonly source_index: number;
  readonly source_applied_quantity: number;
  readonly source_applied_quantity_amount: number;
  readonly target_index: number;
  readonly target_applied_quantity: number;
  readonly target_applied_quantity_amount: number;
  readonly target_applied_discount_amount: number;
  /** What had been taken off the units that were replaced; it is off the target now. Kept, and not shown. */
  readonly moved_discount_amount?: number;
}

/** What was done to a line, by the names of replies. */
export interface AppliedToLine {
  readonly applied_discount_amount?: number;
  readonly applied_discount_quantity?: number;
  readonly applied_quantity?: number;
  readonly applied_quantity_amount?: number;
  readonly application_details?: ApplicationDetail[];
}

/** What was done to an order: what was not tried is left out, what came to nothing is 0. */
export interface Applied {
  /** Off the whole order. */
  readonly order?: number;
  /** By their indices. */
  readonly lines: ReadonlyMap<number, AppliedToLine>;
}

export const nothingApplied: Applied = { lines: new Map() };

/** A cart with what has just been done to it. */
export interface Step {
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

/** Hundreds of redeemables may be tried on one order. */
const kept = new WeakMap<CheckoutOrder, Cart>();

/** Discounts that are on the order already stay, as far as they fit it: those of lines come first, from the first line on. */
export function cartOf(order: CheckoutOrder | undefined): Cart {
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
    return withDiscount(line, taken);
  });
  const initial = order.initial_amount ?? amount;
  const discount_amount = order.discount_amount ?? 0;
  return withinAmount({
    ...{ isOrdered: true, lines, amount, initial_amount: initial },
    ...{ discount_amount, excess_discount_amount: 0, excess_amount: order.excess_amount ?? 0 },
  });
}

/** With no more off the whole order than its lines' discounts leave. */
function withinAmount(cart: Cart): Cart {
  const { amount = 0, discount_amount, excess_discount_amount: excess } = cart;
  const fitting = Math.min(discount_amount, Math.max(0, amount - itemDiscounts(cart)));
  return { ...cart, discount_amount: fitting, excess_discount_amount: excess + discount_amount - fitting };
}

/** The order that costs so much less: not below what is off its lines, and of what is off the whole no more than is left. */
export function cheaperBy(cart: Cart, less: number): Cart {
  const exact = (cart.amount ?? 0) - less;
  const amount = Math.max(exact, itemDiscounts(cart));
  return withinAmount({ ...cart, amount, excess_amount: cart.excess_amount + amount - exact });
}

/** The line with this discount in all. */
export function withDiscount(line: CartLine, discount: number): CartLine {
  const { amount = 0, discount_amount: _, ...rest } = line;
  const shown = discount > 0 || line.discount_amount !== undefined ? { discount_amount: discount } : {};
  return { ...rest, amount, ...shown, subtotal_amount: amount - discount };
}

export function itemDiscounts({ lines }: Cart): number {
  return sumOf(lines, ({ discount_amount = 0 }) => discount_amount);
}

/** What is left to pay. */
export function restOf(cart: Cart): number {
  return (cart.amount ?? 0) - cart.discount_amount - itemDiscounts(cart);
}

/** What the line cost before all discounts and free units; units that others have replaced are not there any more. */
export function originalAmount({ amount = 0, initial_amount = amount, original_amount }: CartLine): number {
  return original_amount ?? Math.min(amount, initial_amount);
}

/** What is left to pay of a line. */
export function subtotalOf({ amount = 0, discount_amount = 0 }: CartLine): number {
  return amount - discount_amount;
}

/** Takes it off the whole order, as far as there is something left. */
export function takeOffOrder(cart: Cart, wanted: number): Step {
  const taken = Math.min(wanted, restOf(cart));
  return {
    cart: { ...cart, discount_amount: cart.discount_amount + taken },
    applied: { order: taken, lines: new Map() },
  };
}

/** Takes so much off each line, as far as there is something left of it and, from the first line on, of the order. */
export function takeOffLines(cart: Cart, wanted: ReadonlyMap<number, number>): Step {
  const applied = new Map<number, AppliedToLine>();
  let left = restOf(cart);
  const lines = cart.lines.map((line, index) => {
    const amount = wanted.get(index);
    if (amount === undefined) return line;
    const taken = Math.min(amount, subtotalOf(line), left);
    left -= taken;
    applied.set(index, { applied_discount_amount: taken });
    return withDiscount(line, (line.discount_amount ?? 0) + taken);
  });
  return { cart: { ...cart, lines }, applied: { lines: applied } };
}

const summed = [
  'applied_discount_amount',
  'applied_discount_quantity',
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

/** What both did together. */
export function appliedTogether(one: Applied, other: Applied): Applied {
  const lines = new Map(one.lines);
  for (const [index, applied] of other.lines) lines.set(index, both(lines.get(index), applied));
  const order =
    one.order === undefined && other.order === undefined ? {} : { order: (one.order ?? 0) + (other.order ?? 0) };
  return { ...order, lines };
}

/** Whether anything was taken off or added. */
export function hasEffect({ order = 0, lines }: Applied): boolean {
  return order > 0 || [...lines.values()].some((line) => summed.some((name) => (line[name] ?? 0) !== 0));
}
