import * as v from 'valibot';
import { type ActivityItem, activityTypes, eventSource } from '../customers/activity.ts';
import { count, dateTime, integer, nullable, positiveInteger } from '../schema.ts';
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
  earning_rule_id: v.optional(v.string()),
  pending_points_id: v.optional(v.string()),
});

/** As stored beside the card, in the same transaction as the change that it tells of; never changed afterwards. */
export const ledgerEntryItem = v.object({
  id: v.string(),
  type: ledgerEntryType,
  /** By how many points the balance changed. */
  points: integer,
  /** The balance after it. */
  balance: count,
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

/** Ruling F.6 names no activity for points that expire. */
const activityOfType: Partial<Record<LedgerEntryType, string>> = {
  POINTS_ACCRUAL: activityTypes.pointsAdded,
  POINTS_TRANSFER_IN: activityTypes.pointsTransferred,
  POINTS_TRANSFER_OUT: activityTypes.pointsTransferred,
};

/** The entry's id as that of an activity. */
export function activityIdOf({ id }: Pick<LedgerEntry, 'id'>): string {
  return id.replace(/^vtx_/, 'act_');
}

/** The id of the entry that an activity tells of: the moves between tiers come after it, with a number. */
export function withoutMoveNumber(activityId: string): string {
  return activityId.replace(/\.\d+$/, '');
}

interface MoveContext {
  voucher: { id: string; code: string };
  campaign: { id: string; name?: string | undefined } | undefined;
}

export function tierMoveData({ from, to }: TierMove, { voucher, campaign }: MoveContext) {
  return {
    ...(campaign ? { campaign: { ...campaign, object: 'campaign' } } : {}),
    voucher: { ...voucher, object: 'voucher' },
    ...(to ? { loyalty_tier: { ...to, object: 'loyalty_tier' } } : {}),
    ...(from ? { previous_loyalty_tier: { ...from, object: 'loyalty_tier' } } : {}),
  };
}

/**
 * The activities that an entry stands for: the change of points, then each move between tiers. They are not items of their
 * own, for a transfer of 40 entries fills its transaction with cards and entries.
 */
export function activitiesOf(entry: LedgerEntry): ActivityItem[] {
  const voucher = { id: entry.voucher_id, code: entry.code };
  const campaign = entry.campaign_id ? { id: entry.campaign_id, name: entry.campaign } : undefined;
  const common = {
    created_at: entry.created_at,
    group_id: entry.group_id,
    code: entry.code,
    ...(entry.campaign_id ? { campaign_id: entry.campaign_id, campaign_type: 'LOYALTY_PROGRAM' } : {}),
    ...(entry.campaign ? { campaign: entry.campaign } : {}),
  };
  const activity = (id: string, type: string, data: Record<string, unknown>): ActivityItem => ({
    ...common,
    id,
    type,
    data: { data, event_source: entry.event_source },
  });
  const id = activityIdOf(entry);
  const type = activityOfType[entry.type];
  const points = {
    ...(campaign ? { campaign: { ...campaign, object: 'campaign' } } : {}),
    voucher: { ...voucher, object: 'voucher' },
    transaction: {
      id: entry.id,
      type: entry.type,
      points: entry.points,
      balance: entry.balance,
      source_id: entry.source_id ?? null,
      reason: entry.reason ?? null,
      ...entry.about,
    },
  };
  return [
    ...(type ? [activity(id, type, points)] : []),
    ...entry.moves.map((move, index) =>
      activity(`${id}.${index + 1}`, activityTypes[move.kind], tierMoveData(move, { voucher, campaign })),
    ),
  ];
}
