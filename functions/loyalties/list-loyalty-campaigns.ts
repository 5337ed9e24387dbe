import { campaignsListed, kindsQuery, listCampaigns } from '#engine/campaigns/list-campaigns.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties',
    scope: 'loyalties',
    summary: 'List loyalty campaigns',
    note: 'Returns the newest first unless `order` says otherwise. It looks at no more than 10,000 campaigns.',
    query: kindsQuery,
    answers: 'A page of the loyalty campaigns.',
    reply: campaignsListed.reply,
    example: { query: 'expand=category' },
  },
  (call) => listCampaigns(call, { ...call.query, campaign_type: 'LOYALTY_PROGRAM' }),
);
