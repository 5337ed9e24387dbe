import { importBody } from '#engine/vouchers/import/rows.ts';
import { importGenericVouchers } from '#engine/vouchers/import/start-import.ts';
import { operation } from '#kernel/http/operation.ts';
import { startsBulk } from '#kernel/kit/bulk/starts-bulk.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/import',
    scope: 'vouchers',
    summary: 'Import vouchers',
    note:
      'Creates discount and gift vouchers without a campaign. A body holds up to 100,000 rows in 4 MB. If a code ' +
      'is sent twice or already exists, nothing is imported. The result of the action lists what else failed.',
    body: importBody,
    ...startsBulk,
    errors: ['invalid_voucher', 'duplicate_key'],
    example: {
      body: [
        { code: 'PIER-1', type: 'GIFT_VOUCHER', gift: { amount: 5000 }, expiration_date: '2030-01-31' },
        { code: 'PIER-2', discount: { type: 'PERCENT', percent_off: 10 }, redemption: { quantity: 1 } },
      ],
    },
  },
  (call) => importGenericVouchers(call, call.body),
);
