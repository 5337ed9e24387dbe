import type { ErrorKey } from '../../core/errors.ts';
import type { Bundles } from '../../rules/bundle.ts';
import type { Step } from '../../rules/compile.ts';
import type { Discount } from '../../rules/discounts/discount.ts';
import type { RedeemableFacts } from '../../rules/formulas/facts.ts';
import type { Applied, Cart, CartLine } from './cart.ts';
import type { Scope } from './scope.ts';

/** What is applied to an order. */

/** Credits or points to be used; without a number as many as are there and of use. `balance` is what is there. */
interface Gift {
  readonly balance: number;
  readonly credits?: number | undefined;
  readonly effect?: 'APPLY_TO_ORDER' | 'APPLY_TO_ITEMS' | undefined;
}

/** `points_ratio` points are worth `exchange_ratio` major currency units. */
interface Points {
  readonly balance: number;
  readonly points?: number | undefined;
  readonly points_ratio: number;
  readonly exchange_ratio: number;
}

/** A product or code for points, which takes nothing off the order. */
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

/** Why it can't be used. `message`: the shop's own words for it. */
export interface Refusal {
  readonly key: ErrorKey;
  readonly details?: string | undefined;
  readonly message?: string | undefined;
  /** Of `not_found`: what is not there, where it is not the redeemable itself. */
  readonly missing?: { readonly id: string; readonly type: string } | undefined;
  /** Of rules that are not met: what each of them saw, for those who look why. */
  readonly traces?: (() => readonly RuleTrace[]) | undefined;
}

export interface RuleTrace {
  readonly id: string;
  readonly steps: readonly Step[];
}

/** What a redeemable would do to an order: the order before and after it, and what is used of a card. */
export interface Effects {
  readonly before: Cart;
  readonly after: Cart;
  readonly applied: Applied;
  readonly credits: number;
  readonly points: number;
}

/** One that is applied to the same order before. */
export interface Earlier<R> extends Effects {
  readonly redeemable: R;
}

export interface Category {
  readonly id: string;
  /** The lower, the earlier it is applied. */
  readonly hierarchy?: number | undefined;
  /** The tiers of a stack have it by their stack or campaign: together they are one of the category. */
  readonly isOfStack?: boolean;
}

export interface Redeemable {
  readonly benefit: Benefit;
  readonly scope: Scope;
  /** Finds the bundles that it asks for. */
  readonly bundles?: ((lines: readonly CartLine[]) => Bundles) | undefined;
  readonly category?: Category | undefined;
  /** What formulas may ask beside the order. */
  readonly facts?: RedeemableFacts | undefined;
  /** Whether it may be used on the order as the redeemables before it have left it. */
  readonly check?: ((cart: Cart) => Refusal | undefined) | undefined;
  /** Whether its rules let it do what it would do, after those that are applied before it. */
  readonly judge?: ((effects: Effects, earlier: readonly Earlier<Redeemable>[]) => Refusal | undefined) | undefined;
}
