import {
  listMemberTransactions,
  memberTransactionsQuery,
  transactionList,
} from '../../lib/balances/list-transactions.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/members/{memberId}/transactions',
    scope: 'loyalties',
    summary: "List a member's points transactions",
    query: memberTransactionsQuery,
    answers: 'A page of the ledger, the newest entry first unless `order` says otherwise.',
    reply: transactionList,
    errors: ['not_found'],
    example: { params: { memberId: 'CREW-INGRID' } },
  },
  (call) => listMemberTransactions(call, call.params, call.query),
);
