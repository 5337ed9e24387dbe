import { validateVoucherFromBrowser, voucherQuery } from '#engine/checkout/browser/validate-voucher.ts';
import { voucherValidation } from '#engine/checkout/validations/one-voucher.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /client/v1/validate',
    caller: 'client',
    scope: 'client_validate',
    validates: true,
    summary: 'Validate a voucher against the cart of a browser',
    note:
      'Works like `POST /client/v1/validations`, for one voucher. An unknown or unusable code is answered with ' +
      '200 as well, and `valid` is false. Only as many credits or points are applied as the order needs.',
    query: voucherQuery,
    answers: 'The effect of the voucher on the order, or the reason for its refusal, without metadata.',
    reply: voucherValidation,
    table: 'write',
    errors: ['not_found', 'duplicate_found', 'ambiguous_tracking_id'],
    example: {
      query: 'code=TIN-WINDOW&item[0][product_id]=prod_beans&item[0][quantity]=1&session_type=LOCK&session_key=cart-11',
    },
  },
  (call) => validateVoucherFromBrowser(call, call.query),
);
