import { exportProgrammeExpirations } from '#engine/loyalty/export-cards.ts';
import { expirationsExportBody } from '#engine/vouchers/exports/start-transactions-export.ts';
import { operation } from '#kernel/http/operation.ts';
import { exportReply } from '#kernel/kit/exports/export.ts';
import { exportNote } from '#kernel/kit/exports/start-export.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/{campaignId}/points-expiration/export',
    scope: 'loyalties',
    summary: 'Export when the points of a loyalty campaign expire',
    note: exportNote,
    body: expirationsExportBody,
    answers: 'The export. Its file is written after the reply.',
    reply: exportReply,
    errors: ['not_found', 'invalid_export_fields'],
    example: { params: { campaignId: 'Harbour Crew' }, body: { parameters: { order: 'expires_at' } } },
  },
  (call) => exportProgrammeExpirations(call, call.params.campaignId, call.body),
);
