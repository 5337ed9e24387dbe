import type { Upsert } from '../../customers/upsert-customer.ts';
import type { Writing } from '../../http/context.ts';
import type { Checkout } from '../engine/checkout.ts';
import type { RedeemedOrder } from '../orders/redeemed-order.ts';
import type { Gathered } from '../request/gather.ts';
import type { FoundRedeemable } from '../request/redeemable-of.ts';
import type { Received } from '../rewards/reward-effects.ts';
import type { About } from './records.ts';
import type { RedemptionItem } from './redemption.ts';
import type { Referred } from './referred.ts';
import type { SpentOn, Taken } from './take.ts';
import type { Use } from './use.ts';

/** What a redemption has decided, and what came of it. */

export type Redeeming = Writing & {
  readonly requestId: string;
  /** How many times points for points have led to this: 0 unless they did. */
  readonly round?: number;
};

/** What members get for the points of their cards, in the order of the uses; nothing where points are not what is used. */
export type Rewards = readonly (Received | undefined)[];

export type Decided = Checkout<FoundRedeemable>;

/** What came about. */
export interface Redeemed {
  readonly gathered: Gathered;
  readonly decided: Decided;
  readonly uses: readonly Use[];
  /** In their order; each as it is kept. */
  readonly items: readonly RedemptionItem[];
  readonly parent: RedemptionItem | undefined;
  readonly order: RedeemedOrder | undefined;
  readonly customer: Upsert | undefined;
  /** Cards that paid with points, as they are after it. */
  readonly spent: Taken['spent'];
  /** What became of gift cards, with what the redemption put on them. */
  readonly gifts: Taken['gifts'];
  readonly rewards: Rewards;
}

/** What was decided, for a transaction to bring about. */
export interface Plan {
  readonly gathered: Gathered;
  readonly decided: Decided;
  readonly uses: readonly Use[];
  readonly taken: readonly Taken[];
  readonly parentId: string | undefined;
  /** What they are redeemed on, which may be a new one. */
  readonly order: SpentOn;
  /** Who brought the customer, read before anything is written. */
  readonly referrer: Upsert | undefined;
  /** What comes of the referral codes, for who has not come by them before. */
  readonly referred: Referred | undefined;
  readonly about: About;
}
