import { type ActivityItem, activityTypes, showSource } from './activities/activity.ts';
import { showBalance } from './entry-balance.ts';
import { isOfGift, type LedgerEntry, type LedgerEntryType } from './ledger-entry.ts';
import type { TierMove } from './tier-standing.ts';
import { presentTransaction } from './transaction.ts';

/** A removal has the activity of an addition, with a negative number. */
const activityOfType: Partial<Record<LedgerEntryType, string>> = {
  POINTS_ADDITION: activityTypes.pointsAdded,
  POINTS_REMOVAL: activityTypes.pointsAdded,
  CREDITS_ADDITION: activityTypes.giftBalanceAdded,
  CREDITS_REMOVAL: activityTypes.giftBalanceAdded,
  POINTS_ACCRUAL: activityTypes.pointsAdded,
  PENDING_POINTS_ACTIVATION: activityTypes.pointsAdded,
  POINTS_EXPIRATION: activityTypes.pointsExpired,
  POINTS_TRANSFER_IN: activityTypes.pointsTransferred,
  POINTS_TRANSFER_OUT: activityTypes.pointsTransferred,
};

/** Returns the id of an activity for an entry. */
export function deriveActivityId({ id }: Pick<LedgerEntry, 'id'>): string {
  return id.replace(/^vtx_/, 'act_');
}

/**
 * Returns the id of the entry that an activity belongs to. Further activities of an entry have this id with a number
 * appended.
 */
export function stripMoveNumber(activityId: string): string {
  return activityId.replace(/\.\d+$/, '');
}

/** The card and the campaign of a change. */
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

/** Returns the data of a move: both tiers of a change, else the tier that the member joins, keeps or leaves. */
export function tierMoveData({ kind, from, to }: TierMove, subject: Subject, createdAt: string) {
  const [left, joined] = [from, to].map((tier) => tier && { ...tier, object: 'loyalty_tier' });
  const one = joined ?? left;
  const tiers =
    kind === 'upgraded' || kind === 'downgraded'
      ? { loyalty_tier_from: left, loyalty_tier_to: joined }
      : { ...(one ? { loyalty_tier: one } : {}) };
  return { ...shown(subject), ...tiers, created_at: createdAt };
}

/**
 * Derives the activities of an entry: the reward by an earning rule, the change of points, and each move between tiers.
 * They are not stored as items, because a transfer of 32 entries fills its transaction with cards, entries and claims.
 */
export function deriveActivities(entry: LedgerEntry): ActivityItem[] {
  const { voucher_id, code, campaign_id, campaign: name, created_at, group_id, event_source } = entry;
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
    data: { data, event_source: showSource(event_source) },
  });
  const id = deriveActivityId(entry);
  const type = activityOfType[entry.type];
  const { earning_rule_id, order, event } = entry.about;
  const cause = {
    ...(order ? { order: { ...order, object: 'order' } } : {}),
    ...(event ? { event: { type: event } } : {}),
  };
  const rewarded = {
    ...shown(subject),
    earning_rule: { id: earning_rule_id, object: 'earning_rule' },
    balance: showBalance(entry),
    ...cause,
  };
  return [
    ...(entry.type === 'POINTS_ACCRUAL' && earning_rule_id
      ? [activity(`${id}.0`, activityTypes.rewardedPoints, rewarded)]
      : []),
    ...(type
      ? [activity(id, type, { ...shown(subject), balance: showBalance(entry), transaction: presentTransaction(entry) })]
      : []),
    ...entry.moves.map((move, index) =>
      activity(`${id}.${index + 1}`, activityTypes[move.kind], tierMoveData(move, subject, created_at)),
    ),
  ];
}
