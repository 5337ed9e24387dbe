import type { Discount } from '../../rules/discounts/discount.ts';
import type { DiscountScope } from './scope.ts';

type Effect = NonNullable<Discount['effect']>;
type OfType<T extends Discount['type']> = Extract<Discount, { type: T }>;

export type AmountDiscount = OfType<'AMOUNT'>;
export type PercentDiscount = OfType<'PERCENT'>;
export type FixedDiscount = OfType<'FIXED'>;
export type UnitDiscount = OfType<'UNIT'>;

function isForItems(effect: Effect): boolean {
  return effect.startsWith('APPLY_TO_ITEMS');
}

function isForUnits(effect: Effect): boolean {
  return !effect.startsWith('APPLY_TO_');
}

/** Returns the default effect. AMOUNT and PERCENT apply to items if the scope names some. */
function defaultEffect(discount: Discount, { included, excluded }: DiscountScope): Effect {
  if (discount.type === 'UNIT') return discount.units?.length ? 'ADD_MANY_ITEMS' : 'ADD_MISSING_ITEMS';
  if (discount.type === 'FIXED') return 'APPLY_TO_ORDER';
  return included.length + excluded.length > 0 ? 'APPLY_TO_ITEMS' : 'APPLY_TO_ORDER';
}

/** Returns the effect of a discount. An effect of another type counts as missing, and only an AMOUNT has several ways of sharing. */
export function chooseEffect(discount: Discount, scope: DiscountScope): Effect {
  const { effect, type } = discount;
  if (effect === undefined || isForUnits(effect) !== (type === 'UNIT')) return defaultEffect(discount, scope);
  return type !== 'AMOUNT' && isForItems(effect) ? 'APPLY_TO_ITEMS' : effect;
}

/** Returns whether the discount or its scope's prices have a formula. */
function isDynamic(discount: Discount, { included }: DiscountScope): boolean {
  const isFormula = ([name, value]: [string, unknown]) => name.endsWith('_formula') && value !== undefined;
  const ofUnits = discount.type === 'UNIT' ? (discount.units ?? []) : [];
  const ofPrices = discount.type === 'FIXED' ? included : [];
  return [discount, ...ofUnits, ...ofPrices].some((part) => Object.entries(part).some(isFormula));
}

export type ShownDiscount = Partial<Discount> & { effect: Effect; is_dynamic: boolean };

/** Shows the discount. Item prices from its scope are not repeated. */
export function showDiscount(discount: Discount, scope: DiscountScope): ShownDiscount {
  const effect = chooseEffect(discount, scope);
  const is_dynamic = isDynamic(discount, scope);
  const isPriced = scope.included.some(
    ({ price, price_formula }) => price !== undefined || price_formula !== undefined,
  );
  if (discount.type === 'FIXED' && effect === 'APPLY_TO_ITEMS' && isPriced)
    return { type: 'FIXED', effect, is_dynamic };
  return { ...discount, effect, is_dynamic };
}
