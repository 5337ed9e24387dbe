import { operation } from '../../lib/http/operation.ts';
import { exportProgrammeTransactions } from '../../lib/loyalty/export-cards.ts';
import { exportingTransactions, transactionsExample } from '../../lib/vouchers/exports/start-transactions-export.ts';

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
