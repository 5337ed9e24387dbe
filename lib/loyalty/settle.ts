import { dayOf } from '../core/calendar.ts';
import type { Reading } from '../http/context.ts';
import { activityTypes, occasionOf } from '../ledger/activities/activity.ts';
import type { Card, CardItem } from '../ledger/card.ts';
import { cardEffects } from '../ledger/card-effects.ts';
import type { LedgerEntry } from '../ledger/ledger-entry.ts';
import { type PendingPointsItem, pendingEnds, pendingPoints } from '../ledger/pending-points.ts';
import { ripened, settlement } from '../ledger/settlement.ts';
import { commitApart, type Effect } from '../table/effects.ts';
import { readChildren } from '../table/read.ts';
import { activationOf, endOf } from './activation.ts';

/** So many become points in one transaction: each is three items of it, the card and what lapses two more. */
const activatedAtOnce = 30;

type Pending = PendingPointsItem & { readonly activates_at: string };

function isRipe(one: PendingPointsItem, now: Date): one is Pending {
  return one.state === 'PENDING' && one.activates_at !== undefined && one.activates_at <= now.toISOString();
}

/** Pending points of the card whose time has come, the earliest first. */
async function ripeOf({ table, project, now }: Reading, { id, pending_points }: CardItem): Promise<Pending[]> {
  if (pending_points === 0) return [];
  const all = await readChildren(table, pendingPoints, project.id, id);
  return all.filter((one) => isRipe(one, now)).sort((one, other) => one.activates_at.localeCompare(other.activates_at));
}

/** What settles a card, for someone else to commit. */
export interface Settling {
  readonly effects: readonly Effect[];
  readonly entries: readonly LedgerEntry[];
  /** How many pending points have become points. */
  readonly activated: number;
  /** More of them are left than one transaction takes: nothing has lapsed yet, and the card is to be settled again. */
  readonly isPart: boolean;
}

/**
 * All that time has brought about on a card, as `look` sees it: points that ripened come before others lapse, and the tier is judged by what
 * is left then. `undefined` where that is nothing: what ripens meanwhile is then left to the hourly job.
 */
export async function settling(
  context: Reading,
  card: Card,
  look: typeof settlement = settlement,
): Promise<Settling | undefined> {
  const { project, now } = context;
  const occasion = occasionOf({ now });
  const alone = look(card, occasion);
  if (!alone) return undefined;
  const ripe = await ripeOf(context, card.item);
  const taken = ripe.slice(0, activatedAtOnce);
  const isPart = taken.length < ripe.length;
  const credits = taken.map((one) => ({ day: dayOf(new Date(one.activates_at)), posting: activationOf(one, now) }));
  const changed = (isPart ? ripened(card, occasion, credits) : look(card, occasion, credits)) ?? alone;
  const ended = endOf(card, taken, occasion, activityTypes.pendingPointsActivated);
  const { effects } = cardEffects(
    project.id,
    {
      ...changed,
      after: { ...changed.after, pending_points: ended.total },
      activities: [...changed.activities, ...ended.activities],
    },
    now,
  );
  const ends = taken.map((one) => pendingEnds(project.id, one, 'ACTIVATED', now));
  return { effects: [...ends, ...effects], entries: changed.entries, activated: taken.length, isPart };
}

/**
 * Writes off what has lapsed on the cards and moves their members, a transaction each, before something else is done to
 * them. `true` when there was something to do: the cards are then to be read again.
 */
export async function settleCards(context: Reading, cards: readonly Card[]): Promise<boolean> {
  const all = await Promise.all(cards.map((card) => settling(context, card)));
  const due = all.filter((one) => one !== undefined);
  // One that is refused has been changed meanwhile: it is read again like the others.
  await Promise.all(due.map(({ effects }) => commitApart(context.table, effects)));
  return due.length > 0;
}
