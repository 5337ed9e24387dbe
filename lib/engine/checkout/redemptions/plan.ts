import type { Upsert } from '#engine/customers/upsert-customer.ts';
import type { Writing } from '#kernel/http/context.ts';
import type { Checkout } from '../engine/checkout.ts';
import type { RedeemedOrder } from '../orders/redeemed-order.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import type { Gathered } from '../request/gather.ts';
import type { Received } from '../rewards/reward-effects.ts';
import type { Referred } from './convert-referrals.ts';
import type { About } from './records.ts';
import type { Use } from './redeemable-use.ts';
import type { RedemptionItem } from './redemption.ts';
import type { SpentOn, TakenUse } from './voucher-effects.ts';

/** The decisions of a redemption, and its results. */

export type Redeeming = Writing & {
  readonly requestId: string;
  /** Counts how often points led to more points before this redemption. It is absent if a caller redeems. */
  readonly round?: number;
};

/** The rewards for cards' points, in the order of the uses. It is empty for other uses. */
export type Rewards = readonly (Received | undefined)[];

export type Decided = Checkout<FoundRedeemable>;

/** The results of a redemption. */
export interface Redeemed {
  readonly gathered: Gathered;
  readonly decided: Decided;
  readonly uses: readonly Use[];
  /** The stored records, in their order. */
  readonly items: readonly RedemptionItem[];
  readonly parent: RedemptionItem | undefined;
  readonly order: RedeemedOrder | undefined;
  readonly customer: Upsert | undefined;
  /** Cards that paid with points, after the payment. */
  readonly spent: TakenUse['spent'];
  /** Gift cards after the redemption, including credits that it added. */
  readonly gifts: TakenUse['gifts'];
  readonly rewards: Rewards;
}

/** The decisions for a transaction. */
export interface RedemptionPlan {
  readonly gathered: Gathered;
  readonly decided: Decided;
  readonly uses: readonly Use[];
  readonly taken: readonly TakenUse[];
  readonly parentId: string | undefined;
  /** The order, which may be new. */
  readonly order: SpentOn;
  /** The customer's referrer, read before any write. */
  readonly referrer: Upsert | undefined;
  /** Conversions by referral codes that have not brought the customer before. */
  readonly referred: Referred | undefined;
  readonly about: About;
}
