import { campaignTransactions, listCampaignTransactions } from '#engine/loyalty/balances/list-campaign-transactions.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/campaigns/{campaignId}/transactions',
    scope: 'campaigns',
    summary: 'List the transactions of a campaign',
    note:
      'Merges the ledgers of all its gift cards or loyalty cards. A campaign of another kind has none. The list ' +
      'lags by less than a second.',
    query: campaignTransactions.query,
    answers: 'A page of the ledger entries, the newest first unless `order` says otherwise.',
    reply: campaignTransactions.reply,
    errors: ['not_found'],
    example: { params: { campaignId: 'camp_crew' } },
  },
  (call) => listCampaignTransactions(call, call.params.campaignId, call.query),
);
