import { getVoucher } from '#engine/vouchers/get-voucher.ts';
import { voucher } from '#engine/vouchers/voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/vouchers/{code}',
    scope: 'vouchers',
    summary: 'Get a voucher',
    note: 'The voucher includes what it inherits from its campaign.',
    answers: 'The voucher.',
    reply: voucher,
    errors: ['not_found'],
    example: { params: { code: 'CREW-INGRID' } },
  },
  (call) => getVoucher(call, call.params.code),
);
