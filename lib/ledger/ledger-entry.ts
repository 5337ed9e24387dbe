import * as v from 'valibot';
import { type ActivityItem, activityItem, activityTypes, eventSource } from '../activities/activity.ts';
import { count, dateTime, integer, nullable, positiveInteger } from '../schema.ts';
import { childKind, type ItemKey } from '../table/kind.ts';
import type { TierMove } from './tier-standing.ts';

/** Why the points of a card changed. The words are those that clients of this interface know. */
export const ledgerEntryType = v.picklist([
  'POINTS_ADDITION',
  'POINTS_ACCRUAL',
  'POINTS_EXPIRATION',
  'POINTS_TRANSFER_IN',
  'POINTS_TRANSFER_OUT',
]);

export type LedgerEntryType = v.InferOutput<typeof ledgerEntryType>;

const tierName = v.nullable(v.object({ id: v.string(), name: v.string() }));

export const tierMove = v.object({
  kind: v.picklist(['joined', 'upgraded', 'downgraded', 'left']),
  from: tierName,
  to: tierName,
});

const card = v.object({ id: v.string(), code: v.string() });

/** What the change was about, by its type. */
const about = v.object({
  /** The card that the points went to. */
  to: v.optional(card),
  /** The cards that they came from. */
  from: v.optional(
    v.array(
      v.object({ ...card.entries, points: positiveInteger, source_id: v.string(), reason: nullable(v.string()) }),
    ),
  ),
  event: v.optional(v.string()),
  order: v.optional(v.object({ id: v.string(), source_id: v.nullable(v.string()) })),
  earning_rule_id: v.optional(v.string()),
  pending_points_id: v.optional(v.string()),
  /** The code by which the member came into a referral programme that rewards it. */
  referral_code: v.optional(v.string()),
});

/** As stored beside the card, in the same transaction as its change; never changed afterwards. */
export const ledgerEntryItem = v.object({
  id: v.string(),
  type: ledgerEntryType,
  /** By how many points the balance changed. */
  points: integer,
  /** The balance after it. */
  balance: count,
  /** All points ever credited to the card, these among them. Entries of before it was kept have none. */
  credited_points: v.optional(count),
  /** Its number among the entries of the card, from 1 on. */
  sequence: positiveInteger,
  voucher_id: v.string(),
  code: v.string(),
  campaign_id: nullable(v.string()),
  campaign: v.optional(v.string()),
  source_id: nullable(v.string()),
  reason: nullable(v.string()),
  about: v.optional(about, {}),
  created_at: dateTime,
  group_id: v.string(),
  event_source: eventSource,
  /** The tiers that the member moved through by it. */
  moves: v.optional(v.array(tierMove), []),
});

export type LedgerEntry = v.InferOutput<typeof ledgerEntryItem>;

const ofCard = { kind: 'VOUCHER' };

const ledgerEntries = childKind(ofCard, 'LEDGER', ledgerEntryItem);

/** Digits of the largest safe integer. */
const numberDigits = 16;

/** The card's n-th entry, from 1 on: a card's ledger is read by numbers. */
export function ledgerEntryKey(projectId: string, cardId: string, number: number): ItemKey<typeof ledgerEntryItem> {
  return ledgerEntries(projectId, cardId, String(number).padStart(numberDigits, '0'));
}

/** What a merchant's transaction id has moved away from the card, for ever: it moves points once. */
export const transferClaimItem = v.object({
  /** The number of its ledger entry. */
  entry: positiveInteger,
  points: positiveInteger,
  /** The card that they went to. */
  destination_id: v.string(),
});

export type TransferClaim = v.InferOutput<typeof transferClaimItem>;

/** By the transaction id. */
export const transferClaims = childKind(ofCard, 'TRANSFER_CLAIM', transferClaimItem);

/** What happens to a card and moves no points stands beside it, whether or not anybody holds it. */
export const cardActivities = childKind(ofCard, 'ACTIVITY', activityItem);

/** Points that expire are no activity. */
const activityOfType: Partial<Record<LedgerEntryType, string>> = {
  POINTS_ACCRUAL: activityTypes.pointsAdded,
  POINTS_TRANSFER_IN: activityTypes.pointsTransferred,
  POINTS_TRANSFER_OUT: activityTypes.pointsTransferred,
};

/** The entry's id as that of an activity. */
export function activityIdOf({ id }: Pick<LedgerEntry, 'id'>): string {
  return id.replace(/^vtx_/, 'act_');
}

/** The id of the entry that an activity stands in: the moves between tiers come after it, with a number. */
export function withoutMoveNumber(activityId: string): string {
  return activityId.replace(/\.\d+$/, '');
}

/** What a change was about. */
interface Subject {
  voucher: { id: string; code: string };
  campaign: { id: string; name?: string | undefined } | undefined;
}

function shown({ voucher, campaign }: Subject) {
  return {
    ...(campaign ? { campaign: { ...campaign, object: 'campaign' } } : {}),
    voucher: { ...voucher, object: 'voucher' },
  };
}

export function tierMoveData({ from, to }: TierMove, subject: Subject) {
  return {
    ...shown(subject),
    ...(to ? { loyalty_tier: { ...to, object: 'loyalty_tier' } } : {}),
    ...(from ? { previous_loyalty_tier: { ...from, object: 'loyalty_tier' } } : {}),
  };
}

/**
 * The activities that an entry stands for: the change of points, then each move between tiers. They are not items of their
 * own, for a transfer of 32 entries fills its transaction with cards, entries and claims.
 */
export function activitiesOf(entry: LedgerEntry): ActivityItem[] {
  const {
    voucher_id,
    code,
    campaign_id,
    campaign: name,
    created_at,
    group_id,
    event_source,
    source_id,
    reason,
  } = entry;
  const subject = {
    voucher: { id: voucher_id, code },
    campaign: campaign_id ? { id: campaign_id, name } : undefined,
  };
  const activity = (id: string, type: string, data: Record<string, unknown>): ActivityItem => ({
    created_at,
    group_id,
    code,
    ...(campaign_id ? { campaign_id, campaign_type: 'LOYALTY_PROGRAM' } : {}),
    ...(name ? { campaign: name } : {}),
    id,
    type,
    data: { data, event_source },
  });
  const id = activityIdOf(entry);
  const type = activityOfType[entry.type];
  const transaction = {
    id: entry.id,
    type: entry.type,
    points: entry.points,
    balance: entry.balance,
    source_id: source_id ?? null,
    reason: reason ?? null,
    ...entry.about,
  };
  return [
    ...(type ? [activity(id, type, { ...shown(subject), transaction })] : []),
    ...entry.moves.map((move, index) =>
      activity(`${id}.${index + 1}`, activityTypes[move.kind], tierMoveData(move, subject)),
    ),
  ];
}
