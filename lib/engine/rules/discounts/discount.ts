import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { array, count, longText, object, positiveInteger, shortText } from '#kernel/core/schema.ts';
import { findSentFault } from '../formulas/formula.ts';

const orderOrItems = ['APPLY_TO_ORDER', 'APPLY_TO_ITEMS'] as const;

/** The target of a discount. Each effect works with each type. */
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

/** The formula of the neighbouring value. That value applies if the formula cannot be evaluated. */
const keptFormula = v.optional(longText);

/** A formula in a body. A formula that cannot be read, that names something unknown, or that would slow a checkout is refused. */
export const sentFormula = v.pipe(
  longText,
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed && dataset.value.trim() !== '' ? findSentFault(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);
const formula = v.optional(sentFormula);

/** The product or SKU of free units, as replies show it. */
const unitProduct = v.optional(
  object({ id: v.optional(shortText), source_id: v.optional(shortText), name: v.optional(shortText) }),
);
const unitSku = v.optional(
  object({ id: v.optional(shortText), source_id: v.optional(shortText), sku: v.optional(shortText) }),
);

/** Free units of one product or SKU. */
const units = {
  unit_off: v.optional(count),
  unit_off_formula: keptFormula,
  unit_type: v.optional(shortText),
  effect,
  product: unitProduct,
  sku: unitSku,
};

/** Limits the kinds of units of one discount. */
const maxUnits = 100;

type Formula = v.GenericSchema<string | undefined, string | undefined>;

/** Returns the schema of a fixed price. With APPLY_TO_ITEMS the validation rule that names the items has their prices. */
const fixed = <F extends Formula>(formula: F) =>
  v.pipe(
    object({ type: v.literal('FIXED'), fixed_amount: v.optional(count), fixed_amount_formula: formula, effect }),
    v.check(
      ({ fixed_amount, effect }) => fixed_amount !== undefined || effect === 'APPLY_TO_ITEMS',
      'must have fixed_amount, unless effect is APPLY_TO_ITEMS',
    ),
  );

const ofMoney = <F extends Formula>(formula: F) =>
  [
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
    fixed(formula),
  ] as const;

const ofUnits = object({
  type: v.literal('UNIT'),
  ...units,
  units: v.optional(array(object(units), maxUnits, 'kinds of units')),
});

/** A stored discount. Amounts are minor currency units, and percentages 0 to 100. Stored units may lack their number and product. */
export const discount = named('Discount', v.variant('type', [...ofMoney(keptFormula), ofUnits]));

export type Discount = v.InferOutput<typeof discount>;

const sentUnits = { ...units, unit_off: v.optional(positiveInteger), unit_off_formula: formula };

type SentUnits = v.InferOutput<ReturnType<typeof object<typeof sentUnits>>>;

function areCounted({ unit_off, unit_off_formula }: Pick<SentUnits, 'unit_off' | 'unit_off_formula'>): boolean {
  return unit_off !== undefined || Boolean(unit_off_formula);
}

/** Returns whether the units name their product. ADD_SAME_ITEMS adds products of the cart, which need no name. */
function areNamed({ unit_type, effect }: Pick<SentUnits, 'unit_type' | 'effect'>): boolean {
  return Boolean(unit_type) || effect === 'ADD_SAME_ITEMS';
}

const notCounted = 'is required without unit_off_formula';
const notNamed = 'is required';

const sentKind = v.pipe(
  object(sentUnits),
  v.forward(v.partialCheck([['unit_off'], ['unit_off_formula']], areCounted, notCounted), ['unit_off']),
  v.forward(v.partialCheck([['unit_type'], ['effect']], areNamed, notNamed), ['unit_type']),
);

/** Returns whether the discount has several kinds of units, each with its own effect. Another effect counts as missing. */
function areOfKinds({
  effect = 'APPLY_TO_ORDER',
  units,
}: Pick<SentUnits, 'effect'> & { units?: unknown[] | undefined }) {
  return effect === 'ADD_MANY_ITEMS' || (effect.startsWith('APPLY_TO_') && (units?.length ?? 0) > 0);
}

const sentOfUnits = v.pipe(
  object({
    type: v.literal('UNIT'),
    ...sentUnits,
    units: v.optional(array(sentKind, maxUnits, 'kinds of units')),
  }),
  v.forward(
    v.partialCheck(
      [['unit_off'], ['unit_off_formula'], ['effect'], ['units']],
      (one) => areOfKinds(one) || areCounted(one),
      notCounted,
    ),
    ['unit_off'],
  ),
  v.forward(
    v.partialCheck([['unit_type'], ['effect'], ['units']], (one) => areOfKinds(one) || areNamed(one), notNamed),
    ['unit_type'],
  ),
  v.forward(
    v.partialCheck(
      [['effect'], ['units']],
      (one) => !areOfKinds(one) || (one.units?.length ?? 0) > 0,
      'must not be empty if effect is ADD_MANY_ITEMS',
    ),
    ['units'],
  ),
);

/** A discount in a body. */
export const sentDiscount = named('SentDiscount', v.variant('type', [...ofMoney(formula), sentOfUnits]));

type GiftFigures = { amount: number; balance?: number | undefined; credited?: number | undefined };

/** Yields the faults of a gift card's figures. `credited` is the credit beyond its amount. */
export function* findGiftFaults(figures: GiftFigures | null | undefined, prefix = ''): Generator<string> {
  if (figures?.balance !== undefined && figures.balance > figures.amount + (figures.credited ?? 0)) {
    yield `${prefix}gift.balance must not be above its amount`;
  }
}

/** The value of a gift voucher, in minor currency units. */
export const gift = named(
  'Gift',
  object({
    amount: count,
    balance: v.optional(count),
    effect: v.optional(v.picklist(orderOrItems)),
  }),
);

/** A gift card's value in a voucher. */
export const shownGift = named(
  'VoucherGift',
  object({
    ...gift.entries,
    /** The amount that was subtracted otherwise than by redemptions, if any. */
    subtracted_amount: v.optional(count),
  }),
);
