import type { Write } from '../dynamodb.ts';
import { newTimedId } from '../ids.ts';
import type { Occasion } from '../loyalty/card.ts';
import type { Project } from '../projects/project.ts';
import { keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { type ActivityItem, activityIndexes } from './activity.ts';

interface Told {
  type: string;
  data: Record<string, unknown>;
  campaign?: { id: string; name: string; campaign_type: string } | undefined;
  code?: string | undefined;
}

/** An activity of the customer's own, in his list. The caller counts it on the customer in the same transaction. */
export function ownActivity(
  project: Project,
  customerId: string,
  { now, groupId, source }: Occasion,
  { type, data, campaign, code }: Told,
): Write {
  const id = newTimedId('activity', now);
  const createdAt = now.toISOString();
  const item: ActivityItem = {
    id,
    type,
    created_at: createdAt,
    group_id: groupId,
    data: { data: { customer: { id: customerId }, ...data }, event_source: source },
    ...(campaign ? { campaign_id: campaign.id, campaign: campaign.name, campaign_type: campaign.campaign_type } : {}),
    ...(code === undefined ? {} : { code }),
  };
  return {
    key: keys.activity(project.id, customerId, id),
    insert: { ...item, ...activityIndexes(project.id, { customerId, campaignId: campaign?.id, createdAt, id }) },
  };
}

/** Counts activities that are about a campaign, for the list by campaign. */
export function countForCampaign(project: Project, customerId: string, campaignId: string, activities: number): Write {
  return {
    key: keys.customerCampaign(project.id, customerId, campaignId),
    change: new UpdateExpression().add('activities', activities).build(),
  };
}
