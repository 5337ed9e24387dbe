import { exportMemberTransactions } from '#engine/loyalty/export-cards.ts';
import { exportingTransactions, transactionsExample } from '#engine/vouchers/exports/start-transactions-export.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/members/{memberId}/transactions/export',
    scope: 'loyalties',
    summary: 'Export the points transactions of a member by card code or id',
    ...exportingTransactions,
    example: {
      params: { memberId: 'CREW-INGRID' },
      body: transactionsExample,
    },
  },
  (call) => exportMemberTransactions(call, call.params, call.body),
);
