import type { ErrorKey } from '#kernel/core/errors.ts';
import type { TraceStep } from './compile.ts';
import type { Discount } from './discounts/discount.ts';

/** Describes what a redeemable gives, or why it is refused. */

/** Credits of a gift card. Without `credits`, as many are used as the balance has and the order needs. */
interface Gift {
  readonly balance: number;
  readonly credits?: number | undefined;
  readonly effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS' | undefined;
}

/** Points that pay. `points_ratio` points are worth `exchange_ratio` major currency units. */
interface Points {
  readonly balance: number;
  readonly points?: number | undefined;
  readonly points_ratio: number;
  readonly exchange_ratio: number;
  /** The decimals of the project's currency. Without it, amounts have hundredths. */
  readonly decimals?: number | undefined;
}

/** A product or code for points, which does not reduce the order. */
interface Reward {
  readonly balance: number;
  readonly points: number;
}

export type Benefit =
  | { readonly kind: 'discount'; readonly discount: Discount }
  | { readonly kind: 'gift'; readonly gift: Gift }
  | { readonly kind: 'points'; readonly points: Points }
  | { readonly kind: 'reward'; readonly reward: Reward };

export type OfKind<K extends Benefit['kind']> = Extract<Benefit, { kind: K }>;

/** The reason for a refusal. `message` is the shop's own text. */
export interface Refusal {
  readonly key: ErrorKey;
  readonly details?: string | undefined;
  readonly message?: string | undefined;
  /** The missing resource of `not_found`, if it is not the redeemable itself. */
  readonly missing?: { readonly id: string; readonly type: string } | undefined;
  /** Returns the value that each rule saw, for requests that ask for the reason. */
  readonly traces?: (() => readonly RuleTrace[]) | undefined;
}

interface RuleTrace {
  readonly id: string;
  readonly steps: readonly TraceStep[];
}
