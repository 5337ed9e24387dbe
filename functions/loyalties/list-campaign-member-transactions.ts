import {
  listMemberTransactions,
  memberTransactionsQuery,
  transactionList,
} from '#engine/loyalty/balances/list-transactions.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/members/{memberId}/transactions',
    scope: 'loyalties',
    summary: 'List the points transactions of a member of a loyalty campaign',
    note: 'Each change of the points is one entry, with its cause in `details`.',
    query: memberTransactionsQuery,
    answers: 'A page of the ledger entries, the newest first unless `order` says otherwise.',
    reply: transactionList,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew', memberId: 'CREW-INGRID' } },
  },
  (call) => listMemberTransactions(call, call.params, call.query),
);
