import { maxAmount, percentOf, times } from '../../core/money.ts';
import type { RedeemableFacts } from '../../rules/formulas/facts.ts';
import { money, percents } from '../../rules/formulas/formula.ts';
import { type Cart, restOf, type Step, takeOffOrder } from './cart.ts';
import type { AmountDiscount, FixedDiscount, PercentDiscount } from './effect.ts';

/** On what percents are taken: on what earlier redeemables have left, or on what was there before all of them. */
export type CalculationMode = 'DISCOUNTED_AMOUNT' | 'INITIAL_AMOUNT';

/** How a discount is worked out, beside the cart. */
export interface Terms {
  readonly mode: CalculationMode;
  /** Complete bundles in the cart, by which most discounts are multiplied; 1 where none are asked for. */
  readonly bundles: number;
  /** Lines that have a discount already are out of reach of discounts on lines. */
  readonly isOnce: boolean;
  readonly facts: RedeemableFacts | undefined;
}

type OrderDiscount = AmountDiscount | PercentDiscount | FixedDiscount;

/** Before limits. */
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

/** Takes a discount off the whole order. With a FIXED one it costs so much at most, after all other discounts. */
export function discountOrder(cart: Cart, discount: OrderDiscount, terms: Terms): Step {
  const wanted = wantedOf(cart, discount, terms);
  const limits = 'amount_limit' in discount ? [discount.amount_limit] : [];
  const aggregated = 'aggregated_amount_limit' in discount ? [discount.aggregated_amount_limit] : [];
  return takeOffOrder(cart, Math.min(wanted, ...[...limits, ...aggregated].filter((limit) => limit !== undefined)));
}
