import { joinFaults, ServiceError } from '../../core/errors.ts';
import type { OrderLine } from './line.ts';

/** The sent figures of an order's money. Without `amount` it is the sum of the lines. */
export interface SentFigures {
  readonly amount?: number | null | undefined;
  readonly initial_amount?: number | null | undefined;
  /** The discount on the whole order, besides the discounts of lines. */
  readonly discount_amount?: number | null | undefined;
}

/** Figures of an order in minor currency units. Unknown figures and discounts of 0 are left out. */
export interface OrderAmounts {
  amount?: number;
  initial_amount?: number;
  discount_amount?: number;
  items_discount_amount?: number;
  total_discount_amount?: number;
  total_amount?: number;
}

/** An order whose lines have products and prices, for discounts, rules and points. */
export interface PreparedOrder extends OrderAmounts {
  readonly items: readonly OrderLine[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

type Line = Pick<OrderLine, 'amount' | 'discount_amount'>;

/** Checks that lines and their sum are safe integers, because rounding would lose money. 400 `invalid_payload`. */
export function checkAmounts(items: readonly Line[]): void {
  const faults = items.flatMap(({ amount = 0 }, index) =>
    amount > Number.MAX_SAFE_INTEGER
      ? [`items[${index}].price times its quantity must be at most ${Number.MAX_SAFE_INTEGER}`]
      : [],
  );
  const sum = items.reduce((total, { amount = 0 }) => total + amount, 0);
  if (faults.length === 0 && sum > Number.MAX_SAFE_INTEGER) {
    faults.push(`items must cost at most ${Number.MAX_SAFE_INTEGER} together`);
  }
  if (faults.length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(faults) });
}

/**
 * Returns amount, discounts and total, none below 0. Lines come first, and the whole order's discount is at most the rest. 400
 * `invalid_payload` beyond the safe integers.
 */
export function computeFigures(items: readonly Line[], sent: SentFigures): OrderAmounts {
  checkAmounts(items);
  const priced = items.filter((line) => line.amount !== undefined);
  const sum = priced.length > 0 ? priced.reduce((total, { amount = 0 }) => total + amount, 0) : undefined;
  const amount = sent.amount ?? sum;
  if (amount === undefined) return {};
  const ofItems = priced.reduce((total, { discount_amount = 0 }) => total + discount_amount, 0);
  const ofOrder = Math.min(sent.discount_amount ?? 0, Math.max(0, amount - ofItems));
  const initial = sent.initial_amount ?? (items.length > 0 ? amount : undefined);
  return {
    amount,
    ...(initial === undefined ? {} : { initial_amount: initial }),
    ...(ofOrder > 0 ? { discount_amount: ofOrder } : {}),
    ...(ofItems > 0 ? { items_discount_amount: ofItems } : {}),
    ...(ofOrder + ofItems > 0 ? { total_discount_amount: ofOrder + ofItems } : {}),
    total_amount: Math.max(0, amount - ofOrder - ofItems),
  };
}
