import * as v from 'valibot';
import { count, object } from '../schema.ts';

const orderOrItems = ['APPLY_TO_ORDER', 'APPLY_TO_ITEMS'] as const;

/** Amounts in minor currency units, percentages 0 to 100. */
export const discount = v.variant('type', [
  object({
    type: v.literal('AMOUNT'),
    amount_off: count,
    effect: v.optional(
      v.picklist([
        ...orderOrItems,
        'APPLY_TO_ITEMS_PROPORTIONALLY',
        'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
        'APPLY_TO_ITEMS_BY_QUANTITY',
      ]),
    ),
  }),
  object({
    type: v.literal('PERCENT'),
    percent_off: v.pipe(v.number(), v.minValue(0, 'must be 0 or more'), v.maxValue(100, 'must be 100 or less')),
    amount_limit: v.optional(count),
    effect: v.optional(v.picklist(orderOrItems)),
  }),
  object({ type: v.literal('FIXED'), fixed_amount: count, effect: v.optional(v.picklist(orderOrItems)) }),
  object({
    type: v.literal('UNIT'),
    unit_off: v.optional(count),
    unit_type: v.optional(v.string()),
    effect: v.optional(v.picklist(['ADD_MISSING_ITEMS', 'ADD_NEW_ITEMS', 'ADD_MANY_ITEMS', 'ADD_SAME_ITEMS'])),
  }),
]);

/** What a gift voucher is worth, in minor currency units. */
export const gift = object({
  amount: count,
  balance: v.optional(count),
  effect: v.optional(v.picklist(orderOrItems)),
});
