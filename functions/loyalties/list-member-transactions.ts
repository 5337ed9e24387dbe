import {
  cardTransactionList,
  cardTransactionsQuery,
  listCardTransactions,
} from '#engine/loyalty/balances/list-transactions.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/members/{memberId}/transactions',
    scope: 'loyalties',
    summary: "List a member's points transactions",
    note: 'Each change of the points is one entry, with its cause in `details`.',
    query: cardTransactionsQuery,
    answers:
      'A page of the ledger entries, the newest first unless `order` says otherwise. It has a `total` if `page` ' +
      'is sent.',
    reply: cardTransactionList,
    errors: ['not_found'],
    example: { params: { memberId: 'CREW-INGRID' } },
  },
  (call) => listCardTransactions(call, call.params, call.query),
);
