import { operation } from '../../lib/http/operation.ts';
import { getVoucher } from '../../lib/vouchers/get-voucher.ts';
import { voucher } from '../../lib/vouchers/voucher.ts';

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
