import { isDeepStrictEqual } from 'node:util';
import { addDays } from '#kernel/core/calendar.ts';
import { dueAttributes, setDue } from '#kernel/table/due.ts';
import { change, type Effect, insert } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { Update } from '#kernel/table/update.ts';
import { activityTypes } from './activities/activity.ts';
import { type ActivityOwner, recordActivities } from './activities/record-activities.ts';
import { type CardItem, type ChangedCard, type cardItem, cards } from './card.ts';
import { noteChange } from './codes/voucher-lists.ts';
import { cardActivities, type LedgerEntry, ledgerEntryKey, transferClaims } from './ledger-entry.ts';
import { findFirstLapse } from './lots.ts';
import { recordEntry } from './record-entry.ts';

/** Returns the next day on which the card must be examined: points expire, or a tier ends or begins. */
function dueOn({ lots, standing, tier_begins: begins }: CardItem): string | undefined {
  const lastDays = [findFirstLapse(lots), standing?.expiration_date ?? undefined].filter((day) => day !== undefined);
  const days = [...lastDays.map((day) => addDays(day, 1)), begins].filter((day) => day !== undefined);
  return days.sort()[0];
}

/** Returns whether a reader can see the change. The notes about examinations are invisible. */
function isVisible({ before, after, entries, activities }: ChangedCard): boolean {
  return (
    entries.length + activities.length > 0 ||
    before.pending_points !== after.pending_points ||
    (before.standing !== undefined && !isDeepStrictEqual(before.standing, after.standing))
  );
}

type CardUpdate = Update<typeof cardItem>;

function changeOf(projectId: string, { before, after }: ChangedCard, update: CardUpdate): CardUpdate {
  update
    .whenThere()
    // Every change of points writes this attribute, so that a card that was read earlier is read again.
    .whenStill('revision', before.revision)
    .whenStill('active', before.active ?? undefined)
    .set(['revision'], after.revision)
    .set(['lots'], after.lots)
    .set(['credited_points'], after.credited_points)
    .set(['ledger_entries'], after.ledger_entries);
  if (after.earned !== undefined) update.set(['earned'], after.earned);
  if (after.tier_begins !== undefined) update.set(['tier_begins'], after.tier_begins);
  else if (before.tier_begins !== undefined) update.remove(['tier_begins']);
  if (after.expired_points !== undefined) update.set(['expired_points'], after.expired_points);
  // A running load of a project file also adds to the attribute, and leaves the revision unchanged.
  const pending = after.pending_points - before.pending_points;
  if (pending !== 0) update.add('pending_points', pending);
  if (after.updated_at !== before.updated_at && after.updated_at)
    noteChange(update, projectId, after.id, after.updated_at);
  // A card without a standing was not examined yet, and stays due.
  if (after.standing === undefined) return update;
  return setDue(update.set(['standing'], after.standing), cards(projectId, after.id), dueOn(after));
}

/** Limits the rounds in which points for moves cause further moves. */
const maxRounds = 10;

/** The time after which a member's move is examined again if the stream's worker has not done it. */
const lookedAtAfterInMs = 3_600_000;

/**
 * Returns the attributes that mark a move of the holder between tiers, or a possible automatic reward. The worker that removes the mark
 * applies the rules, so that they apply once.
 */
function asTold(
  projectId: string,
  { before: { holder_id: holder }, round = 0 }: ChangedCard,
  { key, moves }: { key: Key; moves: boolean },
  now: Date,
): Attributes {
  if (!moves || !holder || round >= maxRounds) return {};
  const at = new Date(now.getTime() + lookedAtAfterInMs).toISOString();
  return { project_id: projectId, tier_round: round, ...dueAttributes(key, at) };
}

const moveTypes: readonly string[] = [
  activityTypes.joined,
  activityTypes.left,
  activityTypes.upgraded,
  activityTypes.downgraded,
  activityTypes.prolonged,
];

function entryEffects(
  projectId: string,
  reader: ActivityOwner | undefined,
  entry: LedgerEntry,
  changed: ChangedCard,
  now: Date,
): Effect[] {
  const { type, voucher_id: cardId, source_id: sourceId, sequence, points, about, moves } = entry;
  const key = ledgerEntryKey(projectId, cardId, sequence);
  const isLast = sequence === changed.after.ledger_entries;
  const recorded = recordEntry(
    projectId,
    reader,
    entry,
    asTold(projectId, changed, { key, moves: moves.length > 0 || Boolean(changed.mayRedeem && isLast) }, now),
  );
  if (type !== 'POINTS_TRANSFER_OUT' || !sourceId) return recorded;
  const claim = { entry: sequence, points: -points, destination_id: about.to?.id };
  return [...recorded, insert(transferClaims(projectId, cardId, sourceId), claim)];
}

/**
 * Returns the effects of a changed card: its entries with the claims of transfers, and its activities. They are in the lists of the holder.
 * A card without a holder uses the lists of `customerId`, who counts them.
 */
export function cardEffects<I extends CardItem>(
  projectId: string,
  changed: ChangedCard<I>,
  now: Date,
  customerId?: string,
): { effects: Effect[]; after: I } {
  const { before, entries, activities } = changed;
  const key = cards(projectId, before.id);
  const { holder_id: holder } = before;
  const reader = holder ? { customerId: holder, card: key } : customerId === undefined ? undefined : { customerId };
  const after = {
    ...changed.after,
    updated_at: isVisible(changed) ? now.toISOString() : before.updated_at,
    revision: (before.revision ?? 0) + 1,
  };
  return {
    after,
    effects: [
      change(key, (update) => changeOf(projectId, { ...changed, after }, update)),
      ...entries.flatMap((entry) => entryEffects(projectId, reader, entry, changed, now)),
      ...activities.flatMap((activity) => {
        const { id } = activity;
        const place = cardActivities(projectId, before.id, id);
        const told = asTold(projectId, changed, { key: place, moves: moveTypes.includes(activity.type) }, now);
        return recordActivities(projectId, reader, {
          key: place,
          item: { ...activity, ...told },
          id,
          activities: [activity],
        });
      }),
    ],
  };
}
