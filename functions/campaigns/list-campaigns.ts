import { campaignList, listCampaigns, listCampaignsQuery } from '../../lib/campaigns/list-campaigns.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/campaigns',
    scope: 'campaigns',
    summary: 'List campaigns',
    note:
      'Newest first unless `order` says otherwise. Without tiers and rule assignments; `categories` is filled with ' +
      '`expand=category`. What the list itself does not know of campaigns is looked for among 10,000 of them.',
    query: listCampaignsQuery,
    answers: 'A page of the campaigns.',
    reply: campaignList,
    example: { query: 'limit=2&expand=category' },
  },
  (call) => listCampaigns(call, call.query),
);
