import { billion, capAmount, toBillionths } from '../../core/money.ts';
import type { RewardAssignmentItem } from '../reward.ts';

/** A tier's change of a price. */
type PriceChange =
  | { readonly type: 'CUSTOM'; readonly points: number }
  | { readonly type: 'MULTIPLY'; readonly multiplier: number };

interface Tier {
  readonly rewards: Readonly<Record<string, PriceChange>>;
}

/** Returns the points that the reward costs a member of the tier, or of none. A multiple is rounded up. */
export function computePrice(tier: Tier | undefined, { id, parameters }: RewardAssignmentItem): number {
  const points = parameters?.loyalty?.points ?? 0;
  const change = tier && Object.hasOwn(tier.rewards, id) ? tier.rewards[id] : undefined;
  if (!change) return points;
  if (change.type === 'CUSTOM') return change.points;
  const whole = BigInt(billion);
  return capAmount((BigInt(points) * BigInt(toBillionths(change.multiplier)) + whole - 1n) / whole);
}
