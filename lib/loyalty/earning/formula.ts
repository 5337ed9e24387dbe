import type { Facts } from '../../rules/formulas/facts.ts';
import { units } from '../../rules/formulas/formula.ts';
import type { Earned } from './measure.ts';

/** Points that a rule works out by a formula. */

interface Worked {
  readonly points: number;
  readonly points_formula?: string | null | undefined;
}

/** What formulas may ask: there is no line in turn, and no redeemable. */
function factsOf({ order, metadata, customerMetadata, customerBirthdate }: Earned, now: Date): Facts {
  return {
    now,
    cart: { amount: order?.amount ?? undefined, initial_amount: order?.initial_amount, lines: order?.items ?? [] },
    order_metadata: order?.metadata,
    customer: { metadata: customerMetadata, birthdate: customerBirthdate },
    custom_event_metadata: metadata,
  };
}

/** To the nearest whole number, and 0 for less; the plain number where the formula can't be evaluated. */
export function pointsBy({ points, points_formula }: Worked, earned: Earned, now: Date): number {
  return points_formula ? units(points, points_formula)(factsOf(earned, now)) : points;
}

/** Whether it asks for metadata that are kept with products. */
export function asksForProducts(formula: string | null | undefined): boolean {
  return /ORDER_ITEM_PRODUCT_METADATA/i.test(formula ?? '');
}
