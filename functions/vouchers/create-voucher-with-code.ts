import { createVoucherWithCode } from '#engine/vouchers/create-voucher.ts';
import { voucher } from '#engine/vouchers/voucher.ts';
import { createVoucherBody } from '#engine/vouchers/voucher-body.ts';
import { operation } from '#kernel/http/operation.ts';

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
      body: { type: 'GIFT_VOUCHER', gift: { amount: 50000 } },
    },
  },
  (call) => createVoucherWithCode(call, call.params.code, call.body),
);
