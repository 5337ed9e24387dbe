import {
  listVoucherTransactions,
  transactionList,
  transactionsQuery,
} from '#engine/loyalty/balances/list-transactions.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers/{code}/transactions',
    scope: 'vouchers',
    summary: 'List the transactions of a voucher',
    note: 'Each change of the balance is one entry, with its cause in `details`.',
    query: transactionsQuery,
    answers: 'A page of the ledger entries, the newest first unless `order` says otherwise.',
    reply: transactionList,
    errors: ['not_found'],
    example: { params: { code: 'CREW-INGRID' } },
  },
  (call) => listVoucherTransactions(call, call.params.code, call.query),
);
