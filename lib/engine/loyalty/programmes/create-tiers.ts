import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import {
  checkLoyaltyCampaign,
  type LoyaltyTier,
  type LoyaltyTierItem,
  loyaltyTiers,
  presentLoyaltyTier,
  readLoyaltyTiers,
  tierOwners,
} from '#engine/campaigns/programme.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import type { Writing } from '#kernel/http/context.ts';
import { ReplyRoom } from '#kernel/http/reply-size.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { canFitOneTransaction, check, commit, type Effect, insert } from '#kernel/table/effects.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { readChildren } from '#kernel/table/read.ts';
import { earningRules } from '../earning/earning-rule.ts';
import { readGuard, requireGuard } from '../programme-guard.ts';
import { rewardAssignments } from '../reward.ts';
import { startMemberSettlement } from './settle-members.ts';
import { maxTiers, type NewTier } from './tier-body.ts';

function newItem(campaign_id: string, { name, points, ...body }: NewTier, now: Date): LoyaltyTierItem {
  return {
    id: newTimedId('loyalty_tier', now),
    name,
    campaign_id,
    points,
    earning_rules: body.earning_rules ?? {},
    rewards: body.rewards ?? {},
    metadata: body.metadata ?? {},
    created_at: now.toISOString(),
  };
}

/** Returns the checks that tiers name reward assignments of the programme. 404 for the first that it lacks. */
function namedAssignments(projectId: string, campaignId: string, items: readonly LoyaltyTierItem[]): Effect[] {
  const named = new Set(items.flatMap(({ rewards }) => Object.keys(rewards)));
  return [...named].map((id) =>
    check(
      rewardAssignments(projectId, id),
      (update) => update.whenThere().whenStill('related_object_id', campaignId),
      () => notFound('reward_assignment', id),
    ),
  );
}

function checkRules(known: readonly { id: string }[], items: readonly LoyaltyTierItem[]): void {
  const named = items.flatMap(({ earning_rules }) => Object.keys(earning_rules));
  const missing = named.find((id) => !known.some((rule) => rule.id === id));
  if (missing !== undefined) throw notFound('earning_rule', missing);
}

function checkNumber(number: number): void {
  if (number <= maxTiers) return;
  throw new ServiceError('too_many_resources', {
    details: `a programme has at most ${maxTiers} loyalty tiers, and would have ${number}`,
  });
}

/**
 * Creates all tiers or none. A job moves members afterwards. Members without a date that keeps their tier move to the tier of their points.
 * Other members only move up.
 */
export async function createLoyaltyTiers(
  context: Writing,
  idOrName: string,
  bodies: readonly NewTier[],
): Promise<LoyaltyTier[]> {
  const { table, project, now } = context;
  for (const [index, { metadata }] of bodies.entries())
    checkBySchema(project.schemas('loyalty_tier'), metadata ?? {}, { place: `[${index}].metadata` });
  return retryOptimistically(table, async () => {
    const campaign = await campaignOr404(context, idOrName);
    checkLoyaltyCampaign(campaign, idOrName);
    if (bodies.length === 0) return [];
    const guard = await readGuard(context, campaign.id);
    const [tiers, rules] = await Promise.all([
      readLoyaltyTiers(context, campaign.id),
      readChildren(table, earningRules, project.id, campaign.id),
    ]);
    const items = bodies.map((body) => newItem(campaign.id, body, now));
    checkNumber(tiers.length + items.length);
    checkRules(rules, items);
    const job = startMemberSettlement(project.id, campaign.id, now);
    const effects = [
      ...requireGuard(project.id, campaign.id, guard, idOrName),
      ...items.flatMap((item) => [
        insert(loyaltyTiers(project.id, campaign.id, item.id), item),
        insert(tierOwners(project.id, item.id), { campaign_id: campaign.id }),
      ]),
      ...namedAssignments(project.id, campaign.id, items),
      insert(job.key, job.insert),
    ];
    if (!canFitOneTransaction(effects)) {
      throw new ServiceError('invalid_payload', {
        details:
          'the tiers and the reward assignments that they name are too many or too large for one request: send fewer tiers',
      });
    }
    const shown = items.map(presentLoyaltyTier);
    new ReplyRoom('send fewer or shorter tiers').take(shown);
    const done = await commit(table, effects).catch((error: unknown) => {
      throw explainItemSize(error, 'the body would make a tier');
    });
    return done ? shown : again;
  });
}
