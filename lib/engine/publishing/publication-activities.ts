import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { activityTypes, type Occasion, showActivityCampaign } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import type { PublicationItem } from '#engine/vouchers/publication.ts';
import type { Effect } from '#kernel/table/effects.ts';

/**
 * Records that something was published to the customer and that they hold it, or that it failed. Each is one activity, for any number of
 * vouchers.
 */
export function recordPublication(
  projectId: string,
  item: PublicationItem,
  campaign: CampaignTerms | undefined,
  occasion: Occasion,
): Effect[] {
  const { id, customer_id, channel, source_id = null, result, failure_code, failure_message, vouchers } = item;
  if (customer_id === undefined) return [];
  const failure = failure_code === undefined ? {} : { failure_code, failure_message };
  const publication = { id, channel, source_id, result, ...failure, object: 'publication' };
  const all = vouchers.map((one) => ({ ...one, object: 'voucher' }));
  const [voucher, ...others] = all;
  const what = others.length > 0 ? { vouchers: all } : voucher ? { voucher } : {};
  const about = { ...(campaign ? { campaign } : {}), ...(others.length > 0 ? {} : { code: voucher?.code }) };
  const tell = (type: string, data: Record<string, unknown>) =>
    recordActivity(projectId, customer_id, occasion, {
      type,
      data: { ...data, ...what, ...showActivityCampaign(campaign) },
      ...about,
    });
  if (result === 'FAILURE') return tell(activityTypes.publishingFailed, { publication });
  const holder = { customer_id, holder_role: item.is_referral_code ? 'REFERRER' : 'OWNER' };
  return [...tell(activityTypes.published, { publication }), ...tell(activityTypes.holderAssigned, { holder })];
}
