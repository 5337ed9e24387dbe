import { stackList } from '../../lib/campaigns/promotions/promotion-tier.ts';
import { listStacksOf } from '../../lib/campaigns/stacks/show-stacks.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/{campaignId}/stacks',
    scope: 'promotions',
    summary: 'List the promotion stacks of a campaign',
    answers: 'All stacks of the campaign, the newest first.',
    reply: stackList,
    errors: ['not_found'],
    example: { params: { campaignId: 'Bean basket' } },
  },
  (call) => listStacksOf(call, call.params.campaignId),
);
