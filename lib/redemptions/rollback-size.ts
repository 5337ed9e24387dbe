import { ServiceError } from '../errors.ts';
import type { Gathered } from '../redeemables/gather.ts';
import { maxWrites } from '../table/effects.ts';
import { keyText } from '../table/keys.ts';
import { countsOf } from './limits.ts';
import type { Decided } from './plan.ts';
import { type Use, usesOf } from './use.ts';

/** Writes for the order, its customer, the activities of both, and a reserve. */
const aroundThem = 6;

/** Writes for the parent, for its rollback, and for the job that writes the records of their children behind it. */
const ofParent = 3;

/** Writes for what a reward gave, the ledger of that, its redemption, the activity, and its stock. */
const ofReward = 5;

function writesOf({ one: { benefit }, outcome }: Use): number {
  const { gift, loyalty_card: card } = outcome.result;
  const hasLedger = (gift?.credits ?? 0) > 0 || (card?.points ?? 0) > 0;
  return 1 + (hasLedger ? 1 : 0) + (benefit.kind === 'reward' ? ofReward : 0);
}

/**
 * Refuses what one transaction could not take back: each voucher or tier, its ledger, and what limits count. What holds counted
 * ahead of a redemption is given back within, so that it may take more than the redemption did. 400 `invalid_redeemables`.
 */
export function checkSize(gathered: Gathered, { considered }: Pick<Decided, 'considered'>): void {
  const uses = usesOf(considered, () => '');
  const counted = new Set(countsOf(gathered, uses, gathered.customer?.after.id).map(({ key }) => keyText(key)));
  const writes = uses.reduce((sum, use) => sum + writesOf(use), 0) + counted.size + ofParent + aroundThem;
  if (writes > maxWrites) throw tooMuch();
}

export function tooMuch(): ServiceError {
  return new ServiceError('invalid_redeemables', {
    details:
      'the redeemables would change more at once than one transaction takes, or takes back: send fewer of them, or a smaller order',
  });
}
