import { dayOf } from '../calendar.ts';
import { type ActivityItem, activityTypes } from '../customers/activity.ts';
import { countForCampaign } from '../customers/own-activities.ts';
import { parseStored, type Write } from '../dynamodb.ts';
import { notFound, ServiceError } from '../errors.ts';
import { newId, newTimedId } from '../ids.ts';
import { type Card, cardWrites, type Occasion, type Programme, posted, standingOf } from '../loyalty/card.ts';
import type { PendingPointsItem } from '../loyalty/pending-points.ts';
import { findProgrammes } from '../loyalty/programme.ts';
import { settleCards } from '../loyalty/settle.ts';
import { earningRulesOf, indexed, keys } from '../table.ts';
import { findVoucher } from '../vouchers/find-voucher.ts';
import { checkUsable } from '../vouchers/usable.ts';
import type { Context } from './context.ts';
import { type Earning, type EarningRule, earningRuleItem, earningsOf } from './earning-rule.ts';

const dayInMs = 86_400_000;

/** A transaction takes 100 items; what else an event writes are at most 13. */
const maxEarnings = 40;

export interface CardEvent {
  code: string;
  event: string;
  metadata: Readonly<Record<string, unknown>>;
  customerId: string;
}

/** What an event does to the card that it is attributed to. */
export interface CardEffect {
  writes: Write[];
  /** Activities for the list of the event's customer, who has to count them. */
  toldToCustomer: number;
}

/** What an attempt leaves to the next: others at the same card do not change what its campaign says. */
export interface Known {
  programmes?: ReadonlyMap<string, Programme>;
  rules?: readonly EarningRule[];
}

/** The card that the event names (ruling F.3): 404 when it is unknown, 400 when it is no loyalty card or can't be used. */
async function findCard(context: Context, code: string, known: Known): Promise<Card> {
  const item = await findVoucher(context, code);
  if (!item) throw notFound('voucher', code);
  if (item.type !== 'LOYALTY_CARD') {
    throw new ServiceError('invalid_payload', {
      details: 'loyalty.code must name a loyalty card',
      resource: { id: code, type: 'voucher' },
    });
  }
  known.programmes ??= await findProgrammes(context, [item.campaign_id]);
  const programme = known.programmes.get(item.campaign_id ?? '');
  checkUsable(item, programme?.campaign, { now: context.now, place: 'loyalty.code' });
  return { item, programme };
}

async function earnings(
  { table, project, now }: Context,
  card: Card,
  { event, metadata }: Pick<CardEvent, 'event' | 'metadata'>,
  known: Known,
): Promise<Earning[]> {
  const { programme } = card;
  if (!programme) return [];
  const { standing } = standingOf(card, dayOf(now));
  known.rules ??= (await table.query(earningRulesOf(project.id, programme.campaign.id))).map((item) =>
    parseStored(earningRuleItem, item),
  );
  const found = earningsOf(
    known.rules,
    event,
    metadata,
    programme.tiers.find(({ id }) => id === standing?.tier_id),
  );
  if (found.length > maxEarnings) {
    throw new ServiceError('invalid_campaign', {
      details: `the campaign of the card has ${found.length} earning rules for this event, of which ${maxEarnings} can be applied`,
    });
  }
  const total = found.reduce((sum, { points }) => sum + points, card.item.credited_points + card.item.pending_points);
  if (total > Number.MAX_SAFE_INTEGER) {
    throw new ServiceError('invalid_amount', { details: 'metadata would earn more points than a card can hold' });
  }
  return found;
}

function pendingWrites(
  { project, now }: Context,
  { item }: Card,
  event: string,
  { rule, points, pendingDays }: Earning,
): { pending: PendingPointsItem; write: Write } {
  const activatesAt = new Date(now.getTime() + pendingDays * dayInMs).toISOString();
  const pending: PendingPointsItem = {
    id: newId('pending_points'),
    voucher_id: item.id,
    points,
    state: 'PENDING',
    created_at: now.toISOString(),
    activates_at: activatesAt,
    earning_rule_id: rule.id,
    event,
  };
  const key = keys.pendingPoints(project.id, item.id, pending.id);
  const due = { project_id: project.id, dueShard: indexed.dueShardOf(key), dueAt: activatesAt };
  return { pending, write: { key, insert: { ...pending, ...due } } };
}

function pendingActivity({ item, programme }: Card, occasion: Occasion, pending: PendingPointsItem): ActivityItem {
  return {
    id: newTimedId('activity', occasion.now),
    type: activityTypes.pendingPointsUpdated,
    created_at: occasion.now.toISOString(),
    group_id: occasion.groupId,
    code: item.code,
    ...(programme
      ? { campaign_id: programme.campaign.id, campaign: programme.campaign.name, campaign_type: 'LOYALTY_PROGRAM' }
      : {}),
    data: {
      data: {
        voucher: { id: item.id, code: item.code, object: 'voucher' },
        pending_points: {
          id: pending.id,
          points: pending.points,
          change: pending.points,
          activates_at: pending.activates_at,
          earning_rule_id: pending.earning_rule_id,
        },
      },
      event_source: occasion.source,
    },
  };
}

/**
 * What every active earning rule of the card's campaign gives for the event (ruling F.4). `undefined` when the card had to be
 * settled first: it is then to be read again. A card that nobody holds tells the event's customer of it.
 */
export async function cardEffect(
  context: Context,
  attributed: CardEvent,
  occasion: Occasion,
  known: Known,
): Promise<CardEffect | undefined> {
  const { project, now } = context;
  const { code, event, customerId } = attributed;
  const card = await findCard(context, code, known);
  if (await settleCards(context, [card])) return undefined;
  const earned = await earnings(context, card, attributed, known);
  if (earned.length === 0) return { writes: [], toldToCustomer: 0 };

  const changed = posted(
    card,
    occasion,
    earned
      .filter(({ pendingDays }) => pendingDays === 0)
      .map(({ rule, points }) => ({ type: 'POINTS_ACCRUAL', points, about: { event, earning_rule_id: rule.id } })),
  );
  const pending = earned
    .filter(({ pendingDays }) => pendingDays > 0)
    .map((earning) => pendingWrites(context, card, event, earning));
  const pendingPoints = pending.reduce((sum, { pending: { points } }) => sum + points, card.item.pending_points);
  const { writes, toldToCustomer } = cardWrites(
    project.id,
    {
      ...changed,
      after: { ...changed.after, pending_points: pendingPoints },
      activities: pending.map((one) => pendingActivity(card, occasion, one.pending)),
    },
    now,
    customerId,
  );
  const campaignId = card.item.campaign_id;
  return {
    toldToCustomer,
    writes: [
      ...writes,
      ...pending.map(({ write }) => write),
      ...(toldToCustomer > 0 && campaignId ? [countForCampaign(project, customerId, campaignId, toldToCustomer)] : []),
    ],
  };
}
