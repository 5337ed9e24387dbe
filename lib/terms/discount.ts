import * as v from 'valibot';
import { named } from '../documented.ts';
import { count, object, shortText } from '../schema.ts';

const orderOrItems = ['APPLY_TO_ORDER', 'APPLY_TO_ITEMS'] as const;

/** To what a discount applies: any of them goes with any type. */
const effect = v.optional(
  v.picklist([
    ...orderOrItems,
    'APPLY_TO_ITEMS_PROPORTIONALLY',
    'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY',
    'APPLY_TO_ITEMS_BY_QUANTITY',
    'ADD_MISSING_ITEMS',
    'ADD_NEW_ITEMS',
    'ADD_MANY_ITEMS',
    'ADD_SAME_ITEMS',
  ]),
);

/** Amounts in minor currency units, percentages 0 to 100. */
export const discount = named(
  'Discount',
  v.variant('type', [
    object({
      type: v.literal('AMOUNT'),
      amount_off: count,
      effect,
    }),
    object({
      type: v.literal('PERCENT'),
      percent_off: v.pipe(v.number(), v.minValue(0, 'must be 0 or more'), v.maxValue(100, 'must be 100 or less')),
      amount_limit: v.optional(count),
      effect,
    }),
    object({ type: v.literal('FIXED'), fixed_amount: count, effect }),
    object({
      type: v.literal('UNIT'),
      unit_off: v.optional(count),
      unit_type: v.optional(shortText),
      effect,
    }),
  ]),
);

type GiftFigures = { amount: number; balance?: number | undefined; credited?: number | undefined };

/** `credited`: what was given to it beyond its amount. */
export function* giftFaults(figures: GiftFigures | null | undefined, prefix = ''): Generator<string> {
  if (figures?.balance !== undefined && figures.balance > figures.amount + (figures.credited ?? 0)) {
    yield `${prefix}gift.balance must not be above its amount`;
  }
}

/** What a gift voucher is worth, in minor currency units. */
export const gift = named(
  'Gift',
  object({
    amount: count,
    balance: v.optional(count),
    effect: v.optional(v.picklist(orderOrItems)),
  }),
);
