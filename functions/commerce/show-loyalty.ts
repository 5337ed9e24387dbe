import { commerceCart } from '#engine/checkout/commerce/cart-body.ts';
import { loyaltyOfCart, loyaltyQuery, showLoyaltyOfCart } from '#engine/checkout/commerce/loyalty-of-cart.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/commerce/loyalty',
    scope: 'loyalties',
    summary: 'Show the memberships of an agent’s buyer',
    note:
      "Shows programmes, tiers and benefits of the buyer in the words of UCP's loyalty extension, and the points " +
      'that the cart would earn after its discounts, pending ones included. A buyer without `buyer.customer_id` is ' +
      'not verified: their claims are shown as provisional, without a tier. Nothing is stored.',
    query: loyaltyQuery,
    body: commerceCart,
    answers: 'The memberships by their names, and the claims that are refused.',
    reply: loyaltyOfCart,
    errors: ['not_found', 'invalid_amount'],
    example: {
      query: 'domain=com.example.shop',
      body: {
        line_items: [{ item: { id: 'beans' }, quantity: 2 }],
        currency: 'EUR',
        buyer: { customer_id: 'crm-101' },
        context: { eligibility: ['com.example.shop.harbour_crew'] },
      },
    },
  },
  (call) => showLoyaltyOfCart(call, call.body, call.query),
);
