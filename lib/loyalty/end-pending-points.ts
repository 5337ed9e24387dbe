import { findProgrammes } from '../campaigns/programme.ts';
import type { Writing } from '../http/context.ts';
import { activityTypes, type Occasion, readOccasion } from '../ledger/activities/activity.ts';
import { applyPostings, type ChangedCard } from '../ledger/card.ts';
import { cardEffects } from '../ledger/card-effects.ts';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import { endPending, type PendingPointsItem } from '../ledger/pending-points.ts';
import { type Again, again, retryOptimistically } from '../table/conflicts.ts';
import { commit, commitApart, type Effect } from '../table/effects.ts';
import type { MemberCard } from '../vouchers/member-card.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import { makeActivation, subtractPending } from './activation.ts';
import { findPending } from './find-pending-points.ts';
import { planSettling, type Settling } from './settle-cards.ts';

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
