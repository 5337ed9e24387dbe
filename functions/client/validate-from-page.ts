import { browserValidationBody } from '#engine/checkout/browser/cart-bodies.ts';
import { validateFromBrowser } from '#engine/checkout/browser/checkout.ts';
import { countSentRedeemables } from '#engine/checkout/browser/rate-weight.ts';
import { validation } from '#engine/checkout/validations/validation.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /client/v1/validations',
    caller: 'client',
    scope: 'client_validations',
    weight: countSentRedeemables,
    validates: true,
    summary: 'Validate redeemables against the cart of a browser',
    note: 'Works like `POST /v1/validations`, but accepts no stored orders. The browser sends its cart.',
    body: browserValidationBody,
    answers:
      'The effect of each redeemable on the order, or the reason for its refusal, and the order after all of them.',
    reply: validation,
    errors: ['not_found', 'duplicate_found', 'duplicated_redeemables', 'invalid_redeemables'],
    example: {
      body: {
        redeemables: [{ object: 'voucher', id: 'TIN-WINDOW' }],
        customer: { source_id: 'ingrid' },
        order: { items: [{ product_id: 'prod_beans', quantity: 1 }] },
        session: { type: 'LOCK', key: 'cart-7' },
      },
    },
  },
  (call) => validateFromBrowser(call, call.body),
);
