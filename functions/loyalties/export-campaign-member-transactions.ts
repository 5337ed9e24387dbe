import { operation } from '../../lib/http/operation.ts';
import { exportMemberTransactions } from '../../lib/loyalty/export-cards.ts';
import { exportingTransactions, transactionsExample } from '../../lib/vouchers/exports/start.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/members/{memberId}/transactions/export',
    scope: 'loyalties',
    summary: 'Export the points transactions of a member of a loyalty campaign',
    ...exportingTransactions,
    example: {
      params: { campaignId: 'Harbour Crew', memberId: 'CREW-INGRID' },
      body: transactionsExample,
    },
  },
  (call) => exportMemberTransactions(call, call.params, call.body),
);
