import { checkoutBody } from '#engine/checkout/request/checkout-body.ts';
import { validate } from '#engine/checkout/validations/validate.ts';
import { validation } from '#engine/checkout/validations/validation.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/validations',
    scope: 'validations',
    validates: true,
    summary: 'Validate redeemables against a cart',
    note:
      'Calculates the effect of up to 30 vouchers and promotion tiers on the order, one after the other. Amounts ' +
      'are in minor currency units. A refused redeemable carries its error, and the reply is 200 with `valid` ' +
      'false.',
    body: checkoutBody,
    answers:
      'The effect of each redeemable on the order, or the reason for its refusal, and the order after all of them.',
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
