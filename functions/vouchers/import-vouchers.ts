import { keepsFiles } from '../../lib/core/files/access.ts';
import { operation } from '../../lib/http/operation.ts';
import { json } from '../../lib/http/route.ts';
import { startedAction } from '../../lib/kit/bulk/job.ts';
import { importBody } from '../../lib/vouchers/import/rows.ts';
import { importGenericVouchers } from '../../lib/vouchers/import/start-import.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/import',
    scope: 'vouchers',
    summary: 'Import vouchers',
    note:
      'New discount and gift vouchers of no campaign. Up to 100,000 rows in a body of 4 MB; nothing is imported where a code is there twice, or is ' +
      'that of a voucher already. What else could not be done is in the result of the action.',
    body: importBody,
    files: keepsFiles,
    answers: 'The id of the action that does it.',
    reply: json(startedAction, { status: 202 }),
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
