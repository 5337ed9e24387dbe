import { oneVoucherBody, validateVoucher, voucherValidation } from '#engine/checkout/validations/one-voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/vouchers/{code}/validate',
    scope: 'vouchers',
    validates: true,
    summary: 'Validate a voucher against a cart',
    note:
      'Works like `POST /v1/validations`, for one voucher. An unknown or unusable code is also answered with 200, ' +
      'and `valid` is false.',
    body: oneVoucherBody,
    answers: 'The effect of the voucher on the order, or the reason for its refusal.',
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
