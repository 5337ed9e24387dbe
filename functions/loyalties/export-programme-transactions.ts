import { exportProgrammeTransactions } from '#engine/loyalty/export-cards.ts';
import { exportingTransactions, transactionsExample } from '#engine/vouchers/exports/start-transactions-export.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/transactions/export',
    scope: 'loyalties',
    summary: 'Export the points transactions of a loyalty campaign',
    ...exportingTransactions,
    example: {
      params: { campaignId: 'Harbour Crew' },
      body: transactionsExample,
    },
  },
  (call) => exportProgrammeTransactions(call, call.params.campaignId, call.body),
);
