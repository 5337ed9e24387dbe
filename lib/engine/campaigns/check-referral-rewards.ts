import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { listRewardingCampaigns, type ReferralProgram, rewardFields } from './campaign.ts';
import { readTerms } from './campaign-terms.ts';
import { voucherTypes } from './kinds.ts';

/** Answers 404 for a reward of an unknown campaign, and 400 `invalid_campaign` if its vouchers have another type than the reward. */
export async function checkReferralRewards(
  context: Reading,
  programme: ReferralProgram | null | undefined,
): Promise<void> {
  const parents = await readTerms(context, listRewardingCampaigns(programme));
  for (const field of rewardFields) {
    const reward = programme?.[field];
    if (!reward) continue;
    const { id } = reward.related_object_parent;
    const parent = parents.get(id);
    if (!parent) throw notFound('campaign', id);
    if (voucherTypes[parent.campaign_type] === reward.type) continue;
    throw new ServiceError('invalid_campaign', {
      details: `referral_program.${field}.related_object_parent must be a campaign of ${reward.type} vouchers, and ${id} is a ${parent.campaign_type}`,
    });
  }
}
