import { activityTypes, type Occasion } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import { EarningAhead } from '#engine/loyalty/earning/earning-ahead.ts';
import { settleCards } from '#engine/loyalty/settle-cards.ts';
import type { Writing } from '#kernel/http/context.ts';
import { writeItem } from '#kernel/kit/resource/item.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import { check, type Effect, insert } from '#kernel/table/effects.ts';
import { type OrderItem, toOrder, toWholeOrder } from '../orders/resource.ts';
import { orderEffects } from '../orders/save-order.ts';
import { countCustomerFigures, keepRecords } from '../redemptions/figures.ts';
import { leftOfRedemption, partOfRedemption } from '../redemptions/part-of-redemption.ts';
import { type RedemptionItem, redemptions } from '../redemptions/redemption.ts';
import { recordRollback } from '../redemptions/redemption-activities.ts';
import { countedAs, markRolledBack } from '../rollbacks/rollback.ts';
import { type GoingBack, giveBack, type RolledBack } from '../rollbacks/rollback-effects.ts';
import { buildChildRollback, newRollback } from '../rollbacks/rollback-items.ts';
import { lowerCounters } from './counters-back.ts';
import type { OpenRedemption, PaymentBack, ReturnPlan } from './plan-return.ts';
import { orderReturn, type ReturnItem, returnClaims } from './resource.ts';
import { lowerPending, takeEarnedPoints } from './take-points.ts';

/** Turns the plan of a return into the writes of its transaction. */

function givenOf(record: RedemptionItem, payments: readonly PaymentBack[]) {
  const own = payments.find(({ payment }) => payment.id === record.id);
  if (!own) return undefined;
  const { payment, amount, points, pointsBefore, isGone } = own;
  if (isGone) return { credits: 0, points: 0, pointsBefore };
  return { credits: payment.kind === 'credits' ? amount : 0, points, pointsBefore };
}

/** Returns the rollbacks of one request's redemptions, the parent first. */
function rolledOf(
  context: Writing,
  { record, children }: OpenRedemption,
  { order, payments, next, sold }: ReturnPlan,
  reason: string | undefined,
): RolledBack[] {
  const isPayment = (one: RedemptionItem) => sold.payments.some(({ id }) => id === one.id);
  const left = (one: RedemptionItem) => {
    const given = givenOf(one, payments) ?? (isPayment(one) ? { credits: 0, points: 0, pointsBefore: 0 } : undefined);
    return leftOfRedemption(context.project.id, one, order.returned ?? sold.soFar, given);
  };
  const asked = { id: record.id, reason };
  const shown = toWholeOrder(next);
  const first = newRollback(context, left(record), asked, shown);
  const others = children.map((child) => newRollback(context, left(child), asked, undefined));
  return [first, ...others.map((one) => buildChildRollback(first.rollback, one))];
}

/** Returns the order with the notes of the rollbacks. */
function withRollbacks(next: OrderItem, groups: readonly RolledBack[][], now: Date): OrderItem {
  const notes = groups.flatMap(([first, ...children]) => {
    if (!first) return [];
    const { original, rollback } = first;
    const stacked = children.length > 0 ? { rollback_stacked: children.map((one) => one.rollback.id) } : {};
    const known = next.redemptions[original.id];
    return [
      [original.id, { ...known, rollback_id: rollback.id, rollback_date: now.toISOString(), ...stacked }] as const,
    ];
  });
  return { ...next, redemptions: { ...next.redemptions, ...Object.fromEntries(notes) } };
}

/** Makes the activity of the customer. */
function recordReturn(
  projectId: string,
  { customer }: ReturnPlan,
  item: ReturnItem,
  next: OrderItem,
  occasion: Occasion,
): Effect[] {
  if (!customer) return [];
  const { items: _, ...order } = toOrder(next);
  const { id, source_id, reason, refund, reclaimed, earned_points, rolled_back } = item;
  const order_return = { id, source_id, reason, refund, reclaimed, earned_points, rolled_back, object: 'order_return' };
  return recordActivity(projectId, customer.id, occasion, {
    type: activityTypes.orderReturned,
    data: { order, order_return },
  });
}

export interface ReturnWrites {
  readonly effects: readonly Effect[];
  readonly counters: readonly Effect[];
  readonly children: readonly Effect[];
  readonly next: OrderItem;
}

/** Returns the writes. `again` means that cards were settled first, and all must be read again. */
export async function returnEffects(
  context: Writing,
  plan: ReturnPlan,
  item: ReturnItem,
  { occasion, asked }: { occasion: Occasion; asked: string },
): Promise<ReturnWrites | Again> {
  const { project, table, now } = context;
  const { order, customer, payments, earned, rolledBack, counters, open } = plan;
  const reason = item.reason ?? undefined;
  const cards = earned.taken.flatMap(({ card }) => card ?? []);
  if (await settleCards(context, cards)) return again;
  const groups = rolledBack.map((one) => rolledOf(context, one, plan, reason));
  const rolled = groups.flat();
  const isRolled = (id: string) => rolled.some(({ original }) => original.id === id);
  const parts: GoingBack[] = payments
    .filter(({ isGone, payment }) => !isGone && !isRolled(payment.id))
    .map(({ payment: { record }, amount, points, pointsBefore, payment: { kind } }) => ({
      original: partOfRedemption(project.id, record, {
        credits: kind === 'credits' ? amount : 0,
        points,
        pointsBefore,
      }),
    }));
  const going = [...rolled, ...parts].map((one) => ({ ...one, returnId: item.id, ...(reason ? { reason } : {}) }));
  const back = await giveBack(context, going, occasion);
  if (back === again) return again;
  const next = withRollbacks(plan.next, groups, now);
  const about = { returnId: item.id, order, occasion };
  const people = { customer: customer && { before: customer, after: customer }, referrer: undefined };
  const spent = takeEarnedPoints(plan, back.cards, about);
  const saved = await orderEffects(
    context,
    new EarningAhead(context),
    { before: order, next, people, stored: [], spent },
    occasion,
  );
  if (saved === again) return again;
  const stored = await table.getMany(counters.map(({ key }) => key));
  const there = new Set(
    counters.flatMap(({ text }, index) => (stored[index]?.deleted_at === undefined && stored[index] ? [text] : [])),
  );
  const records = keepRecords(
    project.id,
    rolled.map(({ rollback }) => rollback),
    rolled.map(countedAs),
  );
  const marks = rolled.map((one) => markRolledBack(project.id, one, 'WITH_ORDER'));
  const isChild = (index: number) => groups.every(([first]) => first !== rolled[index]);
  const own = (effects: readonly Effect[], children: boolean) =>
    effects.filter((_, index) => isChild(index) === children);
  // A rollback of a payment without its order is refused, or refuses the return.
  const unrolled = open
    .filter(({ record }) => !isRolled(record.id))
    .map(({ record }) =>
      check(redemptions(project.id, record.id), (one) => one.whenThere().whenStill('status', record.status)),
    );
  const effects = [
    ...saved.effects,
    ...writeItem(orderReturn, project.id, undefined, item),
    ...(item.source_id
      ? [insert(returnClaims(project.id, order.id, item.source_id), { return_id: item.id, asked })]
      : []),
    ...own(marks, false),
    ...own(records, false),
    ...back.effects,
    ...earned.taken.flatMap(({ pending }) => pending.map((one) => lowerPending(project.id, one.item, one.by, now))),
    ...unrolled,
    ...recordReturn(project.id, plan, item, saved.after, occasion),
    ...(customer
      ? [
          ...countCustomerFigures(project.id, customer.id, rolled.map(countedAs)),
          ...groups.flatMap(([first]) => (first ? recordRollback(project.id, first.rollback, occasion) : [])),
        ]
      : []),
  ];
  const lowered = isRolledAll(plan) ? [] : lowerCounters(counters, there);
  return {
    effects,
    counters: [...back.counters, ...lowered],
    children: [...own(marks, true), ...own(records, true)],
    next: saved.after,
  };
}

/** A rollback takes the rest of the counters back itself. */
function isRolledAll({ rolledBack, open }: ReturnPlan): boolean {
  return open.length > 0 && rolledBack.length === open.length;
}
