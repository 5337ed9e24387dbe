import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { count, integer, positiveInteger } from '#kernel/core/schema.ts';
import { type CommerceReason, commerceReasons } from './find-codes.ts';
import type { AppliedToCart, PricedCart } from './price-cart.ts';
import { buildShownCart, chooseMethod, listAllocations, nameDiscount, type ShownCart } from './shown-cart.ts';
import { allocation } from './ucp-discounts.ts';

/** Shows discounts in the terms of ACP, whose discounts are positive in totals as well. */

const reasonOf = (reason: CommerceReason) => `discount_code_${reason}` as const;
const code = v.picklist(commerceReasons.map(reasonOf));

const total = v.object({
  type: v.picklist(['items_base_amount', 'items_discount', 'subtotal', 'total']),
  display_text: v.string(),
  amount: integer,
});

const coupon = v.object({
  id: v.string(),
  name: v.string(),
  percent_off: v.optional(v.number()),
  amount_off: v.optional(count),
  currency: v.optional(v.string()),
});

export const acpDiscounts = named(
  'AcpDiscounts',
  v.object({
    currency: v.optional(v.string()),
    line_items: v.array(
      v.object({
        id: v.string(),
        item: v.object({ id: v.string(), name: v.string(), unit_amount: count }),
        quantity: positiveInteger,
        totals: v.array(total),
      }),
    ),
    discounts: v.object({
      codes: v.array(v.string()),
      applied: v.array(
        v.object({
          id: v.string(),
          code: v.optional(v.string()),
          coupon,
          amount: count,
          automatic: v.boolean(),
          method: v.picklist(['each', 'across']),
          priority: positiveInteger,
          allocations: v.array(allocation),
        }),
      ),
      rejected: v.array(v.object({ code: v.string(), reason: code, message: v.string() })),
    }),
    totals: v.array(total),
    messages: described(
      v.array(
        v.object({
          type: v.literal('warning'),
          code,
          param: v.string(),
          content_type: v.literal('plain'),
          content: v.string(),
        }),
      ),
      'Repeats each refused code for the buyer.',
    ),
  }),
);

type Total = v.InferInput<typeof total>;

function listTotals(base: number, discount: number): Total[] {
  return [
    { type: 'items_base_amount', display_text: 'Items', amount: base },
    ...(discount > 0 ? [{ type: 'items_discount', display_text: 'Discounts', amount: discount } as const] : []),
    { type: 'subtotal', display_text: 'Subtotal', amount: base - discount },
    { type: 'total', display_text: 'Total', amount: base - discount },
  ];
}

/** Shows the terms of a plain percentage or amount. Other discounts have no terms that ACP knows. */
function showTerms({ outcome }: AppliedToCart, currency: string | undefined) {
  const { discount } = outcome.result;
  if (discount?.is_dynamic) return {};
  if (discount?.type === 'PERCENT') return { percent_off: discount.percent_off };
  const isKnown = currency !== undefined && /^[a-z]{3}$/i.test(currency);
  if (discount?.type !== 'AMOUNT' || !isKnown) return {};
  return { amount_off: discount.amount_off, currency: currency.toLowerCase() };
}

function showApplied(one: AppliedToCart, index: number, shown: ShownCart, currency: string | undefined) {
  const { code, amount, redeemable } = one;
  const { voucher, tier, asked } = redeemable.target;
  const id = voucher?.id ?? tier?.id ?? asked.id;
  return {
    id,
    ...(code === undefined ? {} : { code }),
    coupon: { id: redeemable.campaign?.id ?? id, name: nameDiscount(one), ...showTerms(one, currency) },
    amount,
    automatic: code === undefined,
    method: chooseMethod(one),
    priority: index + 1,
    allocations: listAllocations(one, shown),
  };
}

export function showAcpDiscounts(priced: PricedCart): v.InferInput<typeof acpDiscounts> {
  const { cart, applied, refused } = priced;
  const { currency } = cart;
  const shown = buildShownCart(priced);
  return {
    ...(currency === undefined ? {} : { currency }),
    line_items: shown.lines.map(({ id, itemId, title, price, quantity, subtotal, discount }) => ({
      id,
      item: { id: itemId, name: title, unit_amount: price },
      quantity,
      totals: listTotals(subtotal, discount),
    })),
    discounts: {
      codes: [...cart.codes],
      applied: applied.map((one, index) => showApplied(one, index, shown, currency)),
      rejected: refused.map((one) => ({ code: one.code, reason: reasonOf(one.reason), message: one.text })),
    },
    totals: listTotals(shown.subtotal, shown.discount),
    messages: refused.map(({ index, reason, text }) => ({
      type: 'warning' as const,
      code: reasonOf(reason),
      param: `$.discounts.codes[${index}]`,
      content_type: 'plain' as const,
      content: text,
    })),
  };
}
