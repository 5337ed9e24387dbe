import type { FormulaFacts } from '../../rules/formulas/facts.ts';
import { compileUnits } from '../../rules/formulas/formula.ts';
import type { EarningOccasion } from './measure.ts';

/** Calculates a rule's points by a formula. */

interface Worked {
  readonly points: number;
  readonly points_formula?: string | null | undefined;
}

/** Returns the facts for formulas. They have no line in turn, and no redeemable. */
function factsOf({ order, metadata, customerMetadata, customerBirthdate }: EarningOccasion, now: Date): FormulaFacts {
  return {
    now,
    cart: { amount: order?.amount ?? undefined, initial_amount: order?.initial_amount, lines: order?.items ?? [] },
    order_metadata: order?.metadata,
    customer: { metadata: customerMetadata, birthdate: customerBirthdate },
    custom_event_metadata: metadata,
  };
}

/** Rounds to the nearest whole number, at least 0. Uses the plain number if the formula cannot be evaluated. */
export function computePoints({ points, points_formula }: Worked, earned: EarningOccasion, now: Date): number {
  return points_formula ? compileUnits(points, points_formula)(factsOf(earned, now)) : points;
}

/** Returns whether the formula needs metadata of products. */
export function hasProductMetadata(formula: string | null | undefined): boolean {
  return /ORDER_ITEM_PRODUCT_METADATA/i.test(formula ?? '');
}
