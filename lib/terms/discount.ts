import * as v from 'valibot';
import { named } from '../documented.ts';
import { array, count, longText, object, shortText } from '../schema.ts';

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
    'REPLACE_ITEMS',
  ]),
);

/** Works out the value that stands beside it, which holds where the formula can't be evaluated. */
const formula = v.optional(longText);

/** Of the product or SKU that units are of, as it is shown. */
const unitProduct = v.optional(
  object({ id: v.optional(shortText), source_id: v.optional(shortText), name: v.optional(shortText) }),
);
const unitSku = v.optional(
  object({ id: v.optional(shortText), source_id: v.optional(shortText), sku: v.optional(shortText) }),
);

/** Units of one product or SKU that are free. */
const units = {
  unit_off: v.optional(count),
  unit_off_formula: formula,
  unit_type: v.optional(shortText),
  effect,
  product: unitProduct,
  sku: unitSku,
};

/** Kinds of units that one discount adds. */
const maxUnits = 100;

/** Items have their fixed prices where a validation rule names them. */
const fixed = v.pipe(
  object({ type: v.literal('FIXED'), fixed_amount: v.optional(count), fixed_amount_formula: formula, effect }),
  v.check(
    ({ fixed_amount, effect }) => fixed_amount !== undefined || effect === 'APPLY_TO_ITEMS',
    'must have fixed_amount, unless effect is APPLY_TO_ITEMS',
  ),
);

/** Amounts in minor currency units, percentages 0 to 100. */
export const discount = named(
  'Discount',
  v.variant('type', [
    object({
      type: v.literal('AMOUNT'),
      amount_off: count,
      amount_off_formula: formula,
      aggregated_amount_limit: v.optional(count),
      effect,
    }),
    object({
      type: v.literal('PERCENT'),
      percent_off: v.pipe(v.number(), v.minValue(0, 'must be 0 or more'), v.maxValue(100, 'must be 100 or less')),
      percent_off_formula: formula,
      amount_limit: v.optional(count),
      aggregated_amount_limit: v.optional(count),
      effect,
    }),
    fixed,
    object({
      type: v.literal('UNIT'),
      ...units,
      units: v.optional(array(object(units), maxUnits, 'kinds of units')),
    }),
  ]),
);

export type Discount = v.InferOutput<typeof discount>;

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

/** The same as a voucher shows it. */
export const shownGift = named(
  'VoucherGift',
  object({
    ...gift.entries,
    /** What was taken off the balance otherwise than by redemptions, once something was. */
    subtracted_amount: v.optional(count),
  }),
);
