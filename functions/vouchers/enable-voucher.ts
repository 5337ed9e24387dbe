import { switchVoucher } from '#engine/vouchers/switch-voucher.ts';
import { voucher } from '#engine/vouchers/voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/{code}/enable',
    scope: 'vouchers',
    summary: 'Enable a voucher',
    note: 'A body is ignored.',
    body: 'ignored',
    answers: 'The updated voucher.',
    reply: voucher,
    errors: ['not_found'],
    example: { params: { code: 'TIDE-ASLEEP' } },
  },
  (call) => switchVoucher(call, call.params.code, true),
);
