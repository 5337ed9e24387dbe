import { campaign } from '#engine/campaigns/campaign-reply.ts';
import { getLoyaltyCampaign } from '#engine/loyalty/get-loyalty-campaign.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}',
    scope: 'loyalties',
    summary: 'Get a loyalty campaign',
    note: 'A campaign of another kind is not found.',
    answers: 'The campaign of the programme.',
    reply: campaign,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' } },
  },
  (call) => getLoyaltyCampaign(call, call.params.campaignId),
);
