import { validateVoucherFromPage, voucherQuery } from '../../lib/checkout/browser/validate-voucher.ts';
import { voucherValidation } from '../../lib/checkout/validations/one-voucher.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /client/v1/validate',
    caller: 'client',
    scope: 'client_validate',
    validates: true,
    summary: 'Validate a voucher against the cart of a page',
    note:
      'As `POST /client/v1/validations` does for several. The reply is 200 also for a code that can not be used, or is unknown: `valid` is false. ' +
      'Of gift cards and points as much is taken as is of use.',
    query: voucherQuery,
    answers: 'What the voucher does to the order, or why it does not, without its metadata.',
    reply: voucherValidation,
    table: 'write',
    errors: ['not_found', 'duplicate_found', 'ambiguous_tracking_id'],
    example: {
      query: 'code=TIN-WINDOW&item[0][product_id]=prod_beans&item[0][quantity]=1&session_type=LOCK&session_key=cart-11',
    },
  },
  (call) => validateVoucherFromPage(call, call.query),
);
