import * as v from 'valibot';
import { operation } from '../../lib/http/operation.ts';
import { pageQuery } from '../../lib/http/page.ts';
import { listVoucherTransactions, transactionList } from '../../lib/loyalty/list-transactions.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers/{code}/transactions',
    scope: 'vouchers',
    summary: 'List the points transactions of a voucher',
    query: v.object(pageQuery),
    answers: 'A page of the ledger, the newest entry first.',
    reply: transactionList,
    errors: ['not_found'],
    example: { params: { code: 'CREW-INGRID' } },
  },
  (call) => listVoucherTransactions(call, call.params.code, call.query),
);
