import { switchCampaign, switchReply } from '#engine/campaigns/switch-campaign.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/enable',
    scope: 'campaigns',
    summary: 'Enable a campaign',
    note:
      'A body is ignored. The field `active` of the vouchers does not change. No voucher, card or ' +
      'tier of a disabled campaign can be used.',
    body: 'ignored',
    answers: 'An object without fields.',
    reply: switchReply,
    errors: ['not_found'],
    example: { params: { campaignId: 'Early tide' } },
  },
  (call) => switchCampaign(call, call.params.campaignId, true),
);
