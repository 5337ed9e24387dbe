import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { newId } from '#kernel/core/ids.ts';
import type { Reading } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { check, commit, type Effect } from '#kernel/table/effects.ts';
import { campaigns } from '../campaign.ts';
import { campaignOr404 } from '../find-campaign.ts';
import { type NewTierBody, newTier } from './new-tiers.ts';
import type { PromotionTier } from './promotion-tier.ts';
import { chooseRank } from './ranks.ts';

/**
 * Returns the effects that create a tier after all others of its campaign, or at the rank that the body names. Other
 * tiers keep their ranks. The same transaction must create the rules with the ids `newRules`.
 */
export async function planTier(
  context: Reading,
  idOrName: string,
  body: NewTierBody,
  newRules: readonly string[] = [],
): Promise<{ effects: Effect[]; shown: PromotionTier }> {
  const { project } = context;
  const campaign = await campaignOr404(context, idOrName);
  if (campaign.campaign_type !== 'PROMOTION') {
    throw new ServiceError('invalid_campaign', {
      details: 'the campaign must have the campaign_type PROMOTION: other campaigns have no promotion tiers',
      resource: { id: campaign.id, type: 'campaign' },
    });
  }
  const id = newId('promotion_tier');
  const { hierarchy, given } = await chooseRank(context, { id, campaign_id: campaign.id }, body.hierarchy);
  const { effects, shown } = await newTier(context, campaign, body, { id, hierarchy, newRules });
  const stillThere = check(
    campaigns(project.id, campaign.id),
    (update) => update.whenThere(),
    () => notFound('campaign', idOrName),
  );
  return { effects: [stillThere, ...effects, given], shown };
}

export async function createTier(context: Reading, idOrName: string, body: NewTierBody): Promise<PromotionTier> {
  return retryOptimistically(context.table, async () => {
    const { effects, shown } = await planTier(context, idOrName, body);
    return (await commit(context.table, effects)) ? shown : again;
  });
}
