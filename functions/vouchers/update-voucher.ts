import { operation } from '../../lib/http/operation.ts';
import { updateVoucher } from '../../lib/loyalty/balances/update-voucher.ts';
import { voucher } from '../../lib/vouchers/voucher.ts';
import { updateVoucherBody } from '../../lib/vouchers/voucher-body.ts';

export const handler = operation(
  {
    route: 'PUT /v1/vouchers/{code}',
    scope: 'vouchers',
    summary: 'Update a voucher',
    note:
      'What is sent changes, `null` clears, metadata is merged by key. A discount keeps its type. Another `gift.amount`, or other ' +
      '`loyalty_card.points`, change the balance by the difference, with an entry in the ledger.',
    body: updateVoucherBody,
    answers: 'The voucher as it is now.',
    reply: voucher,
    errors: ['not_found', 'invalid_voucher', 'invalid_amount'],
    example: {
      params: { code: 'TIDE-HELLO' },
      body: { expiration_date: '2030-06-30T23:59:59Z', additional_info: 'prolonged', metadata: { prolonged: true } },
    },
  },
  (call) => updateVoucher(call, call.params.code, call.body),
);
