import { maxAmount, percentOf, times } from '../../core/money.ts';
import type { RedeemableFacts } from '../../rules/formulas/facts.ts';
import { money, percents } from '../../rules/formulas/formula.ts';
import { type Cart, restOf, type Step, takeOffOrder } from './cart.ts';
import type { AmountDiscount, FixedDiscount, PercentDiscount } from './effect.ts';

/** The base of percents: the amount after earlier redeemables, or before all of them. */
export type CalculationMode = 'DISCOUNTED_AMOUNT' | 'INITIAL_AMOUNT';

/** The settings of a discount, besides the cart. */
export interface Terms {
  readonly mode: CalculationMode;
  /** Complete bundles in the cart, which multiply most discounts. It is 1 without bundles. */
  readonly bundles: number;
  /** True if discounts on lines leave out lines that have a discount already. */
  readonly isOnce: boolean;
  readonly facts: RedeemableFacts | undefined;
}

type OrderDiscount = AmountDiscount | PercentDiscount | FixedDiscount;

/** Returns the discount before limits. */
function wantedOf(cart: Cart, discount: OrderDiscount, { mode, bundles, facts }: Terms): number {
  const known = { ...facts, cart };
  switch (discount.type) {
    case 'AMOUNT':
      return times(money(discount.amount_off, discount.amount_off_formula)(known), bundles);
    case 'PERCENT': {
      const percent = percents(discount.percent_off, discount.percent_off_formula)(known);
      const initial = cart.initial_amount ?? cart.amount ?? 0;
      return percentOf(mode === 'INITIAL_AMOUNT' ? initial : restOf(cart), Math.min(100, percent * bundles));
    }
    case 'FIXED':
      return Math.max(
        0,
        restOf(cart) - money(discount.fixed_amount ?? maxAmount, discount.fixed_amount_formula)(known),
      );
  }
}

/** Takes a discount off the whole order. A FIXED discount sets the most that the order costs after all other discounts. */
export function discountOrder(cart: Cart, discount: OrderDiscount, terms: Terms): Step {
  const wanted = wantedOf(cart, discount, terms);
  const limits = 'amount_limit' in discount ? [discount.amount_limit] : [];
  const aggregated = 'aggregated_amount_limit' in discount ? [discount.aggregated_amount_limit] : [];
  return takeOffOrder(cart, Math.min(wanted, ...[...limits, ...aggregated].filter((limit) => limit !== undefined)));
}
