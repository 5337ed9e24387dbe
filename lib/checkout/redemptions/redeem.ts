import { ServiceError } from '../../core/errors.ts';
import { newTimedId } from '../../core/ids.ts';
import type { Upsert } from '../../customers/upsert-customer.ts';
import { occasionOf } from '../../ledger/activities/activity.ts';
import { EarningAhead } from '../../loyalty/earning/earning-ahead.ts';
import { settleCards } from '../../loyalty/settle.ts';
import type { Refusal } from '../../rules/benefit.ts';
import { sharedCounts } from '../../rules/counts.ts';
import { type Again, again, isTransient, retryOptimistically } from '../../table/conflicts.ts';
import { newOrderId } from '../orders/next-order.ts';
import { checkPeople, findPerson } from '../orders/people.ts';
import type { Asked } from '../request/checkout-body.ts';
import { countsWith } from '../request/counts-with.ts';
import { judged } from '../request/free-lapsed.ts';
import { decide, type Gathered } from '../request/gather.ts';
import type { FoundRedeemable } from '../request/redeemable-of.ts';
import { roomOfCheckout } from '../request/show-redeemable.ts';
import { trackedAs } from '../request/tracking-id.ts';
import { checkSize, countersMoved } from '../rollbacks/rollback-size.ts';
import { bringAbout, prepare } from './bring-about.ts';
import { failure } from './failure.ts';
import { areWithinLocks, countsSeen, holdAll, releaseAll } from './limits.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { openCountersWithin } from './open-counters.ts';
import type { Decided, Plan, Redeemed, Redeeming } from './plan.ts';
import type { About } from './records.ts';
import { referrerIdOf } from './redeemed-on.ts';
import { referredBy } from './referred.ts';
import { type SpentOn, take } from './take.ts';
import { type Use, usesOf } from './use.ts';

/** Redeems vouchers, cards and promotion tiers on an order, all in one transaction (docs/contributing.md#checkout). */

/** Plans the redemption. 404 for an unknown referrer, and 400 for customers who refer themselves. */
async function planOf(
  context: Redeeming,
  { programmes }: EarningAhead,
  gathered: Gathered,
  decided: Decided,
): Promise<Plan> {
  const { now } = context;
  const occasion = occasionOf(context);
  const uses = usesOf(decided.considered, () => newTimedId('redemption', now));
  const sessionKey = gathered.asked.session?.key ?? undefined;
  const order = orderOf(gathered, now);
  const [referrer, referred] = await Promise.all([
    referrerOf(context, gathered, uses),
    referredBy(context, programmes, gathered.customer, { uses, order }),
  ]);
  checkPeople({ customer: gathered.customer, referrer });
  return {
    gathered,
    decided,
    uses,
    order,
    taken: uses.map((use) => take(context, use, { sessionKey, occasion, order })),
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
  const body = { ...order.body, referrer_id: order.body.referrer_id ?? referrerIdOf(uses) };
  return findPerson(context, 'referrer', order.before, body, asked.page?.customers);
}

function aboutOf(context: Redeeming, gathered: Gathered): About {
  const { caller, now } = context;
  return {
    gathered,
    caller,
    now,
    trackingId: trackedAs(context, gathered),
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
async function heldBy<T>(context: Redeeming, { earning, show }: How<T>, plan: Plan): Promise<Shown<T> | Again> {
  const { gathered, uses, taken, about } = plan;
  const { facts, asked, request } = gathered;
  const sessionKey = asked.session?.key ?? undefined;
  const moment = { now: request.now, sessionKey };
  const shared = sharedCounts(countersMoved(gathered, uses, about.customerId), facts.counters, moment).map((held) => ({
    ...held,
    hasRoom: (more: number) => isSame(plan, gathered.judgedBy(countsWith(gathered, held.key, more))),
  }));
  const [first] = uses;
  const id = plan.parentId ?? first?.id ?? '';
  const holds = await holdAll(context, [...taken.flatMap((one) => one.held), ...shared], id);
  if (holds === again) return again;
  const counts = countsSeen(gathered, holds);
  const isStillSo = counts === undefined || isSame(plan, gathered.judgedBy(counts));
  if (!isStillSo || !areWithinLocks(holds, sessionKey, request.now)) {
    await releaseAll(context, holds, { isRefused: true });
    return again;
  }
  let isSent = false;
  try {
    const prepared = await prepare(context, earning, plan, holds);
    if (prepared === again) {
      await releaseAll(context, holds);
      return again;
    }
    isSent = true;
    // A too long reply is refused before anything is done.
    const shown = { reply: roomOfCheckout().take(show(prepared.redeemed)) };
    if (await bringAbout(context, prepared, holds)) return shown;
    await releaseAll(context, holds);
    return again;
  } catch (error) {
    // A write that was sent and not refused may have been committed.
    if (!isSent || error instanceof ServiceError || isTransient(error)) await releaseAll(context, holds);
    throw error;
  }
}

/** Returns whether current counts lead to the same uses. */
function isSame({ gathered, decided }: Plan, redeemables: readonly FoundRedeemable[]): boolean {
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
  const alone = new OneAtATime();
  const openCounters = openCountersWithin();
  const onCustomer = (id: string | undefined) => mayEarn(asked) && earning.beginFor(id);
  const late = new LateRefusals();
  return retryOptimistically(context.table, async () => {
    const { gathered, decided } = await judged(context, asked, openCounters, {
      isStored: true,
      onCustomer,
      refused: late.found,
    });
    alone.check(gathered);
    if (!decided.isValid) {
      // A failed attempt must not create the customer.
      const about = { ...aboutOf(context, gathered), customerId: gathered.customer?.before?.id };
      throw await failure(context, about, decided, occasionOf(context));
    }
    checkSize(gathered, decided);
    const plan = await planOf(context, earning, gathered, decided);
    if (await settleSpent(context, plan.uses)) return again;
    return late.during(heldBy(context, how, plan));
  });
}
