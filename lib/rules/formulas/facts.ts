import type { RuleLine } from '../context.ts';

/** What formulas may ask. What is absent can't be evaluated, unless the formula says what it defaults to. */

export type Metadata = Readonly<Record<string, unknown>>;

/** A line with its product and money found; without `amount` it has no money. */
export interface FormulaLine extends RuleLine {
  readonly discount_amount?: number | undefined;
}

/** An order, or the cart that is to be one. Amounts are minor currency units. */
export interface FormulaOrder {
  readonly lines: readonly FormulaLine[];
  readonly amount: number | undefined;
  /** The amount before any discount and added units, where it differs. */
  readonly initial_amount?: number | null | undefined;
}

interface Dated {
  /** ISO 8601. */
  readonly start_date?: string | null | undefined;
  readonly expiration_date?: string | null | undefined;
}

/** Beside the order and its lines. */
export interface RedeemableFacts {
  readonly now: Date;
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

export interface Facts extends Partial<RedeemableFacts> {
  readonly cart: FormulaOrder;
  /** In formulas of discounts on lines, the one in turn. */
  readonly line?: FormulaLine | undefined;
  /** Of a custom event that earns points. */
  readonly custom_event_metadata?: Metadata | undefined;
}

export type Value = number | string | boolean | Date | readonly unknown[];

/** Numbers that are none are absent. */
export function toValue(value: unknown): Value | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value;
  return typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value) ? value : undefined;
}
