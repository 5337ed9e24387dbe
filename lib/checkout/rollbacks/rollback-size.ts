import { ServiceError } from '../../core/errors.ts';
import type { RuleCount } from '../../rules/counts.ts';
import { type Effect, fitsOneTransaction, maxWrites } from '../../table/effects.ts';
import { keyText } from '../../table/keys.ts';
import { countsOf } from '../redemptions/limits.ts';
import type { Decided } from '../redemptions/plan.ts';
import { type Use, usesOf } from '../redemptions/use.ts';
import type { Gathered } from '../request/gather.ts';

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

/** Counters are held one by one, and the record of a redemption lists them. */
const mostCounters = 300;

/** Counts what one transaction must take, and take back, whatever limits count. */
function countWrites(uses: readonly Use[]): number {
  return uses.reduce((sum, use) => sum + writesOf(use), 0) + ofParent + aroundThem;
}

const countDistinct = (counts: readonly RuleCount[]) => new Set(counts.map(({ key }) => keyText(key))).size;

/**
 * Returns the counters that the uses move. Where one transaction could not take all of them back, all are held ahead of it, and a
 * rollback writes them behind it.
 */
export function countersMoved(gathered: Gathered, uses: readonly Use[], customerId: string | undefined): RuleCount[] {
  const counts = countsOf(gathered, uses, customerId);
  const isRoomy = countWrites(uses) + countDistinct(counts) <= maxWrites;
  return isRoomy ? counts : counts.map((one) => ({ ...one, isShared: true }));
}

/**
 * Refuses what one transaction could not take, or take back: each voucher or tier, its ledger, its reward. Refuses limits beyond all
 * reason. 400 `invalid_redeemables`.
 */
export function checkSize(gathered: Gathered, { considered }: Pick<Decided, 'considered'>): void {
  const uses = usesOf(considered, () => '');
  if (countWrites(uses) > maxWrites) throw tooMuch();
  const limits = countDistinct(countsOf(gathered, uses, gathered.customer?.after.id));
  if (limits <= mostCounters) return;
  throw refused(
    `have ${limits} limits in their rules, of which a request may have ${mostCounters}: send fewer of them`,
  );
}

function refused(why: string): ServiceError {
  return new ServiceError('invalid_redeemables', { details: `redeemables ${why}` });
}

export function tooMuch(): ServiceError {
  return refused(
    'would change more at once than one transaction takes, or takes back: send fewer of them, or a smaller order',
  );
}

/** Refuses a session that would keep more than one transaction takes. */
export function checkLocks(locks: readonly Effect[]): void {
  if (locks.length <= maxWrites || fitsOneTransaction(locks)) return;
  throw refused('have more limits in their rules than one session can keep: send fewer of them, or no session');
}
