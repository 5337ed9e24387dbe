import { formatDay } from '#kernel/core/calendar.ts';
import { type ActivityItem, activityTypes, type Occasion } from './activities/activity.ts';
import {
  applyPosting,
  buildEntry,
  type Card,
  type CardItem,
  type ChangedCard,
  computeBalance,
  findStanding,
  makeCardActivity,
  readTierFigures,
  readTierRules,
} from './card.ts';
import { tierMoveData } from './entry-activities.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import { findLiveLots, findSpentLots, sumPoints } from './lots.ts';
import type { Posting } from './new-entry.ts';
import { findTierBegin, type TierFigures, type TierMove, updateStandingDate } from './tier-standing.ts';

/** Applies the effects of time to a card: points activate, points expire, and tiers end. */

/** Turns pending points into points, with the day (UTC) from which they count. */
export interface Ripe {
  readonly day: string;
  readonly posting: Posting;
}

/** Returns the card with activated points before any expiration, in an unchanged tier. */
export function activateRipe<I extends CardItem>(
  card: Card<I>,
  occasion: Occasion,
  ripe: readonly Ripe[],
): ChangedCard<I> {
  const { programme } = card;
  const entries: LedgerEntry[] = [];
  let { item } = card;
  for (const { posting } of ripe) {
    const after = applyPosting({ item, programme }, posting, formatDay(occasion.now));
    entries.push(buildEntry({ item, programme }, occasion, posting, { lots: after.lots, moves: [] }));
    item = after;
  }
  return { before: card.item, after: item, entries, activities: [] };
}

/** Returns the figures of each day since the card's last change, although activated points are credited only now. */
function figuresWith({ item }: Card, ripe: readonly Ripe[], after: CardItem): TierFigures {
  const ripeOn = (day: string) => ripe.reduce((sum, one) => sum + (one.day <= day ? one.posting.points : 0), 0);
  return { ...readTierFigures(after), balanceOn: (day) => computeBalance(day, item) + ripeOn(day) };
}

function moveActivity(card: Card, occasion: Occasion, move: TierMove): ActivityItem {
  const { item, programme } = card;
  const campaign = programme && { id: programme.campaign.id, name: programme.campaign.name };
  const about = { voucher: { id: item.id, code: item.code }, campaign };
  const data = tierMoveData(move, about, occasion.now.toISOString());
  return makeCardActivity(card, occasion, { type: activityTypes[move.kind], data });
}

/** Adds the moves to the last entry, or as activities if no entry exists. */
function told(card: Card, occasion: Occasion, entries: readonly LedgerEntry[], moves: TierMove[]) {
  const last = entries.at(-1);
  return last
    ? { entries: entries.with(-1, { ...last, moves }), activities: [] }
    : { entries, activities: moves.map((move) => moveActivity(card, occasion, move)) };
}

/** Credits activated points, then expires lots past their day, and then evaluates the member's tier once. */
export function expireLots<I extends CardItem>(
  card: Card<I>,
  occasion: Occasion,
  ripe: readonly Ripe[] = [],
): ChangedCard<I> {
  const { programme } = card;
  const today = formatDay(occasion.now);
  const { before, after: item, entries } = activateRipe(card, occasion, ripe);
  const lots = findLiveLots(item.lots, today);
  const ended = findSpentLots(item.lots, lots);
  const lapsed = sumPoints(ended);
  const posting = { type: 'POINTS_EXPIRATION', points: -lapsed, lapsed: ended } as const;
  const lapse = lapsed > 0 ? [buildEntry({ item, programme }, occasion, posting, { lots, moves: [] })] : [];
  const figures = figuresWith(card, ripe, item);
  const { standing, moves } = findStanding(card, today, figures);
  const mayRedeem = programme?.campaign.auto_redeem !== undefined && ripe.length > 0;
  return {
    before,
    after: {
      ...item,
      lots,
      standing,
      tier_begins: findTierBegin(readTierRules(programme), figures.earnedIn, today),
      ledger_entries: item.ledger_entries + lapse.length,
      expired_points: item.expired_points + lapsed,
    },
    ...told(card, occasion, [...entries, ...lapse], moves),
    ...(mayRedeem ? { mayRedeem } : {}),
  };
}

/** Returns the effects of time that no entry or activity shows yet. They are committed by themselves, before other changes of the card. */
export function settleByTime<I extends CardItem>(
  card: Card<I>,
  occasion: Occasion,
  ripe: readonly Ripe[] = [],
): ChangedCard<I> | undefined {
  const changed = expireLots(card, occasion, ripe);
  return changed.entries.length + changed.activities.length > 0 ? changed : undefined;
}

/**
 * Returns the settled card with its tier's date by the programme's current rules, or `undefined` without a change. An activity reports the
 * new date if nothing else has changed.
 */
export function recalculateTier<I extends CardItem>(
  card: Card<I>,
  occasion: Occasion,
  ripe: readonly Ripe[] = [],
): ChangedCard<I> | undefined {
  const { before, ...settled } = expireLots(card, occasion, ripe);
  const { standing } = settled.after;
  const redated = standing && updateStandingDate(standing, readTierRules(card.programme), formatDay(occasion.now));
  const isMoved = settled.entries.length + settled.activities.length > 0;
  if (!redated || redated.expiration_date === standing.expiration_date) {
    return isMoved ? { before, ...settled } : undefined;
  }
  const tier = card.programme?.tiers.find(({ id }) => id === redated.tier_id);
  const redating = makeCardActivity(card, occasion, {
    type: activityTypes.tierExpirationChanged,
    data: {
      ...(tier ? { loyalty_tier: { id: tier.id, name: tier.name, object: 'loyalty_tier' } } : {}),
      expiration_date: redated.expiration_date,
      previous_expiration_date: standing.expiration_date,
    },
  });
  const activities = isMoved ? settled.activities : [redating];
  return { before, ...settled, after: { ...settled.after, standing: redated }, activities };
}
