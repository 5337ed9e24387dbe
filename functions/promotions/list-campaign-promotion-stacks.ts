import { stackList } from '#engine/campaigns/promotions/promotion-tier.ts';
import { listStacksOf } from '#engine/campaigns/stacks/show-stacks.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/promotions/{campaignId}/stacks',
    scope: 'promotions',
    summary: 'List the promotion stacks of a campaign',
    note: 'A stack names its tiers by their ids, in the order in which they apply.',
    answers: 'All stacks of the campaign, the newest first.',
    reply: stackList,
    errors: ['not_found'],
    example: { params: { campaignId: 'Bean basket' } },
  },
  (call) => listStacksOf(call, call.params.campaignId),
);
