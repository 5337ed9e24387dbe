import { type ActivityItem, activityTypes, type Occasion, readOccasion } from '#engine/ledger/activities/activity.ts';
import { type Card, type CardItem, makeCardActivity } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { showEarnedWith } from '#engine/ledger/earning-cause.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import { findLastGoodDay } from '#engine/ledger/lots.ts';
import type { Posting } from '#engine/ledger/new-entry.ts';
import { endPending, type PendingPointsItem, pendingData, pendingPoints } from '#engine/ledger/pending-points.ts';
import { activateRipe, settleByTime } from '#engine/ledger/settlement.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { inZoneOf } from '#kernel/core/local-time.ts';
import type { Reading } from '#kernel/http/context.ts';
import { commitApart, type Effect } from '#kernel/table/effects.ts';
import { readChildren } from '#kernel/table/read.ts';

/** Returns the posting that credits pending points, under the rules for points that are credited now. */
export function makeActivation(pending: PendingPointsItem, now: Date): Posting {
  const { id, points, event, group_id: event_group_id, order, earning_rule_id, banner, expiration_rules } = pending;
  const earned = { event, event_group_id, order, earning_rule_id, banner, ...showEarnedWith(pending) };
  const about = { pending_points_id: id, ...earned };
  const expires = expiration_rules && findLastGoodDay(expiration_rules, formatDay(now));
  return { type: 'PENDING_POINTS_ACTIVATION', points, about, expires };
}

/** Returns the sum of the card's pending points without the ended points, and an activity of its holder for each. */
export function subtractPending(
  card: Card,
  ended: readonly PendingPointsItem[],
  occasion: Occasion,
  type: string,
): { total: number; activities: ActivityItem[] } {
  let total = card.item.pending_points;
  const activities = ended.map((one) => {
    total -= one.points;
    const { id, points } = one;
    return makeCardActivity(card, occasion, {
      type,
      data: { pending_points: { id, points, total }, ...pendingData(card.item, one, { change: -points, total }) },
    });
  });
  return { total, activities };
}

/**
 * Limits the points that a transaction activates. Each needs three items, and the card and expired points need two
 * more.
 */
const activatedAtOnce = 30;

type Pending = PendingPointsItem & { readonly activates_at: string };

function isRipe(one: PendingPointsItem, now: Date): one is Pending {
  return one.state === 'PENDING' && one.activates_at !== undefined && one.activates_at <= now.toISOString();
}

/** Returns the card's pending points that are due, the earliest first. */
async function ripeOf({ table, project, now }: Reading, { id, pending_points }: CardItem): Promise<Pending[]> {
  if (pending_points === 0) return [];
  const all = await readChildren(table, pendingPoints, project.id, id);
  return all.filter((one) => isRipe(one, now)).sort((one, other) => one.activates_at.localeCompare(other.activates_at));
}

/** The effects that settle a card. */
export interface Settling {
  readonly effects: readonly Effect[];
  readonly entries: readonly LedgerEntry[];
  /** The number of activated entries of pending points. */
  readonly activated: number;
  /**
   * True if more entries are due than fit into a transaction. In this case nothing has expired, and the card must be
   * settled again.
   */
  readonly isPart: boolean;
}

/**
 * Returns all effects of time on a card, as `look` sees it. Points activate before others expire, and the tier is
 * judged afterwards. `undefined` means no effect. The hourly job handles points that become due after the read.
 */
export async function planSettling(
  context: Reading,
  card: Card,
  look: typeof settleByTime = settleByTime,
): Promise<Settling | undefined> {
  const { project, now } = context;
  const occasion = readOccasion({ now });
  const alone = look(card, occasion);
  if (!alone) return undefined;
  const ripe = await ripeOf(context, card.item);
  const taken = ripe.slice(0, activatedAtOnce);
  const isPart = taken.length < ripe.length;
  const credits = taken.map((one) => ({
    day: formatDay(inZoneOf(now, new Date(one.activates_at))),
    posting: makeActivation(one, now),
  }));
  const changed = (isPart ? activateRipe(card, occasion, credits) : look(card, occasion, credits)) ?? alone;
  const ended = subtractPending(card, taken, occasion, activityTypes.pendingPointsActivated);
  const { effects } = cardEffects(
    project.id,
    {
      ...changed,
      after: { ...changed.after, pending_points: ended.total },
      activities: [...changed.activities, ...ended.activities],
    },
    now,
  );
  const ends = taken.map((one) => endPending(project.id, one, 'ACTIVATED', now));
  return { effects: [...ends, ...effects], entries: changed.entries, activated: taken.length, isPart };
}

/**
 * Writes off expired points and moves members, in a transaction per card, before another change. Returns `true` if the cards must be read
 * again.
 */
export async function settleCards(context: Reading, cards: readonly Card[]): Promise<boolean> {
  const all = await Promise.all(cards.map((card) => planSettling(context, card)));
  const due = all.filter((one) => one !== undefined);
  // A refused card has changed since the read. It is read again like the others.
  await Promise.all(due.map(({ effects }) => commitApart(context.table, effects)));
  return due.length > 0;
}
