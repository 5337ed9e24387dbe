import { campaignList, kindsQuery, listCampaigns } from '../../lib/campaigns/list-campaigns.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties',
    scope: 'loyalties',
    summary: 'List loyalty campaigns',
    note: 'Newest first unless `order` says otherwise. They are looked for among 10,000 campaigns.',
    query: kindsQuery,
    answers: 'A page of the loyalty campaigns.',
    reply: campaignList,
    example: { query: 'expand=category' },
  },
  (call) => listCampaigns(call, { ...call.query, campaign_type: 'LOYALTY_PROGRAM' }),
);
