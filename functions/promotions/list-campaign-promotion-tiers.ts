import { operation } from '../../lib/http/operation.ts';
import { listCampaignTiers, tierQuery } from '../../lib/promotions/list-tiers.ts';
import { tierList } from '../../lib/tiers/promotion-tier.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/{campaignId}/tiers',
    scope: 'promotions',
    summary: 'List the promotion tiers of a campaign',
    query: tierQuery,
    answers: 'A page of the tiers of the campaign.',
    reply: tierList,
    errors: ['not_found'],
    example: { params: { campaignId: 'Bean basket' } },
  },
  (call) => listCampaignTiers(call, call.params.campaignId, call.query),
);
