import { exportReply } from '../../lib/exports/export.ts';
import { exportNote } from '../../lib/exports/start-export.ts';
import { operation } from '../../lib/http/operation.ts';
import { exportCampaignTransactions, transactionsExportBody } from '../../lib/voucher-exports/start.ts';

export const handler = operation(
  {
    route: 'POST /v1/campaigns/{campaignId}/transactions/export',
    scope: 'campaigns',
    summary: 'Export the transactions of a campaign',
    note: exportNote,
    body: transactionsExportBody,
    answers: 'The export, which is made behind the request.',
    reply: exportReply,
    errors: ['not_found', 'forbidden', 'invalid_export_fields'],
    example: {
      params: { campaignId: 'camp_crew' },
      body: { parameters: { fields: ['type', 'amount', 'balance', 'created_at'] } },
    },
  },
  (call) => exportCampaignTransactions(call, call.params.campaignId, call.body),
);
