import { campaignsListed, listCampaigns } from '#engine/campaigns/list-campaigns.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/campaigns',
    scope: 'campaigns',
    summary: 'List campaigns',
    note:
      'Returns the newest first unless `order` says otherwise. Tiers and rule assignments are left out. ' +
      '`expand=category` fills `categories`. A filter that has no index looks at no more than 10,000 campaigns.',
    query: campaignsListed.query,
    answers: 'A page of the campaigns.',
    reply: campaignsListed.reply,
    example: { query: 'limit=2&expand=category' },
  },
  (call) => listCampaigns(call, call.query),
);
