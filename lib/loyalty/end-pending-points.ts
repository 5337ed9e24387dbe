import { activityTypes, type Occasion, occasionOf } from '../activities/activity.ts';
import { dayOf } from '../calendar.ts';
import type { Writing } from '../context.ts';
import { applyPostings, type ChangedCard, cardActivity } from '../ledger/card.ts';
import { cardEffects } from '../ledger/card-effects.ts';
import { shownWith } from '../ledger/earned-by.ts';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import { type PendingPointsItem, pendingEnds } from '../ledger/pending-points.ts';
import { lastGoodDay } from '../ledger/points-expiration.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { commit, type Effect } from '../table/effects.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import { findPending } from './find-pending-points.ts';
import { findProgrammes, type MemberCard } from './programme.ts';
import { settleCards } from './settle.ts';

type Ended = Pick<ChangedCard<VoucherItem>, 'after' | 'entries'>;

/** Takes the points off what the card has pending, and adds the activity of its holder. */
function ending(
  projectId: string,
  card: MemberCard,
  pending: PendingPointsItem,
  { occasion, state, type }: { occasion: Occasion; state: 'ACTIVATED' | 'CANCELED'; type: string },
  { after, entries }: Ended,
): Effect[] {
  const { id, points } = pending;
  const total = card.item.pending_points - points;
  const activity = cardActivity(card, occasion, { type, data: { pending_points: { id, points, total } } });
  const changed = {
    before: card.item,
    after: { ...after, pending_points: total },
    entries,
    activities: [activity],
  };
  const { effects } = cardEffects(projectId, changed, occasion.now);
  return [pendingEnds(projectId, pending, state, occasion.now), ...effects];
}

/** Pending points become points of the card, under the rules for those that are credited now. The card is settled. */
export function activation(
  projectId: string,
  card: MemberCard,
  pending: PendingPointsItem,
  occasion: Occasion,
): { entry: LedgerEntry | undefined; effects: Effect[] } {
  const { id, points, event, group_id: event_group_id, order, earning_rule_id, banner, expiration_rules } = pending;
  const earned = { event, event_group_id, order, earning_rule_id, banner, ...shownWith(pending) };
  const about = { pending_points_id: id, ...earned };
  const expires = expiration_rules && lastGoodDay(expiration_rules, dayOf(occasion.now));
  const credited = applyPostings(card, occasion, [{ type: 'PENDING_POINTS_ACTIVATION', points, about, expires }]);
  const how = { occasion, state: 'ACTIVATED', type: activityTypes.pendingPointsActivated } as const;
  return { entry: credited.entries[0], effects: ending(projectId, card, pending, how, credited) };
}

/** Makes points of what is pending before its time. Answers with the entry of the ledger. */
export function activatePendingPoints(context: Writing, memberId: string, id: string): Promise<LedgerEntry> {
  const occasion = occasionOf(context);
  return retryOptimistically(context.table, async () => {
    const { card: item, pending } = await findPending(context, memberId, id);
    const programme = (await findProgrammes(context, [item.campaign_id])).get(item.campaign_id ?? '');
    const card = { item, programme };
    if (await settleCards(context, [card])) return undefined;
    const { entry, effects } = activation(context.project.id, card, pending, occasion);
    return (await commit(context.table, effects)) ? entry : undefined;
  });
}

/** What is pending becomes nothing. */
export async function cancelPendingPoints(context: Writing, memberId: string, id: string): Promise<void> {
  const occasion = occasionOf(context);
  await retryOptimistically(context.table, async () => {
    const { card: item, pending } = await findPending(context, memberId, id);
    const how = { occasion, state: 'CANCELED', type: activityTypes.pendingPointsCanceled } as const;
    const card = { item, programme: undefined };
    const effects = ending(context.project.id, card, pending, how, { after: item, entries: [] });
    return (await commit(context.table, effects)) ? true : undefined;
  });
}
