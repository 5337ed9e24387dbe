import { vouchersMetadata } from '#engine/vouchers/bulk.ts';
import { operation } from '#kernel/http/operation.ts';
import { startBulk } from '#kernel/kit/bulk/job.ts';
import { startsBulk } from '#kernel/kit/bulk/starts-bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/metadata/async',
    scope: 'vouchers',
    summary: 'Update the metadata of many vouchers',
    note:
      'Merges the metadata into each voucher. A body has at most 100,000 codes and 4 MB. The result of the action ' +
      'lists unknown codes.',
    body: vouchersMetadata.body,
    ...startsBulk,
    example: { body: { codes: ['TIDE-HELLO', 'CREW-INGRID'], metadata: { season: 'spring' } } },
  },
  (call) => startBulk(call, vouchersMetadata, call.body),
);
