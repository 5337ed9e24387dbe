import { exportReply } from '../../lib/exports/export.ts';
import { exportNote } from '../../lib/exports/start-export.ts';
import { operation } from '../../lib/http/operation.ts';
import { exportVoucherTransactions, transactionsExportBody } from '../../lib/voucher-exports/start.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/{code}/transactions/export',
    scope: 'vouchers',
    summary: 'Export the transactions of a voucher',
    note: exportNote,
    body: transactionsExportBody,
    answers: 'The export, which is made behind the request.',
    reply: exportReply,
    errors: ['not_found', 'invalid_export_fields'],
    example: {
      params: { code: 'CREW-INGRID' },
      body: { parameters: { fields: ['type', 'amount', 'balance', 'created_at'] } },
    },
  },
  (call) => exportVoucherTransactions(call, call.params.code, call.body),
);
