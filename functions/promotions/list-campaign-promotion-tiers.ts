import { listCampaignTiers, tierQuery } from '#engine/campaigns/promotions/list-tiers.ts';
import { tierList } from '#engine/campaigns/promotions/promotion-tier.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/{campaignId}/tiers',
    scope: 'promotions',
    summary: 'List the promotion tiers of a campaign',
    note: 'Tiers are sorted by `hierarchy` unless `order` says otherwise.',
    query: tierQuery,
    answers: 'A page of the tiers of the campaign.',
    reply: tierList,
    errors: ['not_found'],
    example: { params: { campaignId: 'Bean basket' } },
  },
  (call) => listCampaignTiers(call, call.params.campaignId, call.query),
);
