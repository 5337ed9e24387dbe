import { type ActivityItem, activityTypes, shownSource } from '../activities/activity.ts';
import { shownBalance } from './entry-balance.ts';
import { changeIn, isOfGift, type LedgerEntry, type LedgerEntryType } from './ledger-entry.ts';
import type { TierMove } from './tier-standing.ts';

/** Expired points make no activity; a removal makes that of an addition, with a number below 0. */
const activityOfType: Partial<Record<LedgerEntryType, string>> = {
  POINTS_ADDITION: activityTypes.pointsAdded,
  POINTS_REMOVAL: activityTypes.pointsAdded,
  CREDITS_ADDITION: activityTypes.giftBalanceAdded,
  CREDITS_REMOVAL: activityTypes.giftBalanceAdded,
  POINTS_ACCRUAL: activityTypes.pointsAdded,
  PENDING_POINTS_ACTIVATION: activityTypes.pointsAdded,
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
    ...(campaign_id ? { campaign_id, campaign_type: isOfGift(entry) ? 'GIFT_VOUCHERS' : 'LOYALTY_PROGRAM' } : {}),
    ...(name ? { campaign: name } : {}),
    id,
    type,
    data: { data, event_source: shownSource(event_source) },
  });
  const id = activityIdOf(entry);
  const type = activityOfType[entry.type];
  const { event_group_id: _, ...about } = entry.about;
  const transaction = {
    id: entry.id,
    type: entry.type,
    ...changeIn(entry),
    balance: entry.balance,
    source_id: source_id ?? null,
    reason: reason ?? null,
    ...about,
  };
  return [
    ...(type ? [activity(id, type, { ...shown(subject), balance: shownBalance(entry), transaction })] : []),
    ...entry.moves.map((move, index) =>
      activity(`${id}.${index + 1}`, activityTypes[move.kind], tierMoveData(move, subject)),
    ),
  ];
}
