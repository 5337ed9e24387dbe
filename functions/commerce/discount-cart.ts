import { commerceCart } from '#engine/checkout/commerce/cart-body.ts';
import { cartDiscounts, discountCart, discountsQuery } from '#engine/checkout/commerce/discount-cart.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/commerce/discounts',
    scope: 'validations',
    validates: true,
    summary: 'Find the discounts of an agent’s cart',
    note:
      'Applies the codes of a cart and all promotions that fit it, in the words of the discount extensions of UCP ' +
      'and ACP. Amounts are in minor currency units. Allocations of a discount sum to its amount. A code that is ' +
      'refused does not hinder the others. Fields that Tessera does not know are ignored. Nothing is redeemed.',
    query: discountsQuery,
    body: commerceCart,
    answers: 'The lines and totals of the cart, the applied discounts by line, and the reason of each refused code.',
    reply: cartDiscounts,
    errors: ['not_found'],
    example: {
      query: 'protocol=ucp',
      body: {
        line_items: [{ item: { id: 'beans' }, quantity: 2 }],
        currency: 'EUR',
        buyer: { customer_id: 'crm-101' },
        discounts: { codes: ['TIDE-HELLO', 'UNKNOWN'] },
      },
    },
  },
  (call) => discountCart(call, call.body, call.query),
);
