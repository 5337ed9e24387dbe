import { maxWrites } from '../table/effects.ts';
import { keyText } from '../table/keys.ts';
import type { RedemptionItem } from './redemption.ts';

/** Writes for the order, its customer, the activities of both, and a reserve. */
const aroundThem = 6;

/** Writes for what a reward gave, the ledger of that, its redemption, the activity, and its stock. */
const ofReward = 5;

/**
 * Whether one transaction can take all of them back: of each its own item and that of its rollback, with what it took and its ledgers. What
 * holds counted ahead of a redemption is given back within, so that it may take more than the redemption did.
 */
export function canBeRolledBack(all: readonly RedemptionItem[]): boolean {
  const taken = new Set(all.flatMap(({ taken = [] }) => taken.map(keyText)));
  const ledgers = all.filter(({ gift_credits, points }) => gift_credits || points).length;
  const rewards = all.filter(({ reward_given }) => reward_given).length;
  return 2 * all.length + taken.size + ledgers + ofReward * rewards + aroundThem <= maxWrites;
}
