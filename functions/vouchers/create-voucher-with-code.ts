import { operation } from '../../lib/http/operation.ts';
import { createVoucherWithCode } from '../../lib/vouchers/create-voucher.ts';
import { voucher } from '../../lib/vouchers/voucher.ts';
import { createVoucherBody } from '../../lib/vouchers/voucher-body.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/{code}',
    scope: 'vouchers',
    summary: 'Create a voucher with a code',
    note: 'A `code` in the body must equal the code in the path.',
    body: createVoucherBody,
    answers: 'The voucher.',
    reply: voucher,
    errors: ['not_found', 'duplicate_found', 'invalid_voucher', 'invalid_campaign'],
    example: {
      params: { code: 'TIN-HARBOUR' },
      body: { type: 'GIFT_VOUCHER', campaign: 'Gift tins', gift: { amount: 50000 } },
    },
  },
  (call) => createVoucherWithCode(call, call.params.code, call.body),
);
