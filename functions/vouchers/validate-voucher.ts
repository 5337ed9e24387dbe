import { oneVoucherBody, validateVoucher, voucherValidation } from '../../lib/checkout/validations/one-voucher.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/{code}/validate',
    scope: 'vouchers',
    validates: true,
    summary: 'Validate a voucher against a cart',
    note: 'As `POST /v1/validations` does for several. The reply is 200 also for a code that can not be used, or is unknown: `valid` is false.',
    body: oneVoucherBody,
    answers: 'What the voucher does to the order, or why it does not.',
    reply: voucherValidation,
    errors: ['not_found', 'duplicate_found'],
    example: {
      params: { code: 'TIN-LANTERN' },
      body: {
        gift: { credits: 20 },
        order: { items: [{ source_id: 'espresso', quantity: 2, price: 4500 }] },
        session: { type: 'LOCK', key: 'cart-9' },
      },
    },
  },
  (call) => validateVoucher(call, call.params.code, call.body),
);
