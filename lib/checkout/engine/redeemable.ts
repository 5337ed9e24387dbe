import type { Benefit, Refusal } from '../../rules/benefit.ts';
import type { Bundles } from '../../rules/bundle.ts';
import type { RedeemableFacts } from '../../rules/formulas/facts.ts';
import type { Applied, Cart, CartLine } from './cart.ts';
import type { Scope } from './scope.ts';

/** What is applied to an order. */

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
