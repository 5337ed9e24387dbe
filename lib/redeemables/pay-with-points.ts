import type { Benefit } from '../checkout/redeemable.ts';
import type { Programme } from '../loyalty/programme.ts';
import type { Reward } from '../loyalty/reward.ts';

/** What the points of a loyalty card are used for. */
export interface PaidReward {
  readonly benefit: Extract<Benefit, { kind: 'points' | 'reward' }>;
  readonly reward: Reward;
  readonly programme: Programme | undefined;
}
