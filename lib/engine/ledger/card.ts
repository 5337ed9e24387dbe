import * as v from 'valibot';
import { formatDay } from '#kernel/core/calendar.ts';
import { count, date, dateTime, nullable } from '#kernel/core/schema.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { type ActivityItem, newActivity, type Occasion } from './activities/activity.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import {
  addLot,
  findLastGoodDay,
  findLiveLots,
  type Lot,
  lot,
  type PointsExpirationRules,
  removeLots,
  spendPoints,
  sumPoints,
} from './lots.ts';
import { newEntry, type Posting, readCredited } from './new-entry.ts';
import { addEarned, earnedByMonth, sumEarned, type TierRules } from './tier-rules.ts';
import { findTierBegin, moveStanding, type Standing, type TierFigures, type TierMove } from './tier-standing.ts';

/** The part of a loyalty card's item that the ledger uses. */
export const cardItem = v.object({
  id: v.string(),
  code: v.string(),
  campaign_id: nullable(v.string()),
  holder_id: nullable(v.string()),
  active: nullable(v.boolean()),
  created_at: dateTime,
  updated_at: v.optional(dateTime),
  /** The points ever credited. */
  credited_points: v.optional(count, 0),
  lots: v.optional(v.array(lot), []),
  /** The card's balance when it was loaded, which is the first row of its ledger. */
  opening_balance: v.optional(count, 0),
  /** The number of its ledger entries. The next entry has the next number. */
  ledger_entries: v.optional(count, 0),
  /** Increases with every change of the card's points, so that each change requires an unchanged card. */
  revision: v.optional(count),
  /** The points of its PENDING entries. */
  pending_points: v.optional(count, 0),
  /** The expired points. */
  expired_points: v.optional(count, 0),
  /** The points that redemptions have spent. */
  redeemed_points: v.optional(count, 0),
  earned: earnedByMonth,
  /** The day on which an earned tier begins. */
  tier_begins: v.optional(date),
  /** The number of the card's activities in its holder's list. */
  activities: v.optional(count, 0),
  /** Absent means that the card was never examined. `null` means no tier. */
  standing: v.optional(
    v.nullable(v.object({ tier_id: v.string(), start_date: date, expiration_date: v.nullable(date) })),
  ),
});

export type CardItem = v.InferOutput<typeof cardItem>;

export const cards = kind(kinds.voucher, cardItem);

/** The rules of a card's programme. */
export interface CardRules {
  campaign: {
    id: string;
    name: string;
    voucher?: { loyalty_card?: { expiration_rules?: PointsExpirationRules | undefined } | undefined } | undefined;
    loyalty_tiers_expiration?: TierRules['expiration'];
    /** The reward that members get automatically. */
    auto_redeem?: string | undefined;
  };
  tiers: TierRules['tiers'];
}

/** A loyalty card with its rules. A card without a campaign has none. */
export interface Card<I extends CardItem = CardItem> {
  item: I;
  programme: CardRules | undefined;
}

/** A changed card with its entries and activities, ready to be committed. */
export interface ChangedCard<I extends CardItem = CardItem> {
  before: I;
  after: I;
  entries: readonly LedgerEntry[];
  /** Activities that the entries do not imply. */
  activities: readonly ActivityItem[];
  /** Counts how often points led to more points before this change: by a tier move or an automatic reward. */
  round?: number;
  /** Points were credited in a programme whose members get a reward automatically. */
  mayRedeem?: boolean;
}

export function computeBalance(day: string, { lots }: Pick<CardItem, 'lots'>): number {
  return sumPoints(findLiveLots(lots, day));
}

/** Returns the figures that decide the member's tier. */
export function readTierFigures(item: Pick<CardItem, 'lots' | 'earned'>): TierFigures {
  return { balanceOn: (day) => computeBalance(day, item), earnedIn: (period) => sumEarned(item.earned, period) };
}

export function readTierRules(programme: CardRules | undefined): TierRules {
  return { tiers: programme?.tiers ?? [], expiration: programme?.campaign.loyalty_tiers_expiration };
}

/**
 * Returns the member's standing on the day, by the card's or other figures. A card that was never examined counts as examined when it was
 * made.
 */
export function findStanding(
  { item, programme }: Card,
  day: string,
  figures = readTierFigures(item),
): { standing: Standing | null; moves: TierMove[] } {
  const rules = readTierRules(programme);
  const madeOn = formatDay(new Date(item.created_at));
  const first = madeOn < day ? madeOn : day;
  if (item.standing !== undefined) return moveStanding(day, rules, item.standing, figures);
  const { standing, moves } = moveStanding(day, rules, moveStanding(first, rules, null, figures).standing, figures);
  // Prolongations from before the card was loaded are not reported.
  return { standing, moves: moves.filter(({ kind }) => kind !== 'prolonged') };
}

/** Returns the ledger entry of a posting, given the card before it. */
export function buildEntry(
  { item, programme }: Card,
  occasion: Occasion,
  posting: Posting,
  { lots, moves }: { lots: readonly Lot[]; moves: TierMove[] },
): LedgerEntry {
  const credited = item.credited_points + readCredited(posting);
  const changed = { item, campaign: programme?.campaign.name, balance: sumPoints(lots), credited, moves };
  return newEntry(changed, occasion, posting);
}

/** Makes an activity about a card. */
export function makeCardActivity(
  { item: { id, code, campaign_id }, programme }: Card,
  occasion: Occasion,
  { type, data }: { type: string; data: Record<string, unknown> },
): ActivityItem {
  const campaign = campaign_id
    ? { id: campaign_id, name: programme?.campaign.name, campaign_type: 'LOYALTY_PROGRAM' }
    : undefined;
  return newActivity(occasion, {
    type,
    campaign,
    code,
    data: { voucher: { id, code, object: 'voucher' }, ...data },
  });
}

/** Returns the card after one posting, in an unchanged tier. */
export function applyPosting<I extends CardItem>({ item, programme }: Card<I>, posting: Posting, today: string): I {
  const { points } = posting;
  const expirationRules = programme?.campaign.voucher?.loyalty_card?.expiration_rules;
  const { expires = findLastGoodDay(expirationRules, today) } = posting;
  const { returned = [{ points, expires }] } = posting;
  const spent = () => (posting.taken ? removeLots(item.lots, posting.taken) : spendPoints(item.lots, -points));
  const lots = points > 0 ? returned.reduce(addLot, item.lots) : spent();
  if (!lots) throw new Error('a card was to pay more than it has');
  return {
    ...item,
    lots,
    earned: addEarned(item.earned, posting, today),
    credited_points: item.credited_points + readCredited(posting),
    ledger_entries: item.ledger_entries + 1,
  };
}

/** Returns the card after the postings, one entry each. The caller has settled the card, and checked its balance. */
export function applyPostings<I extends CardItem>(
  card: Card<I>,
  occasion: Occasion,
  postings: readonly Posting[],
): ChangedCard<I> {
  const { programme } = card;
  const today = formatDay(occasion.now);
  const rules = readTierRules(programme);
  const entries: LedgerEntry[] = [];
  let { item } = card;
  for (const posting of postings) {
    const after = applyPosting({ item, programme }, posting, today);
    const figures = readTierFigures(after);
    const { standing, moves } = moveStanding(today, rules, findStanding({ item, programme }, today).standing, figures);
    entries.push(buildEntry({ item, programme }, occasion, posting, { lots: after.lots, moves }));
    item = { ...after, standing, tier_begins: findTierBegin(rules, figures.earnedIn, today) };
  }
  const mayRedeem = Boolean(programme?.campaign.auto_redeem) && postings.some(isCredit);
  return { before: card.item, after: item, entries, activities: [], ...(mayRedeem ? { mayRedeem } : {}) };
}

/** Returns whether the posting credits new points. Returned points did not suffice for a reward before they were spent. */
function isCredit({ points, returned }: Posting): boolean {
  return points > 0 && !returned;
}
