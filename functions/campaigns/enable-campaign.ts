import { switchCampaign, switched } from '../../lib/campaigns/switch-campaign.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/enable',
    scope: 'campaigns',
    summary: 'Enable a campaign',
    note: 'A body is ignored. `active` of its vouchers stays as it is; what is of a campaign that is off can not be used.',
    body: 'ignored',
    answers: 'Nothing: an object without fields.',
    reply: switched,
    errors: ['not_found'],
    example: { params: { campaignId: 'Early tide' } },
  },
  (call) => switchCampaign(call, call.params.campaignId, true),
);
