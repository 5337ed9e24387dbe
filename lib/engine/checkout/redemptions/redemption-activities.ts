import { activityTypes, type Occasion, showActivityCampaign } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import type { Effect } from '#kernel/table/effects.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import type { RedemptionItem } from './redemption.ts';

/** Records a successful or failed redemption in the list of an existing customer. */
export function recordRedemption(
  projectId: string,
  item: RedemptionItem,
  occasion: Occasion,
  one: Pick<FoundRedeemable, 'target' | 'campaign'> | undefined,
): Effect[] {
  const { id, customer_id, result, failure_code, failure_message, amount, redemption: parent = null, order } = item;
  if (customer_id === undefined) return [];
  const type = result === 'SUCCESS' ? activityTypes.redeemed : activityTypes.redemptionFailed;
  const { voucher, tier } = one?.target ?? {};
  const redemption = {
    id,
    object: 'redemption',
    result,
    redemption: parent,
    ...(amount === undefined ? {} : { amount }),
    ...(failure_code === undefined ? {} : { failure_code, failure_message }),
  };
  const data = {
    redemption,
    ...(voucher ? { voucher: { id: voucher.id, code: voucher.code, object: 'voucher' } } : {}),
    ...(tier ? { promotion_tier: { id: tier.id, name: tier.name, object: 'promotion_tier' } } : {}),
    ...(order?.id ? { order: { id: order.id, object: 'order' } } : {}),
    ...showActivityCampaign(one?.campaign),
  };
  return recordActivity(projectId, customer_id, occasion, {
    type,
    data,
    campaign: one?.campaign,
    code: voucher?.code,
  });
}

/** Records a successful or failed rollback of the customer's redemption. */
export function recordRollback(projectId: string, item: RedemptionItem, occasion: Occasion): Effect[] {
  const { id, object, date, result, redemption, reason = null, amount, customer_id, voucher_code: code } = item;
  const { failure_code, failure_message, related_object_type, related_object_id, order } = item;
  const campaign = item.related_object_parent_id
    ? { id: item.related_object_parent_id, name: item.campaign }
    : undefined;
  if (customer_id === undefined) return [];
  const failure = failure_code === undefined ? {} : { failure_code, failure_message };
  const related = related_object_id && {
    id: related_object_id,
    object: related_object_type,
    ...(code ? { code } : {}),
  };
  const type = result === 'SUCCESS' ? activityTypes.rolledBack : activityTypes.rollbackFailed;
  const data = {
    redemption_rollback: { id, object, date, result, redemption, reason, ...(amount ? { amount } : {}), ...failure },
    ...(related && related_object_type !== 'redemption' ? { [String(related_object_type)]: related } : {}),
    ...(order?.id ? { order: { id: order.id, object: 'order' } } : {}),
    ...showActivityCampaign(campaign),
  };
  return recordActivity(projectId, customer_id, occasion, { type, data, code, campaign });
}
