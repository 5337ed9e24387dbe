import * as v from 'valibot';
import { operation } from '../../lib/http/operation.ts';
import { pageQuery } from '../../lib/http/page.ts';
import { listMemberTransactions, transactionList } from '../../lib/loyalty/list-transactions.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/members/{memberId}/transactions',
    scope: 'loyalties',
    summary: "List a member's points transactions",
    query: v.object(pageQuery),
    answers: 'A page of the ledger, the newest entry first.',
    reply: transactionList,
    errors: ['not_found'],
    example: { params: { memberId: 'CREW-INGRID' } },
  },
  (call) => listMemberTransactions(call, call.params.memberId, call.query),
);
