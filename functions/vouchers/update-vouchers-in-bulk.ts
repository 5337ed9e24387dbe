import { vouchersBulk } from '#engine/vouchers/bulk.ts';
import { operation } from '#kernel/http/operation.ts';
import { startBulk } from '#kernel/kit/bulk/job.ts';
import { startsBulk } from '#kernel/kit/bulk/starts-bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/bulk/async',
    scope: 'vouchers',
    summary: 'Update vouchers in bulk',
    note:
      'Merges metadata, and switches vouchers on and off by `active`. It changes nothing else. A body holds up to 100,000 rows in 4 MB. ' +
      'The result of the action lists unknown codes.',
    body: vouchersBulk.body,
    ...startsBulk,
    example: { body: [{ code: 'TIDE-HELLO', metadata: { shelf: 3 } }] },
  },
  (call) => startBulk(call, vouchersBulk, call.body),
);
