import { keepsFiles } from '../../lib/core/files/access.ts';
import { operation } from '../../lib/http/operation.ts';
import { json } from '../../lib/http/route.ts';
import { startBulk, startedAction } from '../../lib/kit/bulk/job.ts';
import { vouchersMetadata } from '../../lib/vouchers/bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/metadata/async',
    scope: 'vouchers',
    summary: 'Update the metadata of many vouchers',
    note:
      'Merges the metadata into each voucher. A body holds up to 100,000 codes in 4 MB. The result of the action ' +
      'lists unknown codes.',
    body: vouchersMetadata.body,
    files: keepsFiles,
    answers: 'The id of the async action that does the work.',
    reply: json(startedAction, { status: 202 }),
    example: { body: { codes: ['TIDE-HELLO', 'CREW-INGRID'], metadata: { season: 'spring' } } },
  },
  (call) => startBulk(call, vouchersMetadata, call.body),
);
