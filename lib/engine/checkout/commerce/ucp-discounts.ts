import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { count, integer, positiveInteger } from '#kernel/core/schema.ts';
import type { CommerceReason, RefusedCode } from './find-codes.ts';
import type { AppliedToCart, PricedCart } from './price-cart.ts';
import { buildShownCart, chooseMethod, listAllocations, nameDiscount, type ShownCart } from './shown-cart.ts';

/** Shows discounts in the format of UCP. */

const codeReasons: Readonly<Record<CommerceReason, string>> = {
  expired: 'discount_code_expired',
  invalid: 'discount_code_invalid',
  already_applied: 'discount_code_already_applied',
  combination_disallowed: 'discount_code_combination_disallowed',
  user_not_logged_in: 'discount_code_user_not_logged_in',
  user_ineligible: 'discount_code_user_ineligible',
  minimum_not_met: 'discount_code_user_ineligible',
  usage_limit_reached: 'discount_code_expired',
};

const total = v.object({ type: v.string(), display_text: v.string(), amount: integer });

export const allocation = v.object({
  path: described(v.string(), 'The line in `line_items` of the reply, as a JSONPath.'),
  amount: count,
});

export const ucpMessage = v.object({
  type: v.picklist(['warning', 'error', 'info']),
  code: v.string(),
  path: v.optional(v.string()),
  content: v.string(),
  severity: v.optional(v.literal('recoverable')),
});

export const ucpDiscounts = named(
  'UcpDiscounts',
  v.object({
    currency: v.optional(v.string()),
    line_items: v.array(
      v.object({
        id: v.string(),
        item: v.object({ id: v.string(), title: v.string(), price: count }),
        quantity: positiveInteger,
        totals: v.array(total),
      }),
    ),
    discounts: v.object({
      codes: v.array(v.string()),
      applied: v.array(
        v.object({
          code: v.optional(v.string()),
          title: v.string(),
          amount: count,
          automatic: v.boolean(),
          method: v.picklist(['each', 'across']),
          priority: positiveInteger,
          allocations: v.array(allocation),
        }),
      ),
    }),
    totals: v.array(total),
    messages: described(v.array(ucpMessage), 'Says of each refused code why it is refused.'),
  }),
);

type Total = v.InferInput<typeof total>;

function listTotals(subtotal: number, discount: number): Total[] {
  return [
    { type: 'subtotal', display_text: 'Subtotal', amount: subtotal },
    ...(discount > 0 ? [{ type: 'items_discount', display_text: 'Discounts', amount: -discount }] : []),
    { type: 'total', display_text: 'Total', amount: subtotal - discount },
  ];
}

function showApplied(one: AppliedToCart, index: number, shown: ShownCart) {
  const { code, amount } = one;
  return {
    ...(code === undefined ? {} : { code }),
    title: nameDiscount(one),
    amount,
    automatic: code === undefined,
    method: chooseMethod(one),
    priority: index + 1,
    allocations: listAllocations(one, shown),
  };
}

function showRefused({ index, reason, text }: RefusedCode) {
  return {
    type: 'warning' as const,
    code: codeReasons[reason],
    path: `$.discounts.codes[${index}]`,
    content: text,
  };
}

export function showUcpDiscounts(priced: PricedCart): v.InferInput<typeof ucpDiscounts> {
  const { cart, applied, refused } = priced;
  const shown = buildShownCart(priced);
  return {
    ...(cart.currency === undefined ? {} : { currency: cart.currency }),
    line_items: shown.lines.map(({ id, itemId, title, price, quantity, subtotal, discount }) => ({
      id,
      item: { id: itemId, title, price },
      quantity,
      totals: listTotals(subtotal, discount),
    })),
    discounts: {
      codes: [...cart.codes],
      applied: applied.map((one, index) => showApplied(one, index, shown)),
    },
    totals: listTotals(shown.subtotal, shown.discount),
    messages: refused.map(showRefused),
  };
}
