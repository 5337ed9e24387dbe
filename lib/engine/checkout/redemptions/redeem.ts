import type { Upsert } from '#engine/customers/upsert-customer.ts';
import { commitHeld, holdShared, releaseHeld } from '#engine/holds/shared.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { EarningAhead } from '#engine/loyalty/earning/earning-ahead.ts';
import { settleCards } from '#engine/loyalty/settle-cards.ts';
import type { Refusal } from '#engine/rules/benefit.ts';
import { holdSharedCounts } from '#engine/rules/counts.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { newOrderId } from '../orders/next-order.ts';
import { checkPeople, findOrderPerson } from '../orders/people.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import type { Asked } from '../request/checkout-body.ts';
import { decide, type Gathered } from '../request/gather.ts';
import { judgeCheckout, raiseCounts } from '../request/judge-checkout.ts';
import { createCheckoutRoom } from '../request/show-redeemable.ts';
import { readTrackingId } from '../request/tracking-id.ts';
import { commitRedemption, prepareRedemption } from './commit-redemption.ts';
import { ConcurrencyCheck } from './concurrency-check.ts';
import { convertReferrals } from './convert-referrals.ts';
import { keepFailure } from './failed-redemption.ts';
import { readSeenCounts } from './limits.ts';
import { createCounterOpener } from './open-counters.ts';
import type { Decided, Redeemed, Redeeming, RedemptionPlan } from './plan.ts';
import type { About } from './records.ts';
import { findReferrerId } from './redeem-on-order.ts';
import { listUses, type Use } from './redeemable-use.ts';
import { checkRollbackSize, listHeldCounters } from './rollback-size.ts';
import { type SpentOn, takeUse } from './voucher-effects.ts';

/** Redeems vouchers, cards and promotion tiers on an order, all in one transaction (docs/contributing.md#checkout). */

/** Plans the redemption. 404 for an unknown referrer, and 400 for customers who refer themselves. */
async function planOf(
  context: Redeeming,
  { programmes }: EarningAhead,
  gathered: Gathered,
  decided: Decided,
): Promise<RedemptionPlan> {
  const { now } = context;
  const occasion = readOccasion(context);
  const uses = listUses(decided.considered, () => newTimedId('redemption', now));
  const sessionKey = gathered.asked.session?.key ?? undefined;
  const order = orderOf(gathered, now);
  const [referrer, referred] = await Promise.all([
    referrerOf(context, gathered, uses),
    convertReferrals(context, programmes, gathered.customer, { uses, order }),
  ]);
  checkPeople({ customer: gathered.customer, referrer });
  return {
    gathered,
    decided,
    uses,
    order,
    taken: uses.map((use) => takeUse(context, use, { sessionKey, occasion, order })),
    parentId: uses.length > 1 ? newTimedId('redemption', now) : undefined,
    referrer,
    referred,
    about: aboutOf(context, gathered),
  };
}

function orderOf({ order }: Gathered, now: Date): SpentOn {
  if (!order) return undefined;
  const { before, body } = order;
  const source_id = body.source_id === undefined ? before?.source_id : body.source_id;
  return { id: before?.id ?? newOrderId(now), source_id: source_id ?? null };
}

function referrerOf(context: Redeeming, { asked, order }: Gathered, uses: readonly Use[]): Promise<Upsert | undefined> {
  if (!order) return Promise.resolve(undefined);
  const body = { ...order.body, referrer_id: order.body.referrer_id ?? findReferrerId(uses) };
  return findOrderPerson(context, 'referrer', order.before, body, asked.browser?.customers);
}

function aboutOf(context: Redeeming, gathered: Gathered): About {
  const { caller, now } = context;
  return {
    gathered,
    caller,
    now,
    trackingId: readTrackingId(context, gathered),
    customerId: gathered.customer?.after.id,
  };
}

/** Writes off expired points of loyalty cards first. Returns true if the caller must read again. */
function settleSpent(context: Redeeming, uses: readonly Use[]): Promise<boolean> {
  const cards = uses.flatMap(({ one }) => {
    const { voucher } = one.target;
    return voucher?.type === 'LOYALTY_CARD' ? [{ item: voucher, programme: one.reward?.programme }] : [];
  });
  return settleCards(context, cards);
}

/** The input of a redemption, besides its redeemables. */
interface How<T> {
  readonly earning: EarningAhead;
  /** Makes the reply before the commit, so that a too long reply is refused in time. */
  readonly show: (done: Redeemed) => T;
}

interface Shown<T> {
  readonly reply: T;
}

/** Commits under the holds. Returns `again` if the holds do not suffice, or another request was faster. */
async function heldBy<T>(
  context: Redeeming,
  { earning, show }: How<T>,
  plan: RedemptionPlan,
): Promise<Shown<T> | Again> {
  const { gathered, uses, taken, about } = plan;
  const { facts, asked, request } = gathered;
  const sessionKey = asked.session?.key ?? undefined;
  const moment = { now: request.now, sessionKey };
  const shared = holdSharedCounts(listHeldCounters(gathered, uses, about.customerId), facts.counters, moment).map(
    (held) => ({
      ...held,
      hasRoom: (more: number) => isSame(plan, gathered.judgedBy(raiseCounts(gathered, held.key, more))),
    }),
  );
  const [first] = uses;
  const id = plan.parentId ?? first?.id ?? '';
  const held = await holdShared(context, [...taken.flatMap((one) => one.held), ...shared], { id, sessionKey });
  if (held === again) return again;
  const counts = readSeenCounts(gathered, held);
  const isStillSo = counts === undefined || isSame(plan, gathered.judgedBy(counts));
  if (!isStillSo) {
    await releaseHeld(context, held, { isRefused: true });
    return again;
  }
  return commitHeld(context, held, {
    prepare: (part) => prepareRedemption(context, earning, plan, part),
    commit: async (prepared) => {
      // A too long reply is refused before anything is done.
      const shown = { reply: createCheckoutRoom().take(show(prepared.redeemed)) };
      return (await commitRedemption(context, prepared)) ? shown : again;
    },
  });
}

/** Returns whether current counts lead to the same uses. */
function isSame({ gathered, decided }: RedemptionPlan, redeemables: readonly FoundRedeemable[]): boolean {
  const anew = decide({ ...gathered, redeemables });
  const statuses = ({ considered }: Decided) => considered.map(({ outcome }) => outcome.status).join();
  return anew.isValid === decided.isValid && statuses(anew) === statuses(decided);
}

/** Notes rewards that prove unavailable. The next attempt judges their cards accordingly. */
class LateRefusals {
  readonly found = new Map<string, Refusal>();

  /** Returns `again` if a reward is newly unavailable, and all must be judged again. */
  async during<T>(redeeming: Promise<Shown<T> | Again>): Promise<Shown<T> | Again> {
    try {
      return await redeeming;
    } catch (error) {
      if (!(error instanceof ServiceError && error.redeemable) || this.found.has(error.redeemable.id)) throw error;
      const { key, details } = error;
      this.found.set(error.redeemable.id, { key, details });
      return again;
    }
  }
}

/** Returns whether the order would be paid, as far as that is known before the read. */
function mayEarn({ order }: Asked): boolean {
  return order !== undefined && (order.status ?? 'PAID') !== 'CREATED' && order.status !== 'CANCELED';
}

/** Returns whether the order may have a customer. Guests earn nothing, so nothing is read for them. */
function namesSomebody({ customer, order }: Asked): boolean {
  return customer !== undefined || order?.id !== undefined || order?.source_id !== undefined;
}

/**
 * Redeems all requested redeemables, or those that the stacking rules leave, or none. In the last case it answers the first one's error,
 * and stores a failed redemption. Simultaneous redemptions never exceed limits and balances.
 */
export async function redeem<T>(context: Redeeming, asked: Asked, show: How<T>['show']): Promise<T> {
  const earning = new EarningAhead(context);
  if (mayEarn(asked) && namesSomebody(asked)) earning.begin();
  const { reply } = await redeemEarning(context, asked, { earning, show }).finally(() => earning.ended());
  return reply;
}

function redeemEarning<T>(context: Redeeming, asked: Asked, how: How<T>): Promise<Shown<T>> {
  const { earning } = how;
  const alone = new ConcurrencyCheck();
  const openCounters = createCounterOpener();
  const onCustomer = (id: string | undefined) => mayEarn(asked) && earning.beginFor(id);
  const late = new LateRefusals();
  return retryOptimistically(context.table, async () => {
    const { gathered, decided } = await judgeCheckout(context, asked, openCounters, {
      isStored: true,
      onCustomer,
      refused: late.found,
    });
    alone.check(gathered);
    if (!decided.isValid) {
      // A failed attempt must not create the customer.
      const about = { ...aboutOf(context, gathered), customerId: gathered.customer?.before?.id };
      throw await keepFailure(context, about, decided, readOccasion(context));
    }
    checkRollbackSize(gathered, decided);
    const plan = await planOf(context, earning, gathered, decided);
    if (await settleSpent(context, plan.uses)) return again;
    return late.during(heldBy(context, how, plan));
  });
}
