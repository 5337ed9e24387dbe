import type { Areas } from '#kernel/core/geo-point.ts';
import type { LineSchemas } from '#kernel/core/metadata/declared.ts';

/** Describes the facts that rules judge. The caller gathers them. Absent facts are left out, and amounts are minor currency units. */

type Metadata = Readonly<Record<string, unknown>>;

/** A line with its product and price. */
export interface RuleLine {
  readonly source_id?: string | undefined;
  readonly product_id?: string | undefined;
  readonly sku_id?: string | undefined;
  readonly quantity: number;
  readonly price?: number | undefined;
  readonly amount?: number | undefined;
  /** The amount that remains after discounts of the line. */
  readonly subtotal_amount?: number | undefined;
  readonly metadata?: Metadata | undefined;
  /** Metadata of the request over stored metadata, key by key. */
  readonly product?: { readonly source_id?: string | undefined; readonly metadata?: Metadata | undefined } | undefined;
  readonly sku?: { readonly source_id?: string | undefined; readonly metadata?: Metadata | undefined } | undefined;
  /** The ids of the collections with the line, among those that rules name. */
  readonly collections?: readonly string[] | undefined;
}

interface RuleOrder {
  /** The amount after the redeemables before this redeemable. */
  readonly amount?: number | undefined;
  readonly initial_amount?: number | undefined;
  /** The amount after the discount of this redeemable. */
  readonly total_amount?: number | undefined;
  readonly items: readonly RuleLine[];
  readonly metadata?: Metadata | undefined;
}

interface RuleCustomer {
  readonly id?: string | undefined;
  readonly metadata?: Metadata | undefined;
  /** The ids of the customer's segments, among those that rules name. */
  readonly segments?: readonly string[] | undefined;
  readonly loyalty_tiers?: readonly string[] | undefined;
  /** True if the customer has neither an e-mail address nor a phone number nor a source id, so that no limit can count the person. */
  readonly is_nobody?: boolean | undefined;
}

/** The counts before this redemption, by the name of the rule. A missing count is 0. */
export type Counts = Readonly<Partial<Record<string, number>>>;

export interface RuleContext {
  readonly now: Date;
  /** The areas of the locations that rules name. */
  readonly areas?: Areas | undefined;
  /** The schemas that declare how metadata of lines compares. */
  readonly lineSchemas?: LineSchemas | undefined;
  readonly customer?: RuleCustomer | undefined;
  readonly order?: RuleOrder | undefined;
  /** `holder_id` is the customer who received the code. */
  readonly redeemable?: { readonly holder_id?: string | undefined } | undefined;
  readonly redemption?:
    | {
        readonly metadata?: Metadata | undefined;
        /** The app id of the request. */
        readonly api_key?: string | undefined;
        readonly user_login?: string | undefined;
        /** The discount on the order, and the amounts spent of a gift card and of a loyalty card. */
        readonly discount_amount?: number | undefined;
        readonly gift_credits?: number | undefined;
        readonly points?: number | undefined;
      }
    | undefined;
  readonly event?: { readonly metadata?: Metadata | undefined } | undefined;
  readonly counts?: Counts | undefined;
}

/** The lines that a rule examines. An outer rule may have chosen them, and `order.items` sets the line in turn. */
export interface RuleScope {
  readonly context: RuleContext;
  readonly lines: readonly RuleLine[];
  readonly line?: RuleLine;
}
