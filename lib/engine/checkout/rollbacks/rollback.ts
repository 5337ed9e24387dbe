import type * as v from 'valibot';
import type { PromotionTierItem } from '#engine/campaigns/promotions/promotion-tier.ts';
import { findCustomerById } from '#engine/customers/find-customer.ts';
import { writeUpsert } from '#engine/customers/upsert-customer.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { EarningAhead } from '#engine/loyalty/earning/earning-ahead.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { resourceKey } from '#kernel/kit/resource/shape.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import {
  amend,
  canFitOneTransaction,
  check,
  commit,
  type Effect,
  maxWrites,
  mergeEffects,
} from '#kernel/table/effects.ts';
import { cancelOrder } from '../orders/canceled-order.ts';
import { isOrderChanged } from '../orders/next-order.ts';
import type { RedeemedOrder } from '../orders/redeemed-order.ts';
import { type OrderItem, order, toWholeOrder } from '../orders/resource.ts';
import { orderEffects } from '../orders/save-order.ts';
import { countCustomerFigures, keepRecords } from '../redemptions/figures.ts';
import { redemptionOr404 } from '../redemptions/get-redemption.ts';
import { type Rollback, showRedemptions } from '../redemptions/present-redemption.ts';
import { type RedemptionItem, redemptions } from '../redemptions/redemption.ts';
import { recordRollback } from '../redemptions/redemption-activities.ts';
import { keepWritesBehind, makeWritesBehind } from '../redemptions/writes-behind.ts';
import { type AskedRollback, fitReply, type stackedRollback } from './rollback-body.ts';
import { findRollbackRefusal, type RollbackMode, type RollbackSubject, readSubject } from './rollback-checks.ts';
import { type GivenBack, giveBack, type RolledBack, returnTierUse } from './rollback-effects.ts';
import { noteRollbackFailure } from './rollback-failure.ts';
import { buildChildRollback, newRollback } from './rollback-items.ts';

/** Returns the order after the rollback: canceled, or unchanged. */
function orderAfter(
  { order: item, mode, original, others }: RollbackSubject,
  rolled: readonly { id: string }[],
  now: Date,
) {
  if (!item || mode === 'WITHOUT_ORDER') return item;
  const [first, ...children] = rolled;
  const known = item.redemptions[original.id];
  const noted = {
    ...known,
    rollback_id: first?.id,
    rollback_date: now.toISOString(),
    ...(children.length > 0 ? { rollback_stacked: children.map(({ id }) => id) } : {}),
  };
  const isPayment = original.gift_credits !== undefined || original.points !== undefined;
  const next = cancelOrder(item, {
    redemptions: known ? { ...item.redemptions, [original.id]: noted } : item.redemptions,
    parts: original.order && !others.isAlone ? { own: original.order, ...others, isPayment } : undefined,
  });
  return isOrderChanged(item, next) ? { ...next, updated_at: now.toISOString() } : next;
}

/** Marks the redemption as rolled back. A simultaneous redemption or rollback makes the transaction fail, and all is decided again. */
export function markRolledBack(projectId: string, { original, rollback }: RolledBack, mode: RollbackMode): Effect {
  const { id, date } = rollback;
  const rollbacks = [...(original.rollbacks ?? []), { id, date, rollback_order_mode: mode }];
  return amend(redemptions(projectId, original.id), {
    still: { status: original.status },
    set: { status: 'ROLLED_BACK', rollbacks, ...(rollback.metadata ? { metadata: rollback.metadata } : {}) },
    ifThere: true,
  });
}

/** Returns the effects on the order and its people, or `again` if cards were settled first. */
async function orderBack(
  context: Writing,
  { order: before, customer }: RollbackSubject,
  next: OrderItem | undefined,
  { cards }: GivenBack,
  occasion: Occasion,
): Promise<Effect[] | Again> {
  const { project, now } = context;
  const own = customer ? writeUpsert(context, customer, occasion) : [];
  if (!before || !next || before === next) {
    // A return of the order gives back a part of the same redemption.
    const unreturned = before
      ? [check(resourceKey(order, project.id, before), (one) => one.whenThere().whenStill('revision', before.revision))]
      : [];
    return [...own, ...unreturned, ...cards.flatMap((card) => cardEffects(project.id, card, now).effects)];
  }
  const isNamed = customer !== undefined && before.customer_id === customer.after.id;
  const other = before.customer_id && !isNamed ? await findCustomerById(context, before.customer_id) : undefined;
  // The order may still name a customer that was merged since.
  const isTheirs = isNamed || (customer !== undefined && other?.id === customer.after.id);
  const led = other && other.id !== before.customer_id ? { ...next, customer_id: other.id } : next;
  const people = {
    customer: isTheirs ? customer : other && { before: other, after: other },
    referrer: undefined,
  };
  const saving = { before, next: led, people, stored: [], spent: cards };
  const saved = await orderEffects(context, new EarningAhead(context), saving, occasion);
  return saved === again ? again : [...saved.effects, ...(isTheirs ? [] : own)];
}

export const countedAs = ({ original, rollback: { order: _, ...rollback } }: RolledBack): RedemptionItem => ({
  ...rollback,
  ...(original.order ? { order: original.order } : {}),
});

interface Done {
  /** The rollbacks, in the order of the redemptions, the parent first. */
  readonly shown: readonly Rollback[];
  readonly order: RedeemedOrder | undefined;
  readonly isOfSeveral: boolean;
}

/** Shows the rollbacks before the commit, because nothing may fail for the table afterwards. */
async function shownRollbacks(
  context: Writing,
  rolled: readonly RolledBack[],
  { vouchers }: GivenBack,
  { customer }: RollbackSubject,
): Promise<Rollback[]> {
  const known = {
    vouchers,
    customers: customer ? [customer.after] : [],
    tierAfter: (tier: PromotionTierItem) => returnTierUse(context.project.id, tier, rolled),
  };
  const items = rolled.map(({ rollback }) => rollback);
  const shown = await showRedemptions(context, items, { voucher: 'full', known });
  return fitReply(shown.filter((one) => one.object === 'redemption_rollback'));
}

interface Writes {
  readonly effects: readonly Effect[];
  readonly counters: readonly Effect[];
  readonly children: readonly Effect[];
}

/** Commits a rollback. The records of its children, and last the counters, are written afterwards if they exceed a transaction. */
export async function commitWithChildren(
  context: Writing,
  id: string,
  { effects, counters, children }: Writes,
): Promise<boolean> {
  const own = [...effects, ...counters];
  const all = [...own, ...children];
  if (canFitOneTransaction(all)) return commit(context.table, all);
  // The job needs one write.
  const hasRoom = mergeEffects(own).length < maxWrites && canFitOneTransaction(own);
  const behind = hasRoom ? children : [...children, ...counters];
  const done = await commit(context.table, [...(hasRoom ? own : effects), await keepWritesBehind(context, id, behind)]);
  // The rollback is committed. The job makes the writes that fail now.
  if (done) await makeWritesBehind(context, id).catch(() => {});
  return done;
}

/** Marks the redemption as rolled back in the transaction that returns its uses. Simultaneous and repeated requests find the mark. */
async function attempt(context: Writing, stored: RedemptionItem, asked: AskedRollback): Promise<Done | Again> {
  const { project, now } = context;
  const occasion = readOccasion(context);
  const subject = await readSubject(context, stored, asked);
  const { original } = subject;
  const bareChildren = subject.children.map((child) => newRollback(context, child, asked, undefined));
  const bare = newRollback(context, original, asked, undefined);
  const next = orderAfter(subject, [bare.rollback, ...bareChildren.map(({ rollback }) => rollback)], now);
  const shown = next && toWholeOrder(next);
  const first = shown ? { ...bare, rollback: { ...bare.rollback, order: shown } } : bare;
  const rolled = [first, ...bareChildren.map((child) => buildChildRollback(first.rollback, child))];

  const reason = first.rollback.reason;
  const back = await giveBack(
    context,
    rolled.map((one) => ({ ...one, reason })),
    occasion,
  );
  if (back === again) return again;
  const ofOrder = await orderBack(context, subject, next, back, occasion);
  if (ofOrder === again) return again;
  const replies = await shownRollbacks(context, rolled, back, subject);
  const kept = keepRecords(
    project.id,
    rolled.map(({ rollback }) => rollback),
    rolled.map(countedAs),
  );
  const marks = rolled.map((one) => markRolledBack(project.id, one, subject.mode));
  // Children are only rolled back with their parent, whose mark counts for them.
  const children = [...marks.slice(1), ...kept.slice(1)];
  const effects = [
    ...marks.slice(0, 1),
    ...kept.slice(0, 1),
    ...back.effects,
    ...ofOrder,
    ...(subject.customer
      ? [
          ...countCustomerFigures(project.id, subject.customer.after.id, rolled.map(countedAs)),
          ...recordRollback(project.id, first.rollback, occasion),
        ]
      : []),
  ];
  const done = await commitWithChildren(context, first.rollback.id, { effects, counters: back.counters, children });
  return done ? { shown: replies, order: shown, isOfSeveral: original.redemptions !== undefined } : again;
}

async function rolledBack(context: Writing, asked: AskedRollback, how: { alone: boolean }): Promise<Done> {
  return retryOptimistically(context.table, async () => {
    const original = await redemptionOr404(context, asked.id);
    const refusal = await findRollbackRefusal(context, original, asked, how);
    if (refusal) throw await noteRollbackFailure(context, original, asked, refusal);
    try {
      return await attempt(context, original, asked);
    } catch (error) {
      // A used reward cannot be taken back.
      const isRefused = error instanceof ServiceError && error.key === 'invalid_redemption';
      throw isRefused ? await noteRollbackFailure(context, original, asked, error) : error;
    }
  });
}

/** Rolls a single redemption back once. A refused one is listed as a failed rollback. */
export async function rollBack(context: Writing, asked: AskedRollback): Promise<Rollback> {
  const { shown } = await rolledBack(context, asked, { alone: true });
  const [first] = shown;
  if (!first) throw new Error('a rollback is not shown');
  return first;
}

/** Rolls several redemptions of one request back by their parent, all or none, or a single redemption. */
export async function rollBackAll(
  context: Writing,
  asked: AskedRollback,
): Promise<v.InferOutput<typeof stackedRollback>> {
  const { shown, order, isOfSeveral } = await rolledBack(context, asked, { alone: false });
  const [first, ...children] = shown;
  return {
    rollbacks: isOfSeveral ? children : [...shown],
    ...(isOfSeveral && first ? { parent_rollback: first } : {}),
    order: order ?? null,
  };
}
