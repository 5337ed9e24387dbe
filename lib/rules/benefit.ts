import type { ErrorKey } from '../core/errors.ts';
import type { Step } from './compile.ts';
import type { Discount } from './discounts/discount.ts';

/** What a redeemable gives, and why it can't be used. */

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
