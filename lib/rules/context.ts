/** What rules are asked about. Whoever evaluates them gathers it; what is absent is left out. Amounts are minor currency units. */

type Metadata = Readonly<Record<string, unknown>>;

/** A line with its product and price found. */
export interface RuleLine {
  readonly source_id?: string | undefined;
  readonly product_id?: string | undefined;
  readonly sku_id?: string | undefined;
  readonly quantity: number;
  readonly price?: number | undefined;
  readonly amount?: number | undefined;
  /** What is left of the amount after discounts of the line. */
  readonly subtotal_amount?: number | undefined;
  readonly metadata?: Metadata | undefined;
  /** Metadata is that of the request over what is stored, key by key. */
  readonly product?: { readonly source_id?: string | undefined; readonly metadata?: Metadata | undefined } | undefined;
  readonly sku?: { readonly source_id?: string | undefined; readonly metadata?: Metadata | undefined } | undefined;
  /** Ids of the collections that have it, of those that rules name. */
  readonly collections?: readonly string[] | undefined;
}

export interface RuleOrder {
  /** As redeemables before this one have left it. */
  readonly amount?: number | undefined;
  readonly initial_amount?: number | undefined;
  /** After the discount of this redeemable. */
  readonly total_amount?: number | undefined;
  readonly items: readonly RuleLine[];
  readonly metadata?: Metadata | undefined;
}

export interface RuleCustomer {
  readonly id?: string | undefined;
  readonly metadata?: Metadata | undefined;
  /** Ids of the segments that they are in, of those that rules name. */
  readonly segments?: readonly string[] | undefined;
  readonly loyalty_tiers?: readonly string[] | undefined;
}

/** What counters say before this redemption, by the name of the rule that asks; nothing is 0. */
export type Counts = Readonly<Partial<Record<string, number>>>;

export interface RuleContext {
  readonly now: Date;
  readonly customer?: RuleCustomer | undefined;
  readonly order?: RuleOrder | undefined;
  /** `holder_id`: of the customer to whom the code was published. */
  readonly redeemable?: { readonly holder_id?: string | undefined } | undefined;
  readonly redemption?:
    | {
        readonly metadata?: Metadata | undefined;
        /** The app id that the request came with. */
        readonly api_key?: string | undefined;
        readonly user_login?: string | undefined;
        /** What it takes off the order, spends of a gift card, and spends of a loyalty card. */
        readonly discount_amount?: number | undefined;
        readonly gift_credits?: number | undefined;
        readonly points?: number | undefined;
      }
    | undefined;
  readonly event?: { readonly metadata?: Metadata | undefined } | undefined;
  readonly counts?: Counts | undefined;
}

/** The order's lines that a rule looks at, which a rule around it may have chosen, and within `order.items` the one in turn. */
export interface Scope {
  readonly context: RuleContext;
  readonly lines: readonly RuleLine[];
  readonly line?: RuleLine;
}
