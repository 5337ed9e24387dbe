import { addUp } from '../../core/sum.ts';
import { computeFigures, type OrderAmounts } from '../orders/figures.ts';
import type { OrderLine } from '../orders/line.ts';
import type { Applied, AppliedToLine, Cart } from './cart.ts';

/** The figures of an order in replies. Without a discount, the figures of discounts are left out. */
export interface CheckoutFigures extends OrderAmounts {
  applied_discount_amount?: number;
  items_applied_discount_amount?: number;
  total_applied_discount_amount?: number;
}

export type CheckoutItem = OrderLine & AppliedToLine;

/** An order with its changes. Orders and redemptions store the excess figures, and replies do not show them. */
export interface ShownOrder extends CheckoutFigures {
  items: CheckoutItem[];
  /** The part of the whole order's discount that no longer fits, since the amount fell. */
  excess_discount_amount?: number;
  /** The part of the amount that a reduction could not take, because the amount must cover the discounts of lines. */
  excess_amount?: number;
  /** The part of the latest discount on the whole order that no longer fits. */
  excess_applied_discount_amount?: number;
}

/** Returns the discount of all lines, if one was tried. */
function itemsApplied({ lines }: Applied): number | undefined {
  const discounts = [...lines.values()].flatMap(({ applied_discount_amount }) => applied_discount_amount ?? []);
  return discounts.length > 0 ? addUp(discounts, (discount) => discount) : undefined;
}

/** Shows figures of a discount, 0 included. */
function totals(cart: Cart, applied: Applied, items: number | undefined): OrderAmounts {
  const { discount_amount, amount, initial_amount } = cart;
  const figures = computeFigures(cart.lines, { amount, initial_amount, discount_amount });
  if (figures.amount === undefined) return figures;
  return {
    ...(applied.order === undefined ? {} : { discount_amount: 0 }),
    ...(items === undefined ? {} : { items_discount_amount: 0 }),
    ...(applied.order === undefined && items === undefined ? {} : { total_discount_amount: 0 }),
    ...figures,
  };
}

/** Returns the total discount, or nothing if none was tried. */
export function sumTakenOff(applied: Applied): number | undefined {
  const items = itemsApplied(applied);
  return applied.order === undefined && items === undefined ? undefined : (applied.order ?? 0) + (items ?? 0);
}

/** Returns the whole order's discount, as far as it still fits. */
function fitting(cart: Cart, applied: Applied): Applied {
  return applied.order === undefined ? applied : { ...applied, order: Math.min(applied.order, cart.discount_amount) };
}

/** Shows the order. `applied` are the changes of one redeemable, or of the whole request. */
export function showOrder(cart: Cart, applied: Applied): ShownOrder {
  const items = itemsApplied(applied);
  const fits = fitting(cart, applied);
  const { order } = fits;
  const taken = sumTakenOff(fits);
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
