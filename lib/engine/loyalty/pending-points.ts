import * as v from 'valibot';
import { findProgrammes } from '#engine/campaigns/programme.ts';
import { activityTypes, type Occasion, readOccasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings, type ChangedCard } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import {
  earnedBy,
  earnedWith,
  earningEvent,
  showEarnedWith,
  showEarningEvent,
  showEarningRule,
} from '#engine/ledger/earning-cause.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import { endPending, type PendingPointsItem, pendingPoints } from '#engine/ledger/pending-points.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { described, named } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { inZoneOf } from '#kernel/core/local-time.ts';
import { count, date, dateTime, integer } from '#kernel/core/schema.ts';
import type { Showing, Writing } from '#kernel/http/context.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, commitApart, type Effect } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { findCard } from './find-card.ts';
import { makeActivation, planSettling, type Settling, subtractPending } from './settle-cards.ts';

/** Shows the change as `points`, and the card's pending points afterwards as `total`. */
export const pendingPointsBalance = named(
  'PendingPointsBalance',
  v.object({
    points: integer,
    total: integer,
    object: v.literal('balance'),
    operation_type: v.literal('MANUAL'),
    related_object: v.object({ type: v.literal('voucher'), id: v.string() }),
  }),
);

export type PendingPointsBalance = v.InferOutput<typeof pendingPointsBalance>;

/** Shows pending points in lists. */
export const pendingPointsReply = named(
  'PendingPoints',
  v.object({
    id: v.string(),
    object: v.literal('pending_points'),
    voucher_id: v.string(),
    campaign_id: v.nullable(v.string()),
    /** The card's holder. */
    customer_id: v.nullable(v.string()),
    order_id: v.nullable(v.string()),
    points: count,
    activates_at: described(
      v.nullable(date),
      'The day (UTC) on which the card gets the points. It is null while they wait for an operator.',
    ),
    details: v.object({
      ...earningEvent,
      earning_rule: v.optional(earnedBy),
      ...earnedWith,
      order: v.optional(v.object({ id: v.string(), source_id: v.nullable(v.string()) })),
    }),
    created_at: v.nullable(dateTime),
    updated_at: v.nullable(dateTime),
  }),
);

export function presentPendingPoints(
  item: PendingPointsItem,
  card: { holder_id?: string | null | undefined; campaign_id?: string | null | undefined } | undefined,
  now: Date,
): v.InferOutput<typeof pendingPointsReply> {
  const { id, voucher_id, points, event, order } = item;
  const { activates_at, created_at = null, updated_at = null } = item;
  return {
    id,
    object: 'pending_points',
    voucher_id,
    campaign_id: item.campaign_id ?? card?.campaign_id ?? null,
    customer_id: card?.holder_id ?? null,
    order_id: order?.id ?? null,
    points,
    activates_at: activates_at === undefined ? null : formatDay(inZoneOf(now, new Date(activates_at))),
    details: {
      ...showEarningEvent(event, item.group_id),
      ...showEarningRule(item),
      ...showEarnedWith(item),
      ...(order ? { order } : {}),
    },
    created_at,
    updated_at,
  };
}

/** Finds pending points to change. 404 if the card has none with this id, and 400 if they are no longer PENDING. */
export async function findPending(
  context: Showing,
  memberId: string,
  pendingPointsId: string,
): Promise<{ card: VoucherItem; pending: PendingPointsItem }> {
  const { table, project } = context;
  const card = await findCard(context, memberId);
  const { pending } = await read(table, { pending: pendingPoints(project.id, card.id, pendingPointsId) });
  if (!pending) throw notFound('pending_points', pendingPointsId);
  if (pending.state !== 'PENDING') {
    throw new ServiceError('invalid_pending_points_state', {
      details: `the pending points are ${pending.state}, and only those that are PENDING can be changed`,
      resource: { id: pending.id, type: 'pending_points' },
    });
  }
  return { card, pending };
}

type Ended = Pick<ChangedCard<VoucherItem>, 'after' | 'entries'>;

/** Subtracts the points from the card's pending points, and adds the activity of its holder. */
function ending(
  projectId: string,
  card: MemberCard,
  pending: PendingPointsItem,
  { occasion, state, type }: { occasion: Occasion; state: 'ACTIVATED' | 'CANCELED'; type: string },
  { after, entries }: Ended,
): Effect[] {
  const { total, activities } = subtractPending(card, [pending], occasion, type);
  const changed = { before: card.item, after: { ...after, pending_points: total }, entries, activities };
  const { effects } = cardEffects(projectId, changed, occasion.now);
  return [endPending(projectId, pending, state, occasion.now), ...effects];
}

/** Activates points of a settled card. */
function activation(
  projectId: string,
  card: MemberCard,
  pending: PendingPointsItem,
  occasion: Occasion,
): { entry: LedgerEntry; effects: Effect[] } {
  const credited = applyPostings(card, occasion, [makeActivation(pending, occasion.now)]);
  const how = { occasion, state: 'ACTIVATED', type: activityTypes.pendingPointsActivated } as const;
  const [entry] = credited.entries;
  if (!entry) throw new Error('points were activated without an entry');
  return { entry, effects: ending(projectId, card, pending, how, credited) };
}

/** Commits. Returns the entry of the points with the rest at that time, or `again`. */
async function settled({ table }: Writing, due: Settling, id: string): Promise<LedgerEntry | Again> {
  const own = due.entries.find(({ about }) => about.pending_points_id === id);
  const isDone = await (own ? commit(table, due.effects) : commitApart(table, due.effects));
  return isDone && own ? { ...own, balance: due.entries.at(-1)?.balance ?? own.balance } : again;
}

/** Activates pending points before their time. Answers with the ledger entry. */
export function activatePendingPoints(context: Writing, memberId: string, id: string): Promise<LedgerEntry> {
  const occasion = readOccasion(context);
  return retryOptimistically(context.table, async () => {
    const { card: item, pending } = await findPending(context, memberId, id);
    const programme = (await findProgrammes(context, [item.campaign_id])).get(item.campaign_id ?? '');
    const card = { item, programme };
    const due = await planSettling(context, card);
    if (due) return settled(context, due, id);
    const { entry, effects } = activation(context.project.id, card, pending, occasion);
    return (await commit(context.table, effects)) ? entry : again;
  });
}

/** Cancels pending points. */
export async function cancelPendingPoints(context: Writing, memberId: string, id: string): Promise<void> {
  const occasion = readOccasion(context);
  await retryOptimistically(context.table, async () => {
    const { card: item, pending } = await findPending(context, memberId, id);
    const how = { occasion, state: 'CANCELED', type: activityTypes.pendingPointsCanceled } as const;
    const card = { item, programme: undefined };
    const effects = ending(context.project.id, card, pending, how, { after: item, entries: [] });
    return (await commit(context.table, effects)) ? true : again;
  });
}
