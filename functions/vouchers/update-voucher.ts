import { updateVoucher } from '#engine/loyalty/balances/update-voucher.ts';
import { voucher } from '#engine/vouchers/voucher.ts';
import { updateVoucherBody } from '#engine/vouchers/voucher-body.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /v1/vouchers/{code}',
    scope: 'vouchers',
    summary: 'Update a voucher',
    note:
      'Changes only the fields that are sent. `null` clears a field, and metadata is merged by key. A discount ' +
      'keeps its type. A new `gift.amount` or `loyalty_card.points` changes the balance by the difference, with a ' +
      'ledger entry.',
    body: updateVoucherBody,
    answers: 'The updated voucher.',
    reply: voucher,
    errors: ['not_found', 'invalid_voucher', 'invalid_amount'],
    example: {
      params: { code: 'TIDE-HELLO' },
      body: { expiration_date: '2030-06-30T23:59:59Z', additional_info: 'prolonged', metadata: { prolonged: true } },
    },
  },
  (call) => updateVoucher(call, call.params.code, call.body),
);
