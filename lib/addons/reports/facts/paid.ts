import * as v from 'valibot';
import { integer } from '#kernel/core/schema.ts';

/** Returns what the customer paid for an order. Requests store the total. A project file may bring less. */

const figure = v.optional(integer);

export const paidFigures = {
  amount: figure,
  discount_amount: figure,
  items_discount_amount: figure,
  total_discount_amount: figure,
  total_amount: figure,
};

type Figures = { readonly [N in keyof typeof paidFigures]?: number | undefined };

export function sumDiscounts({
  discount_amount = 0,
  items_discount_amount = 0,
  total_discount_amount,
}: Figures): number {
  return total_discount_amount ?? discount_amount + items_discount_amount;
}

export function computeTotal(order: Figures): number | null {
  const { amount, total_amount } = order;
  return total_amount ?? (amount === undefined ? null : Math.max(0, amount - sumDiscounts(order)));
}
