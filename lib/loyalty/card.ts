import { addDays, dayOf } from '../calendar.ts';
import type { CampaignItem } from '../campaigns/campaign.ts';
import { type ActivityItem, activityIndexes, activityTypes, type EventSource } from '../customers/activity.ts';
import type { Attributes, Change, Write } from '../dynamodb.ts';
import { newTimedId } from '../ids.ts';
import { indexed, keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { firstLapse, liveLots, pointsOf, withLot, withoutPoints } from '../vouchers/lots.ts';
import type { Lot, VoucherItem } from '../vouchers/voucher.ts';
import { activitiesOf, activityIdOf, type LedgerEntry, tierMoveData } from './ledger-entry.ts';
import type { LoyaltyTierItem } from './loyalty-tier.ts';
import { lastGoodDay } from './points-expiration.ts';
import { type Standing, standingOn, type TierMove, type TierRules } from './tier-standing.ts';

export interface Programme {
  campaign: CampaignItem;
  tiers: readonly LoyaltyTierItem[];
}

/** A loyalty card with the rules that hold for it; a card without a campaign has none. */
export interface Card {
  item: VoucherItem;
  programme: Programme | undefined;
}

/** When a change is made, and by whom. */
export interface Occasion {
  now: Date;
  /** One for all that a request brings about. */
  groupId: string;
  source: EventSource;
}

/** A change of points, before it has its place in the ledger. */
export interface Posting {
  type: LedgerEntry['type'];
  /** Above 0 credits, below 0 spends. */
  points: number;
  source_id?: string | undefined;
  reason?: string | null | undefined;
  about?: LedgerEntry['about'];
}

/** What a card becomes by a change, and what tells of it: pure, for someone else to commit. */
export interface ChangedCard {
  before: VoucherItem;
  after: VoucherItem;
  entries: readonly LedgerEntry[];
  /** What there is to tell besides the entries. */
  activities: readonly ActivityItem[];
}

export function balanceOn(day: string, { lots }: Pick<VoucherItem, 'lots'>): number {
  return pointsOf(liveLots(lots, day));
}

function tierRules(programme: Programme | undefined): TierRules {
  return { tiers: programme?.tiers ?? [], expiration: programme?.campaign.loyalty_tiers_expiration };
}

/** Where the member stands on the day: with a card that was not looked at yet, as if it had been when it was made. */
export function standingOf({ item, programme }: Card, day: string): { standing: Standing | null; moves: TierMove[] } {
  const rules = tierRules(programme);
  const balance = (on: string) => balanceOn(on, item);
  const madeOn = dayOf(new Date(item.created_at));
  const first = madeOn < day ? madeOn : day;
  const before = item.standing === undefined ? standingOn(first, rules, null, balance).standing : item.standing;
  return standingOn(day, rules, before, balance);
}

function entryOf(
  { item, programme }: Card,
  { now, groupId, source }: Occasion,
  posting: Posting,
  { lots, moves }: { lots: readonly Lot[]; moves: TierMove[] },
): LedgerEntry {
  return {
    id: newTimedId('voucher_transaction', now),
    type: posting.type,
    points: posting.points,
    balance: pointsOf(lots),
    sequence: item.ledger_entries + 1,
    voucher_id: item.id,
    code: item.code,
    campaign_id: item.campaign_id ?? null,
    ...(programme ? { campaign: programme.campaign.name } : {}),
    source_id: posting.source_id ?? null,
    reason: posting.reason ?? null,
    about: posting.about ?? {},
    created_at: now.toISOString(),
    group_id: groupId,
    event_source: source,
    moves,
  };
}

function moveActivity({ item, programme }: Card, { now, groupId, source }: Occasion, move: TierMove): ActivityItem {
  const campaign = programme && { id: programme.campaign.id, name: programme.campaign.name };
  return {
    id: newTimedId('activity', now),
    type: activityTypes[move.kind],
    created_at: now.toISOString(),
    group_id: groupId,
    code: item.code,
    ...(campaign ? { campaign_id: campaign.id, campaign: campaign.name, campaign_type: 'LOYALTY_PROGRAM' } : {}),
    data: {
      data: tierMoveData(move, { voucher: { id: item.id, code: item.code }, campaign }),
      event_source: source,
    },
  };
}

/** The card as time has left it: points whose day has passed are written off, and the member is where that leads him. */
export function aged(card: Card, occasion: Occasion): ChangedCard {
  const { item } = card;
  const today = dayOf(occasion.now);
  const lots = liveLots(item.lots, today);
  const lapsed = pointsOf(item.lots) - pointsOf(lots);
  const { standing, moves } = standingOf(card, today);
  const after = { ...item, lots, standing, ledger_entries: item.ledger_entries + (lapsed > 0 ? 1 : 0) };
  return lapsed > 0
    ? {
        before: item,
        after,
        entries: [entryOf(card, occasion, { type: 'POINTS_EXPIRATION', points: -lapsed }, { lots, moves })],
        activities: [],
      }
    : { before: item, after, entries: [], activities: moves.map((move) => moveActivity(card, occasion, move)) };
}

/** What time has brought about and nothing tells of yet: it is committed by itself, before any other change of the card. */
export function settlement(card: Card, occasion: Occasion): ChangedCard | undefined {
  const changed = aged(card, occasion);
  return changed.entries.length + changed.activities.length > 0 ? changed : undefined;
}

/** The card after the postings, one entry each. The caller has settled it, and has seen that its balance is enough. */
export function posted(card: Card, occasion: Occasion, postings: readonly Posting[]): ChangedCard {
  const { programme } = card;
  const today = dayOf(occasion.now);
  const rules = tierRules(programme);
  const entries: LedgerEntry[] = [];
  let { item } = card;
  for (const posting of postings) {
    const { points } = posting;
    const expirationRules = programme?.campaign.voucher?.loyalty_card?.expiration_rules;
    const lots =
      points > 0
        ? withLot(item.lots, { points, expires: lastGoodDay(expirationRules, today) })
        : withoutPoints(item.lots, -points);
    if (!lots) throw new Error('a card was to pay more than it has');
    const { standing, moves } = standingOn(today, rules, standingOf({ item, programme }, today).standing, (day) =>
      balanceOn(day, { lots }),
    );
    entries.push(entryOf({ item, programme }, occasion, posting, { lots, moves }));
    item = {
      ...item,
      lots,
      standing,
      credited_points: item.credited_points + Math.max(points, 0),
      ledger_entries: item.ledger_entries + 1,
    };
  }
  return { before: card.item, after: item, entries, activities: [] };
}

/** When the card has to be looked at though nobody asks: the day on which points have lapsed or a tier is over. */
function dueAt({ lots, standing }: VoucherItem): string | undefined {
  const lastDays = [firstLapse(lots), standing?.expiration_date ?? undefined].filter((day) => day !== undefined);
  const [first] = lastDays.sort();
  return first === undefined ? undefined : addDays(first, 1);
}

function changeOf(projectId: string, { before, after }: ChangedCard, now: Date): Change {
  const key = keys.voucher(projectId, before.id);
  const update = new UpdateExpression()
    .whenThere()
    // Every change of points goes through here: a card that was read before the last one is read again.
    .whenStill('revision', before.revision)
    .whenStill('active', before.active ?? undefined)
    .set(['revision'], (before.revision ?? 0) + 1)
    .set(['updated_at'], now.toISOString())
    .set(['lots'], after.lots)
    .set(['credited_points'], after.credited_points)
    .set(['ledger_entries'], after.ledger_entries)
    .set(['activities'], after.activities);
  // A project file that is being loaded adds to it too, and leaves the revision alone.
  const pending = after.pending_points - before.pending_points;
  if (pending !== 0) update.add('pending_points', pending);
  // A card without a standing was not looked at yet, and stays due to be.
  if (after.standing === undefined) return update.build();
  update.set(['standing'], after.standing);
  const due = dueAt(after);
  if (due === undefined) update.remove(['dueShard']).remove(['dueAt']);
  else update.set(['dueShard'], indexed.dueShardOf(key)).set(['dueAt'], due);
  return update.build();
}

/** The id under which an entry may be written once: a merchant's transaction id gives a card's points away only once. */
function entryKey(projectId: string, { type, voucher_id, source_id, id }: LedgerEntry) {
  return type === 'POINTS_TRANSFER_OUT' && source_id
    ? keys.pointsOut(projectId, voucher_id, source_id)
    : keys.ledgerEntry(projectId, voucher_id, id);
}

/**
 * Commits a changed card: the card, then its entries and activities, all in the caller's transaction. They are told to the
 * holder, and of a card that nobody holds to `customerId`: whose own counters the caller then raises by `toldToCustomer`.
 */
export function cardWrites(
  projectId: string,
  changed: ChangedCard,
  now: Date,
  customerId?: string,
): { writes: [Write, ...Write[]]; after: VoucherItem; toldToCustomer: number } {
  const { before, entries, activities } = changed;
  const holder = before.holder_id;
  const reader = holder ?? customerId;
  const listed = (createdAt: string, id: string, told: number): Attributes =>
    reader && told > 0
      ? {
          ...activityIndexes(projectId, { customerId: reader, campaignId: before.campaign_id, createdAt, id }),
          ...(told > 1 ? { told } : {}),
        }
      : {};
  const told = entries.map((entry) => activitiesOf(entry).length);
  const more = told.reduce((sum, count) => sum + count, activities.length);
  const after = {
    ...changed.after,
    activities: before.activities + (holder ? more : 0),
    updated_at: now.toISOString(),
    revision: (before.revision ?? 0) + 1,
  };
  return {
    after,
    toldToCustomer: holder || customerId === undefined ? 0 : more,
    writes: [
      { key: keys.voucher(projectId, before.id), change: changeOf(projectId, { ...changed, after }, now) },
      ...entries.map((entry, index) => ({
        key: entryKey(projectId, entry),
        insert: { ...entry, ...listed(entry.created_at, activityIdOf(entry), told[index] ?? 0) },
      })),
      ...activities.map((activity) => ({
        key: keys.cardActivity(projectId, before.id, activity.id),
        insert: { ...activity, ...listed(activity.created_at, activity.id, 1) },
      })),
    ],
  };
}
