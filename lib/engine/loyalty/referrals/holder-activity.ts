import { activityTypes, type Occasion, showActivityCampaign } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { presentHolder, type ReferralCode, type ReferralHolding } from './holder.ts';

/** Records that a customer became a holder of the code, or no longer holds it. */
export function recordHolder(
  projectId: string,
  what: 'holderAssigned' | 'holderRemoved',
  one: ReferralHolding,
  code: ReferralCode,
  occasion: Occasion,
): Effect[] {
  const { item, campaign } = code;
  return recordActivity(projectId, one.customer_id, occasion, {
    type: activityTypes[what],
    data: {
      holder: presentHolder(one, code),
      voucher: { id: item.id, code: item.code, object: 'voucher' },
      ...showActivityCampaign(campaign),
    },
    campaign,
    code: item.code,
  });
}
