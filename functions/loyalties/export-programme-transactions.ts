import { exportReply } from '../../lib/exports/export.ts';
import { exportNote } from '../../lib/exports/start-export.ts';
import { operation } from '../../lib/http/operation.ts';
import { exportProgrammeTransactions, transactionsExportBody } from '../../lib/voucher-exports/start.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/transactions/export',
    scope: 'loyalties',
    summary: 'Export the points transactions of a loyalty campaign',
    note: exportNote,
    body: transactionsExportBody,
    answers: 'The export, which is made behind the request.',
    reply: exportReply,
    errors: ['not_found', 'invalid_export_fields'],
    example: {
      params: { campaignId: 'Harbour Crew' },
      body: { parameters: { fields: ['type', 'amount', 'balance', 'created_at'] } },
    },
  },
  (call) => exportProgrammeTransactions(call, call.params.campaignId, call.body),
);
