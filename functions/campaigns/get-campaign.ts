import { campaign } from '#engine/campaigns/campaign-reply.ts';
import { getCampaign } from '#engine/campaigns/get-campaign.ts';
import { listTiersOf } from '#engine/campaigns/promotions/list-tiers.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/campaigns/{campaignId}',
    scope: 'campaigns',
    summary: 'Get a campaign',
    note: 'The reply has the rule assignments and, for a PROMOTION, the tiers. It does not list vouchers.',
    answers: 'The campaign.',
    reply: campaign,
    errors: ['not_found'],
    example: { params: { campaignId: 'Early tide' } },
  },
  (call) => getCampaign(call, call.params.campaignId, listTiersOf),
);
