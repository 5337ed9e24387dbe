import type { RuleLine } from '../context.ts';

/** Describes the facts for formulas. An absent fact cannot be evaluated, unless the formula has a default. */

export type Metadata = Readonly<Record<string, unknown>>;

/** A line with its product and money. Without `amount` it has no money. */
export interface FormulaLine extends RuleLine {
  readonly discount_amount?: number | undefined;
}

/** An order or a cart. Amounts are minor currency units. */
interface FormulaOrder {
  readonly lines: readonly FormulaLine[];
  readonly amount: number | undefined;
  /** The amount before discounts and added units, if it differs. */
  readonly initial_amount?: number | null | undefined;
}

interface Dated {
  /** The time in ISO 8601. */
  readonly start_date?: string | null | undefined;
  readonly expiration_date?: string | null | undefined;
}

/** Facts in addition to the order and its lines. */
export interface RedeemableFacts {
  readonly now: Date;
  /** The decimals of the project's currency, in which formulas calculate. */
  readonly decimals?: number | undefined;
  readonly order_metadata?: Metadata | undefined;
  readonly redeemable_metadata?: Metadata | undefined;
  readonly redemption_metadata?: Metadata | undefined;
  readonly publication_metadata?: Metadata | undefined;
  readonly customer?:
    | { readonly metadata?: Metadata | undefined; readonly birthdate?: string | null | undefined }
    | undefined;
  readonly voucher?:
    | (Dated & {
        readonly redemption_quantity?: number | null | undefined;
        readonly redeemed_quantity?: number | undefined;
        readonly publish_count?: number | undefined;
      })
    | undefined;
  readonly promotion_tier?: Dated | undefined;
}

export interface FormulaFacts extends Partial<RedeemableFacts> {
  readonly cart: FormulaOrder;
  /** The line in turn, in formulas of discounts on lines. */
  readonly line?: FormulaLine | undefined;
  /** The custom event that earns points. */
  readonly custom_event_metadata?: Metadata | undefined;
}

export type Value = number | string | boolean | Date | readonly unknown[];

/** Treats NaN and infinite numbers as absent. */
export function toValue(value: unknown): Value | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value;
  return typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value) ? value : undefined;
}
