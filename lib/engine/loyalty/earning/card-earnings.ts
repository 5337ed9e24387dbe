import { type ActivityItem, activityTypes, type Occasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings, type ChangedCard, findStanding, makeCardActivity } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import type { EarnedWith } from '#engine/ledger/earning-cause.ts';
import { findLastGoodDay } from '#engine/ledger/lots.ts';
import type { Posting } from '#engine/ledger/new-entry.ts';
import {
  type PendingPointsItem,
  pendingData,
  pendingPoints,
  placePendingPoints,
} from '#engine/ledger/pending-points.ts';
import { expireLots } from '#engine/ledger/settlement.ts';
import { insertHeld } from '#engine/vouchers/held-card.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { addDays, formatDay } from '#kernel/core/calendar.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { findStartOfDay, inZoneOf } from '#kernel/core/local-time.ts';
import type { Reading } from '#kernel/http/context.ts';
import { dueAttributes } from '#kernel/table/due.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import { computeTierEarnings, type Earning, type EarningRule } from './earning-rule.ts';
import type { EarningOccasion } from './measure.ts';

/** Points, with the move between tiers that earned them if several gains are joined. */
interface EarningOf extends Earning {
  readonly by?: { readonly event: string; readonly event_group_id?: string } & Pick<EarnedWith, 'loyalty_tier'>;
}

/** The effects of an occasion on a card. */
export interface Gain {
  card: MemberCard;
  /** True if the occasion makes the card. */
  isNew: boolean;
  earnings: readonly EarningOf[];
  /** Points of a referral programme, in addition to the earned points. */
  rewards: readonly Posting[];
}

function tierOf(card: MemberCard, now: Date) {
  const { standing } = findStanding(card, formatDay(now));
  return card.programme?.tiers.find(({ id }) => id === standing?.tier_id);
}

/** Returns the points that a programme's rules give its member. */
export function computeEarnings(
  card: MemberCard,
  rules: readonly EarningRule[],
  earned: EarningOccasion,
  { project: { decimals }, now }: Pick<Reading, 'project' | 'now'>,
) {
  return computeTierEarnings(rules, { ...earned, decimals }, tierOf(card, now), now);
}

/** The event that earns points. */
type Cause = Pick<EarningOccasion, 'event' | 'order'> & Pick<EarnedWith, 'segment'>;

/** Sums all points of the gain, including pending points. 400 `invalid_amount` if they exceed a card. */
export function sumGain({ card: { item }, earnings, rewards }: Gain, { order }: Pick<Cause, 'order'>): number {
  const points = [...earnings, ...rewards].reduce((sum, one) => sum + one.points, 0);
  if (item.credited_points + item.pending_points + points > Number.MAX_SAFE_INTEGER) {
    const earner = earnings.length === 0 ? 'the referral' : order ? 'the order' : 'metadata';
    throw new ServiceError('invalid_amount', {
      details: `${earner} would earn more points than a card can hold`,
    });
  }
  return points;
}

/** Returns the subject of points in the ledger. */
function aboutOf({ event, order, segment }: Cause, { by }: EarningOf) {
  return {
    event,
    ...(order ? { order: { id: order.id, source_id: order.source_id ?? null } } : {}),
    ...(segment ? { segment } : {}),
    ...by,
  };
}

/** Names the rule and the tier that earned points. */
function earnedBy({ id, source }: EarningRule, card: MemberCard, now: Date) {
  const tier = tierOf(card, now);
  return {
    earning_rule_id: id,
    ...(source?.banner === undefined ? {} : { banner: source.banner }),
    ...(tier ? { holder_loyalty_tier: { id: tier.id, name: tier.name } } : {}),
  };
}

/** Returns the last day of a rule's points, if the rule has its own. */
function lastDayBy({ expiration_rules: own }: EarningRule, now: Date): string | null | undefined {
  return own && findLastGoodDay(own, formatDay(now));
}

/** Makes pending points, which activate after their rule's days. */
function pendingOf({ now, groupId }: Occasion, card: MemberCard, earned: Cause, earning: EarningOf) {
  const { item } = card;
  const { rule, points, pendingDays } = earning;
  const { event_group_id: group_id = groupId, ...about } = aboutOf(earned, earning);
  return {
    id: newTimedId('pending_points', now),
    voucher_id: item.id,
    campaign_id: item.campaign_id,
    points,
    state: 'PENDING',
    created_at: now.toISOString(),
    activates_at: findStartOfDay(addDays(formatDay(now), pendingDays), now).toISOString(),
    ...earnedBy(rule, card, now),
    ...(rule.expiration_rules ? { expiration_rules: rule.expiration_rules } : {}),
    ...about,
    group_id,
  } satisfies PendingPointsItem;
}

type Pending = ReturnType<typeof pendingOf>;

function insertPending(projectId: string, pending: Pending): Effect {
  const key = pendingPoints(projectId, pending.voucher_id, pending.id);
  const places = placePendingPoints(projectId, pending);
  return insert(key, { ...pending, ...places, project_id: projectId, ...dueAttributes(key, pending.activates_at) });
}

function pendingActivity(card: MemberCard, occasion: Occasion, pending: Pending, total: number): ActivityItem {
  const { id, points, activates_at, earning_rule_id } = pending;
  return makeCardActivity(card, occasion, {
    type: activityTypes.pendingPointsAdded,
    data: {
      pending_points: {
        id,
        points,
        change: points,
        activates_at: formatDay(inZoneOf(occasion.now, new Date(activates_at))),
        earning_rule_id,
      },
      ...pendingData(card.item, pending, { change: points, total }),
    },
  });
}

export function isEmptyGain({ earnings, rewards }: Gain): boolean {
  return earnings.length + rewards.length === 0;
}

/**
 * Credits points and adds pending points, with their activities. The card is settled already. `spent` is an earlier change of the card in
 * the same transaction. `round` counts the rounds of points for moves between tiers.
 */
export function gainEffects(
  context: Reading,
  gain: Gain,
  cause: Cause & { customerId: string },
  occasion: Occasion,
  spent?: ChangedCard<VoucherItem>,
  round = 0,
): Effect[] {
  const { project, now } = context;
  const { card, isNew, earnings, rewards } = gain;
  if (isEmptyGain(gain)) return [];
  // The change is refused if the card cannot hold the points.
  sumGain(gain, cause);
  // A new member joins the tier of the initial points.
  const begun = isNew ? expireLots(card, occasion) : undefined;
  const changed = applyPostings({ ...card, item: begun?.after ?? spent?.after ?? card.item }, occasion, [
    ...earnings
      .filter(({ pendingDays }) => pendingDays === 0)
      .map((earning) => ({
        type: 'POINTS_ACCRUAL' as const,
        points: earning.points,
        expires: lastDayBy(earning.rule, now),
        about: { ...aboutOf(cause, earning), ...earnedBy(earning.rule, card, now) },
      })),
    ...rewards,
  ]);
  const pending = earnings
    .filter(({ pendingDays }) => pendingDays > 0)
    .map((earning) => pendingOf(occasion, card, cause, earning));
  let pendingSum = card.item.pending_points;
  const activities = pending.map((one) => {
    pendingSum += one.points;
    return pendingActivity(card, occasion, one, pendingSum);
  });
  const { effects } = cardEffects(
    project.id,
    {
      round,
      before: spent?.before ?? changed.before,
      after: { ...changed.after, pending_points: pendingSum },
      entries: [...(spent?.entries ?? []), ...changed.entries],
      mayRedeem: Boolean(spent?.mayRedeem || changed.mayRedeem),
      activities: [...(spent?.activities ?? []), ...(begun?.activities ?? []), ...activities],
    },
    now,
    cause.customerId,
  );
  return [
    ...(isNew ? insertHeld(project.id, card.item) : []),
    ...effects,
    ...pending.map((one) => insertPending(project.id, one)),
  ];
}

/** Merges gains and payments of one transaction, so that each card is changed once. */
export function mergeCardChanges(
  context: Reading,
  { gains, spent }: { gains: readonly Gain[]; spent: readonly ChangedCard<VoucherItem>[] },
  cause: Cause & { customerId: string },
  occasion: Occasion,
  round = 0,
): Effect[] {
  const { project, now } = context;
  const spentOn = ({ id }: VoucherItem) => spent.find(({ before }) => before.id === id);
  const others = spent.filter(({ before }) => !gains.some(({ card }) => card.item.id === before.id));
  return [
    ...gains.flatMap((gain) => gainEffects(context, gain, cause, occasion, spentOn(gain.card.item), round)),
    ...others.flatMap((changed) => cardEffects(project.id, { ...changed, round }, now).effects),
  ];
}
