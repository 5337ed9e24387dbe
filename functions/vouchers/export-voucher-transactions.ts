import {
  exportingTransactions,
  exportVoucherTransactions,
  transactionsExample,
} from '#engine/vouchers/exports/start-transactions-export.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/{code}/transactions/export',
    scope: 'vouchers',
    summary: 'Export the transactions of a voucher',
    ...exportingTransactions,
    example: {
      params: { code: 'CREW-INGRID' },
      body: transactionsExample,
    },
  },
  (call) => exportVoucherTransactions(call, call.params.code, call.body),
);
