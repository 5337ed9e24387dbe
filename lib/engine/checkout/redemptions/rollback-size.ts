import type { RuleCount } from '#engine/rules/counts.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { canFitOneTransaction, type Effect, maxWrites } from '#kernel/table/effects.ts';
import { keyText } from '#kernel/table/keys.ts';
import type { Gathered } from '../request/gather.ts';
import { listCounts } from './limits.ts';
import type { Decided } from './plan.ts';
import { listUses, type Use } from './redeemable-use.ts';

/** The writes for the order, its customer, the activities of both, and a reserve. */
const aroundThem = 6;

/** The writes for the parent, for its rollback, and for the job that writes the records of their children afterwards. */
const ofParent = 3;

/** The writes for a reward: the voucher or card, its ledger, the reward's redemption, the activity, and the stock. */
const ofReward = 5;

function writesOf({ one: { benefit }, outcome }: Use): number {
  const { gift, loyalty_card: card } = outcome.result;
  const hasLedger = (gift?.credits ?? 0) > 0 || (card?.points ?? 0) > 0;
  return 1 + (hasLedger ? 1 : 0) + (benefit.kind === 'reward' ? ofReward : 0);
}

/** Limits the counters. They are held separately, and the record of a redemption lists them. */
const mostCounters = 300;

/** Counts the writes of the transactions of a redemption and its rollback, without counters. */
function countWrites(uses: readonly Use[]): number {
  return uses.reduce((sum, use) => sum + writesOf(use), 0) + ofParent + aroundThem;
}

const countDistinct = (counts: readonly RuleCount[]) => new Set(counts.map(({ key }) => keyText(key))).size;

/**
 * Returns the counters that the uses move. If one transaction could not restore all of them, all are held before it,
 * and a rollback writes them afterwards.
 */
export function listHeldCounters(
  gathered: Gathered,
  uses: readonly Use[],
  customerId: string | undefined,
): RuleCount[] {
  const counts = listCounts(gathered, uses, customerId);
  const isRoomy = countWrites(uses) + countDistinct(counts) <= maxWrites;
  return isRoomy ? counts : counts.map((one) => ({ ...one, isShared: true }));
}

/**
 * Refuses a redemption that one transaction could not make or roll back: vouchers, tiers, ledgers and rewards. Refuses too many limits. 400
 * `invalid_redeemables`.
 */
export function checkRollbackSize(gathered: Gathered, { considered }: Pick<Decided, 'considered'>): void {
  const uses = listUses(considered, () => '');
  if (countWrites(uses) > maxWrites) throw tooManyWrites();
  const limits = countDistinct(listCounts(gathered, uses, gathered.customer?.after.id));
  if (limits <= mostCounters) return;
  throw refused(
    `have ${limits} limits in their rules, of which a request may have ${mostCounters}: send fewer of them`,
  );
}

function refused(why: string): ServiceError {
  return new ServiceError('invalid_redeemables', { details: `redeemables ${why}` });
}

export function tooManyWrites(): ServiceError {
  return refused(
    'would change more items than one transaction can change or roll back: send fewer redeemables, or a smaller order',
  );
}

/** Refuses a session whose locks exceed one transaction. */
export function checkLocks(locks: readonly Effect[]): void {
  if (locks.length <= maxWrites || canFitOneTransaction(locks)) return;
  throw refused('have more limits in their rules than one session can keep: send fewer of them, or no session');
}
