import type { Reading } from '../context.ts';
import { notFound, ServiceError } from '../errors.ts';
import { readTerms } from './campaign-terms.ts';
import { voucherTypes } from './kinds.ts';
import type { ReferralProgram } from './referral-program.ts';

/** What a referee gets comes from a campaign that is there and whose vouchers are of the reward's type. */
export async function checkRefereeReward(
  context: Reading,
  programme: Pick<ReferralProgram, 'referee_reward'> | null | undefined,
): Promise<void> {
  const reward = programme?.referee_reward;
  if (!reward) return;
  const { id } = reward.related_object_parent;
  const parent = (await readTerms(context, [id])).get(id);
  if (!parent) throw notFound('campaign', id);
  if (voucherTypes[parent.campaign_type] === reward.type) return;
  throw new ServiceError('invalid_campaign', {
    details: `referral_program.referee_reward.related_object_parent must be a campaign of the type of its reward, and this one is a ${parent.campaign_type}`,
  });
}
