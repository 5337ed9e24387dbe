import type { Benefit, Refusal } from '#engine/rules/benefit.ts';
import type { Bundles } from '#engine/rules/bundle.ts';
import type { RedeemableFacts } from '#engine/rules/formulas/facts.ts';
import type { Applied, Cart, CartLine } from './cart.ts';
import type { DiscountScope } from './selection.ts';

/** Describes redeemables for the engine. */

/** The effects of a redeemable on an order: the cart before and after, and the use of a card. */
export interface Effects {
  readonly before: Cart;
  readonly after: Cart;
  readonly applied: Applied;
  readonly credits: number;
  readonly points: number;
}

/** A redeemable that was applied to the same order before. */
export interface EarlierRedeemable<R> extends Effects {
  readonly redeemable: R;
}

export interface StackingCategory {
  readonly id: string;
  /** A lower hierarchy is applied earlier. */
  readonly hierarchy?: number | undefined;
  /** True if a tier has the category of its stack or campaign. Such tiers together count as one redeemable of the category. */
  readonly isOfStack?: boolean;
}

export interface Redeemable {
  readonly benefit: Benefit;
  readonly scope: DiscountScope;
  /** Describes the credits or points of the card that other sessions hold, if any. */
  readonly held?: string | undefined;
  /** Finds the required bundles. */
  readonly bundles?: ((lines: readonly CartLine[]) => Bundles) | undefined;
  readonly category?: StackingCategory | undefined;
  /** Facts for formulas besides the order. */
  readonly facts?: RedeemableFacts | undefined;
  /** Returns why it must not be used on the order after earlier redeemables. */
  readonly check?: ((cart: Cart) => Refusal | undefined) | undefined;
  /** Returns why its rules refuse its effects, after earlier redeemables. */
  readonly judge?:
    | ((effects: Effects, earlier: readonly EarlierRedeemable<Redeemable>[]) => Refusal | undefined)
    | undefined;
}
