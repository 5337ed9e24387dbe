import {
  exportCampaignTransactions,
  exportingTransactions,
  transactionsExample,
} from '#engine/vouchers/exports/start-transactions-export.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/transactions/export',
    scope: 'campaigns',
    summary: 'Export the transactions of a campaign',
    ...exportingTransactions,
    errors: [...exportingTransactions.errors, 'forbidden'],
    example: {
      params: { campaignId: 'camp_crew' },
      body: transactionsExample,
    },
  },
  (call) => exportCampaignTransactions(call, call.params.campaignId, call.body),
);
