import { notFound, ServiceError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Reading } from '../../http/context.ts';
import { again, retryOptimistically } from '../../table/conflicts.ts';
import { check, commit } from '../../table/effects.ts';
import { campaigns } from '../campaign.ts';
import { campaignOr404 } from '../find-campaign.ts';
import type { NewTierBody } from './new-tier-body.ts';
import { newTier } from './new-tiers.ts';
import type { PromotionTier } from './promotion-tier.ts';
import { chooseRank } from './ranks.ts';

/** Creates a tier behind all others of its campaign, or at the rank that the body names. Other tiers keep their ranks. */
export async function createTier(context: Reading, idOrName: string, body: NewTierBody): Promise<PromotionTier> {
  const { table, project } = context;
  return retryOptimistically(table, async () => {
    const campaign = await campaignOr404(context, idOrName);
    if (campaign.campaign_type !== 'PROMOTION') {
      throw new ServiceError('invalid_campaign', {
        details: 'the campaign must have the campaign_type PROMOTION: other campaigns have no promotion tiers',
        resource: { id: campaign.id, type: 'campaign' },
      });
    }
    const id = newId('promotion_tier');
    const { hierarchy, given } = await chooseRank(context, { id, campaign_id: campaign.id }, body.hierarchy);
    const { effects, shown } = await newTier(context, campaign, body, { id, hierarchy });
    const stillThere = check(
      campaigns(project.id, campaign.id),
      (update) => update.whenThere(),
      () => notFound('campaign', idOrName),
    );
    return (await commit(table, [stillThere, ...effects, given])) ? shown : again;
  });
}
