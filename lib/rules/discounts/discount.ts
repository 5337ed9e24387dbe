import * as v from 'valibot';
import { named } from '../../core/documented.ts';
import { array, count, longText, object, positiveInteger, shortText } from '../../core/schema.ts';
import { costFault } from '../formulas/formula-parts.ts';

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
const keptFormula = v.optional(longText);

/** The same as a body may bring it: one that would take a checkout too long is not begun with. */
export const sentFormula = v.pipe(
  longText,
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? costFault(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);
const formula = v.optional(sentFormula);

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
  unit_off_formula: keptFormula,
  unit_type: v.optional(shortText),
  effect,
  product: unitProduct,
  sku: unitSku,
};

/** Kinds of units that one discount adds. */
const maxUnits = 100;

/** Items have their fixed prices where a validation rule names them. */
type Formula = v.GenericSchema<string | undefined, string | undefined>;

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

/** Amounts in minor currency units, percentages 0 to 100. As it is kept, which may say of units neither how many nor of what. */
export const discount = named('Discount', v.variant('type', [...ofMoney(keptFormula), ofUnits]));

export type Discount = v.InferOutput<typeof discount>;

const sentUnits = { ...units, unit_off: v.optional(positiveInteger), unit_off_formula: formula };

type SentUnits = v.InferOutput<ReturnType<typeof object<typeof sentUnits>>>;

function areCounted({ unit_off, unit_off_formula }: Pick<SentUnits, 'unit_off' | 'unit_off_formula'>): boolean {
  return unit_off !== undefined || Boolean(unit_off_formula);
}

/** What the cart has need not be named. */
function areNamed({ unit_type, effect }: Pick<SentUnits, 'unit_type' | 'effect'>): boolean {
  return Boolean(unit_type) || effect === 'ADD_SAME_ITEMS';
}

const notCounted = 'is required where there is no unit_off_formula';
const notNamed = 'is required';

const sentKind = v.pipe(
  object(sentUnits),
  v.forward(v.partialCheck([['unit_off'], ['unit_off_formula']], areCounted, notCounted), ['unit_off']),
  v.forward(v.partialCheck([['unit_type'], ['effect']], areNamed, notNamed), ['unit_type']),
);

/** Whether the units are those of several kinds, each of which says its own; an effect that is not one of units counts as not said. */
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
      'must not be empty where effect is ADD_MANY_ITEMS',
    ),
    ['units'],
  ),
);

/** The same as a body may bring it. */
export const sentDiscount = named('SentDiscount', v.variant('type', [...ofMoney(formula), sentOfUnits]));

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
