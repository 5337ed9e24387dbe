import type * as v from 'valibot';
import { object } from '../../core/schema.ts';
import type { Caller } from '../../http/context.ts';
import { type promotionValidation, validatePromotions } from '../validations/promotions.ts';
import type { Validating } from '../validations/validate.ts';
import { cartOf, cartQuery, checkTrackingId } from './cart-query.ts';
import { askingPage } from './page-customer.ts';

export const promotionsQuery = object(cartQuery);

/** Lists the promotion tiers that apply to the cart of a page, without the notes of operators. */
export async function validatePromotionsFromPage(
  context: Validating & { readonly caller: Caller },
  query: v.InferOutput<typeof promotionsQuery>,
): Promise<v.InferInput<typeof promotionValidation>> {
  await checkTrackingId(context, query);
  return validatePromotions(context, cartOf(query), {}, askingPage(context.caller));
}
