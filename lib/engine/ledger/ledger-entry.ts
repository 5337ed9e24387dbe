import * as v from 'valibot';
import { count, dateTime, integer, nullable, positiveInteger } from '#kernel/core/schema.ts';
import { childKind, type ItemKey } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { activityItem, keptSource } from './activities/activity.ts';
import { earnedWith } from './earning-cause.ts';
import { lot } from './lots.ts';

/** Types of changes of a card's points or a gift card's credits, in the terms that clients of this interface know. */
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
  'POINTS_RETURN',
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

/** The subject of the change, by its type. */
const about = v.object({
  /** The card that received the points. */
  to: v.optional(card),
  /** The cards that gave the points. */
  from: v.optional(
    v.array(
      v.object({ ...card.entries, points: positiveInteger, source_id: v.string(), reason: nullable(v.string()) }),
    ),
  ),
  event: v.optional(v.string()),
  /** The group of the event's activities, if the entry was made later. */
  event_group_id: v.optional(v.string()),
  order: v.optional(v.object({ id: v.string(), source_id: v.nullable(v.string()) })),
  earning_rule_id: v.optional(v.string()),
  /** The rule's name for members. */
  banner: v.optional(v.string()),
  ...earnedWith,
  pending_points_id: v.optional(v.string()),
  /** The redemption that spent the points, or the rollback that returned them. */
  redemption: v.optional(v.object({ id: v.string() })),
  rollback: v.optional(v.object({ id: v.string() })),
  /** The return of an order that moved the points or credits. */
  order_return: v.optional(v.object({ id: v.string() })),
  /** The earned points of returned units that the card no longer has. */
  missing: v.optional(count),
  reward: v.optional(v.object({ id: v.string(), name: v.optional(v.string()) })),
  /** The code by which the member joined a referral programme that rewards it. */
  referral_code: v.optional(v.string()),
});

/** A stored entry, written with the card's change and never changed afterwards. */
export const ledgerEntryItem = v.object({
  id: v.string(),
  type: ledgerEntryType,
  /** The change of the balance in points, or in minor currency units of a gift card. */
  points: integer,
  /** The lots of an expiration. Older entries lack them. */
  lapsed: v.optional(v.array(lot)),
  /** The balance after the change. */
  balance: count,
  /** All points ever credited to the card, including these. Older entries lack it. */
  credited_points: v.optional(count),
  /** The number among the card's entries, from 1 on. */
  sequence: positiveInteger,
  voucher_id: v.string(),
  code: v.string(),
  campaign_id: nullable(v.string()),
  campaign: v.optional(v.string()),
  source_id: nullable(v.string()),
  reason: nullable(v.string()),
  about: v.optional(about, {}),
  /** The other half of a transfer. */
  related_id: v.optional(v.string()),
  created_at: dateTime,
  group_id: v.string(),
  event_source: keptSource,
  /** The tiers that the member moved through. */
  moves: v.optional(v.array(tierMove), []),
});

export type LedgerEntry = v.InferOutput<typeof ledgerEntryItem>;

const ofCard = { kind: kinds.voucher };

const ledgerEntries = childKind(ofCard, kinds.ledger, ledgerEntryItem);

/** The digits of the largest safe integer. */
const numberDigits = 16;

/** Returns the key of the card's n-th entry, from 1 on. A ledger is read by numbers. */
export function ledgerEntryKey(projectId: string, cardId: string, number: number): ItemKey<typeof ledgerEntryItem> {
  return ledgerEntries(projectId, cardId, String(number).padStart(numberDigits, '0'));
}

/** The claim of a merchant's transaction id, kept permanently, so that the id moves points once. */
const transferClaimItem = v.object({
  /** The number of the ledger entry. */
  entry: positiveInteger,
  points: positiveInteger,
  /** The card that received the points. */
  destination_id: v.string(),
});

export type TransferClaim = v.InferOutput<typeof transferClaimItem>;

/** Builds the keys of claims from the transaction id. */
export const transferClaims = childKind(ofCard, kinds.transferClaim, transferClaimItem);

/** Stores activities of a card that move no points, whether or not the card has a holder. */
export const cardActivities = childKind(ofCard, kinds.activity, activityItem);

export function isOfGift({ type }: Pick<LedgerEntry, 'type'>): boolean {
  return type.startsWith('CREDITS_');
}

/** Shows the change of the balance under the clients' name for it. */
export function showChange(entry: LedgerEntry): { points: number } | { amount: number } {
  return isOfGift(entry) ? { amount: entry.points } : { points: entry.points };
}
