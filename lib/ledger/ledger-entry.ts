import * as v from 'valibot';
import { count, dateTime, integer, nullable, positiveInteger } from '../core/schema.ts';
import { childKind, type ItemKey } from '../table/kind.ts';
import { activityItem, keptSource } from './activities/activity.ts';
import { earnedWith } from './earned-by.ts';

/** Why the points of a loyalty card changed, or the credits of a gift card. The words are those that clients of this interface know. */
export const ledgerEntryType = v.picklist([
  'POINTS_ADDITION',
  'POINTS_ACCRUAL',
  'PENDING_POINTS_ACTIVATION',
  'POINTS_EXPIRATION',
  'POINTS_TRANSFER_IN',
  'POINTS_TRANSFER_OUT',
  'POINTS_REMOVAL',
  'POINTS_REDEMPTION',
  'POINTS_REFUND',
  'CREDITS_ADDITION',
  'CREDITS_REMOVAL',
  'CREDITS_REDEMPTION',
  'CREDITS_REFUND',
]);

export type LedgerEntryType = v.InferOutput<typeof ledgerEntryType>;

const tierName = v.nullable(v.object({ id: v.string(), name: v.string() }));

export const tierMove = v.object({
  kind: v.picklist(['joined', 'upgraded', 'downgraded', 'left', 'prolonged']),
  from: tierName,
  to: tierName,
});

const card = v.object({
  id: v.string(),
  code: v.string(),
  campaign: v.optional(v.string()),
  campaign_id: nullable(v.string()),
});

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
  /** That of the activities of this event, where the entry came about later. */
  event_group_id: v.optional(v.string()),
  order: v.optional(v.object({ id: v.string(), source_id: v.nullable(v.string()) })),
  earning_rule_id: v.optional(v.string()),
  /** What that rule is called to members. */
  banner: v.optional(v.string()),
  ...earnedWith,
  pending_points_id: v.optional(v.string()),
  /** What spent them, or what gave them back. */
  redemption: v.optional(v.object({ id: v.string() })),
  rollback: v.optional(v.object({ id: v.string() })),
  reward: v.optional(v.object({ id: v.string(), name: v.optional(v.string()) })),
  /** The code by which the member came into a referral programme that rewards it. */
  referral_code: v.optional(v.string()),
});

/** As stored beside the card, in the same transaction as its change; never changed afterwards. */
export const ledgerEntryItem = v.object({
  id: v.string(),
  type: ledgerEntryType,
  /** By how many points the balance changed, or minor currency units of a gift card. */
  points: integer,
  /** The balance after it. */
  balance: count,
  /** All that was ever credited to the card, these among them. Entries of before it was kept have none. */
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
  /** The other half of a transfer, where there is one. */
  related_id: v.optional(v.string()),
  created_at: dateTime,
  group_id: v.string(),
  event_source: keptSource,
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

export function isOfGift({ type }: Pick<LedgerEntry, 'type'>): boolean {
  return type.startsWith('CREDITS_');
}

/** By how much the balance changed, under the word that clients have for it. */
export function changeIn(entry: LedgerEntry): { points: number } | { amount: number } {
  return isOfGift(entry) ? { amount: entry.points } : { points: entry.points };
}
