import { sumOf } from '../../core/sum.ts';
import { type Figures, figuresOf } from '../orders/figures.ts';
import type { OrderLine } from '../orders/line.ts';
import type { Applied, AppliedToLine, Cart } from './cart.ts';

/** Figures as replies show them: what nothing was taken off leaves out what was taken off. */
export interface CheckoutFigures extends Figures {
  applied_discount_amount?: number;
  items_applied_discount_amount?: number;
  total_applied_discount_amount?: number;
}

export type CheckoutItem = OrderLine & AppliedToLine;

/** An order with what was done to it. What exceeds it is kept with orders and redemptions, and not shown. */
export interface ShownOrder extends CheckoutFigures {
  items: CheckoutItem[];
  /** Off the whole order, but for what it came to cost. */
  excess_discount_amount?: number;
  /** The part of the amount by which it is held up. */
  excess_amount?: number;
  /** Of what is off the whole order, what has just been taken off. */
  excess_applied_discount_amount?: number;
}

/** Of all lines, where any was tried to be taken off. */
function itemsApplied({ lines }: Applied): number | undefined {
  const discounts = [...lines.values()].flatMap(({ applied_discount_amount }) => applied_discount_amount ?? []);
  return discounts.length > 0 ? sumOf(discounts, (discount) => discount) : undefined;
}

/** Figures of a discount that came to 0 are shown as 0. */
function totals(cart: Cart, applied: Applied, items: number | undefined): Figures {
  const { discount_amount, amount, initial_amount } = cart;
  const figures = figuresOf(cart.lines, { amount, initial_amount, discount_amount });
  if (figures.amount === undefined) return figures;
  return {
    ...(applied.order === undefined ? {} : { discount_amount: 0 }),
    ...(items === undefined ? {} : { items_discount_amount: 0 }),
    ...(applied.order === undefined && items === undefined ? {} : { total_discount_amount: 0 }),
    ...figures,
  };
}

/** What was taken off in all; nothing where that was not tried. */
export function takenOffBy(applied: Applied): number | undefined {
  const items = itemsApplied(applied);
  return applied.order === undefined && items === undefined ? undefined : (applied.order ?? 0) + (items ?? 0);
}

/** What was taken off the whole order, as far as it still fits that. */
function fitting(cart: Cart, applied: Applied): Applied {
  return applied.order === undefined ? applied : { ...applied, order: Math.min(applied.order, cart.discount_amount) };
}

/** `applied`: by one redeemable, or by all of a request. */
export function showOrder(cart: Cart, applied: Applied): ShownOrder {
  const items = itemsApplied(applied);
  const fits = fitting(cart, applied);
  const { order } = fits;
  const taken = takenOffBy(fits);
  const excess = cart.excess_discount_amount;
  const beyond = (applied.order ?? 0) - (order ?? 0);
  return {
    ...(cart.excess_amount > 0 ? { excess_amount: cart.excess_amount } : {}),
    ...(excess > 0 ? { excess_discount_amount: excess } : {}),
    ...(beyond > 0 ? { excess_applied_discount_amount: beyond } : {}),
    ...totals(cart, applied, items),
    ...(order === undefined ? {} : { applied_discount_amount: order }),
    ...(items === undefined ? {} : { items_applied_discount_amount: items }),
    ...(taken === undefined ? {} : { total_applied_discount_amount: taken }),
    items: cart.lines.map(({ collections: _, original_amount: __, shown, ...line }, index) => ({
      ...line,
      ...shown,
      ...applied.lines.get(index),
    })),
  };
}
