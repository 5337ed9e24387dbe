import { computePercent, maxAmount, multiply } from '../../core/money.ts';
import type { RedeemableFacts } from '../../rules/formulas/facts.ts';
import { compileMoney, compilePercents } from '../../rules/formulas/formula.ts';
import { type Cart, type CartStep, computeRest, takeOffOrder } from './cart.ts';
import type { AmountDiscount, FixedDiscount, PercentDiscount } from './effect.ts';

/** The base of percents: the amount after earlier redeemables, or before all of them. */
export type CalculationMode = 'DISCOUNTED_AMOUNT' | 'INITIAL_AMOUNT';

/** The settings of a discount, besides the cart. */
export interface DiscountTerms {
  readonly mode: CalculationMode;
  /** Complete bundles in the cart, which multiply most discounts. It is 1 without bundles. */
  readonly bundles: number;
  /** True if discounts on lines leave out lines that have a discount already. */
  readonly isOnce: boolean;
  readonly facts: RedeemableFacts | undefined;
}

type OrderDiscount = AmountDiscount | PercentDiscount | FixedDiscount;

/** Returns the discount before limits. */
function wantedOf(cart: Cart, discount: OrderDiscount, { mode, bundles, facts }: DiscountTerms): number {
  const known = { ...facts, cart };
  switch (discount.type) {
    case 'AMOUNT':
      return multiply(compileMoney(discount.amount_off, discount.amount_off_formula)(known), bundles);
    case 'PERCENT': {
      const percent = compilePercents(discount.percent_off, discount.percent_off_formula)(known);
      const initial = cart.initial_amount ?? cart.amount ?? 0;
      return computePercent(mode === 'INITIAL_AMOUNT' ? initial : computeRest(cart), Math.min(100, percent * bundles));
    }
    case 'FIXED':
      return Math.max(
        0,
        computeRest(cart) - compileMoney(discount.fixed_amount ?? maxAmount, discount.fixed_amount_formula)(known),
      );
  }
}

/** Takes a discount off the whole order. A FIXED discount sets the most that the order costs after all other discounts. */
export function discountOrder(cart: Cart, discount: OrderDiscount, terms: DiscountTerms): CartStep {
  const wanted = wantedOf(cart, discount, terms);
  const limits = 'amount_limit' in discount ? [discount.amount_limit] : [];
  const aggregated = 'aggregated_amount_limit' in discount ? [discount.aggregated_amount_limit] : [];
  return takeOffOrder(cart, Math.min(wanted, ...[...limits, ...aggregated].filter((limit) => limit !== undefined)));
}
