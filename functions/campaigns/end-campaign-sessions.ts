import { endCampaignSessions } from '#engine/campaigns/end-sessions.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty } from '#kernel/http/route.ts';

export const handler = operation(
  {
    route: 'DELETE /v1/campaigns/{campaignId}/sessions',
    scope: 'campaigns',
    summary: 'End all sessions that lock a campaign',
    note: "Releases everything that sessions hold of the campaign's limits, its vouchers and its promotion tiers.",
    answers: 'No session holds anything of the campaign. The reply has no body.',
    reply: empty,
    errors: ['not_found'],
    example: { params: { campaignId: 'Bean basket' } },
  },
  (call) => endCampaignSessions(call, call.params.campaignId),
);
