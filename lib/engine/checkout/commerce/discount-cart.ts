import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { object } from '#kernel/core/schema.ts';
import type { Calling } from '../request/build-redeemable.ts';
import { type Noting, noteConsidered } from '../validations/tally.ts';
import { acpDiscounts, showAcpDiscounts } from './acp-discounts.ts';
import { type commerceCart, readCommerceCart } from './cart-body.ts';
import { priceCart } from './price-cart.ts';
import { showUcpDiscounts, ucpDiscounts } from './ucp-discounts.ts';

export const discountsQuery = object({
  protocol: described(
    v.optional(v.picklist(['ucp', 'acp']), 'ucp'),
    'The protocol of the reply. The cart may be in the words of either.',
  ),
});

/** The replies of both protocols. Only UCP's discounts have a title, and only ACP's have rejected codes. */
export const cartDiscounts = v.union([acpDiscounts, ucpDiscounts]);

/** Returns the discounts of a cart, and the codes that are refused. */
export async function discountCart(
  context: Calling & Noting,
  body: v.InferOutput<typeof commerceCart>,
  { protocol }: v.InferOutput<typeof discountsQuery>,
): Promise<v.InferInput<typeof cartDiscounts>> {
  const priced = await priceCart(context, readCommerceCart(body, context.project));
  noteConsidered(context, priced.judged);
  return protocol === 'acp' ? showAcpDiscounts(priced) : showUcpDiscounts(priced);
}
