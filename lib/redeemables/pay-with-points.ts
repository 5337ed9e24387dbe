import type { Benefit } from '../checkout/redeemable.ts';

/** What the points of a loyalty card are used for. */
export interface PaidReward {
  readonly benefit: Extract<Benefit, { kind: 'points' | 'reward' }>;
}
