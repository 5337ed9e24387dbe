import { keepsFiles } from '../../lib/core/files/access.ts';
import { operation } from '../../lib/http/operation.ts';
import { json } from '../../lib/http/route.ts';
import { startBulk, startedAction } from '../../lib/kit/bulk/job.ts';
import { vouchersBulk } from '../../lib/vouchers/bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/bulk/async',
    scope: 'vouchers',
    summary: 'Update vouchers in bulk',
    note: 'Merges metadata, and changes nothing else. Up to 100,000 rows in a body of 4 MB; codes that no voucher has are in the result of the action.',
    body: vouchersBulk.body,
    files: keepsFiles,
    answers: 'The id of the action that does it.',
    reply: json(startedAction, { status: 202 }),
    example: { body: [{ code: 'TIDE-HELLO', metadata: { shelf: 3 } }] },
  },
  (call) => startBulk(call, vouchersBulk, call.body),
);
