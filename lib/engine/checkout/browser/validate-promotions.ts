import type * as v from 'valibot';
import { object } from '#kernel/core/schema.ts';
import type { Caller } from '#kernel/http/context.ts';
import { type promotionValidation, validatePromotions } from '../validations/promotions.ts';
import type { Validating } from '../validations/validate.ts';
import { cartQuery, checkTrackingId, readCartQuery } from './cart-query.ts';
import { describeAskingBrowser } from './customer-rights.ts';

export const browserPromotionsQuery = object(cartQuery);

/** Lists the promotion tiers that apply to the cart of a page, without the notes of operators. */
export async function validatePromotionsFromBrowser(
  context: Validating & { readonly caller: Caller },
  query: v.InferOutput<typeof browserPromotionsQuery>,
): Promise<v.InferInput<typeof promotionValidation>> {
  await checkTrackingId(context, query);
  return validatePromotions(context, readCartQuery(query), {}, describeAskingBrowser(context.caller));
}
