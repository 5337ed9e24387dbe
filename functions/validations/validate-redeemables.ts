import { checkoutBody } from '../../lib/checkout/request/checkout-body.ts';
import { validate } from '../../lib/checkout/validations/validate.ts';
import { validation } from '../../lib/checkout/validations/validation.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/validations',
    scope: 'validations',
    validates: true,
    summary: 'Validate redeemables against a cart',
    note:
      'What up to 30 vouchers and promotion tiers would do to the order, one after the other; amounts in minor currency units. ' +
      'What is wrong with one of them is told with it: the reply is 200 with `valid` false.',
    body: checkoutBody,
    answers: 'What each redeemable does to the order, or why it does not, and the order after all of them.',
    reply: validation,
    errors: ['not_found', 'duplicate_found', 'duplicated_redeemables', 'invalid_redeemables'],
    example: {
      body: {
        redeemables: [
          { object: 'promotion_tier', id: 'promo_two_bags' },
          { object: 'voucher', id: 'TIN-LANTERN', gift: { credits: 30 } },
        ],
        customer: { source_id: 'ingrid' },
        order: { items: [{ product_id: 'prod_beans', quantity: 2 }] },
        session: { type: 'LOCK', key: 'cart-8' },
      },
    },
  },
  (call) => validate(call, call.body),
);
