import { campaign } from '../../lib/campaigns/campaign-reply.ts';
import { operation } from '../../lib/http/operation.ts';
import { getLoyaltyCampaign } from '../../lib/loyalty/get-loyalty-campaign.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}',
    scope: 'loyalties',
    summary: 'Get a loyalty campaign',
    answers: 'The campaign of the programme.',
    reply: campaign,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' } },
  },
  (call) => getLoyaltyCampaign(call, call.params.campaignId),
);
