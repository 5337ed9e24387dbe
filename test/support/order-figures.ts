import { expect } from 'vitest';
import type { ShownOrder } from '#engine/checkout/engine/checkout.ts';

/** Amounts that add up in any order and are never below 0. */

export const sum = (all: readonly (number | undefined)[]) => all.reduce<number>((total, one) => total + (one ?? 0), 0);

export function expectFigures(shown: ShownOrder): void {
  const { items, amount, ...figures } = shown;
  const { discount_amount, items_discount_amount, total_discount_amount = 0, total_amount } = figures;
  if (amount === undefined) {
    expect(figures).toEqual({});
    return;
  }
  expect(total_amount).toBe(amount - total_discount_amount);
  expect(total_discount_amount).toBe(sum([discount_amount, items_discount_amount]));
  expect(items_discount_amount ?? 0).toBe(sum(items.map((item) => item.discount_amount)));
  expect(figures.items_applied_discount_amount ?? 0).toBe(sum(items.map((item) => item.applied_discount_amount)));
  expect(figures.total_applied_discount_amount ?? 0).toBe(
    sum([figures.applied_discount_amount, figures.items_applied_discount_amount]),
  );
  expect(figures.total_applied_discount_amount ?? 0).toBeLessThanOrEqual(total_discount_amount);
  for (const item of items) {
    if (item.amount === undefined) continue;
    expect(item.subtotal_amount).toBe(item.amount - (item.discount_amount ?? 0));
  }
  const { application_details: _, ...counts } = Object.assign(
    {},
    ...items.filter(({ applied_quantity = 0 }) => applied_quantity >= 0),
  );
  const all = [
    amount,
    ...Object.values(figures),
    ...items.flatMap((item) => [
      item.amount,
      item.discount_amount,
      item.subtotal_amount,
      item.quantity,
      item.discount_quantity,
      item.applied_discount_amount,
    ]),
  ];
  for (const figure of [...all, counts.applied_quantity]) {
    if (figure !== undefined) expect(Number.isSafeInteger(figure) && figure >= 0).toBe(true);
  }
}
