import type { OfKind } from '#engine/rules/benefit.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import { defaultDecimals } from '#kernel/access/projects/currency.ts';
import { billion, capAmount, toBillionths } from '#kernel/core/money.ts';
import { addUp } from '#kernel/core/sum.ts';
import { type Cart, type CartStep, computeRest, computeRestOf, takeOffLines, takeOffOrder } from './cart.ts';
import { type DiscountScope, type Selected, sortByLines } from './selection.ts';
import { shareWithin } from './units.ts';

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

/** Pays with gift cards and points. At most the balance is used, and at most what the order needs. */

type Gift = OfKind<'gift'>['gift'];
type Points = OfKind<'points'>['points'];

/** A step, with the credits or points that it costs. */
interface Paid extends CartStep {
  readonly charged: number;
}

/** Pays for the whole order with credits. Credits beyond the rest to pay are not charged. */
export function payByGift(cart: Cart, { balance, credits = balance }: Gift): Paid {
  const step = takeOffOrder(cart, credits);
  return { ...step, charged: step.applied.order ?? 0 };
}

/** Pays for lines with credits, shared by the amounts of the lines. */
export function payItemsByGift(cart: Cart, { balance, credits = balance }: Gift, selection: readonly Selected[]): Paid {
  const sharing = sortByLines(selection);
  const sharers = sharing.map(({ index, counted }) => {
    const line = cart.lines[index];
    return { weight: line?.amount ?? 0, limit: line ? computeRestOf(line, counted) : 0 };
  });
  const parts = shareWithin(Math.min(credits, computeRest(cart)), sharers);
  const step = takeOffLines(cart, new Map(sharing.map(({ index }, place) => [index, parts[place] ?? 0])));
  return {
    ...step,
    charged: addUp(step.applied.lines.values(), ({ applied_discount_amount = 0 }) => applied_discount_amount),
  };
}

/** Returns the minor units of a major currency unit, which ratios use. */
function minorUnits({ decimals = defaultDecimals }: Points): bigint {
  return 10n ** BigInt(decimals);
}

/** Returns the points of one step of the ratio. */
function stepOf({ points_ratio }: Points): number {
  return Math.max(1, points_ratio);
}

/** Returns the worth of points in minor currency units, rounded half up. */
function worthOf(points: number, ratios: Points): number {
  const over = BigInt(points) * BigInt(toBillionths(ratios.exchange_ratio)) * minorUnits(ratios);
  const under = BigInt(stepOf(ratios)) * BigInt(billion);
  return capAmount((2n * over + under) / (2n * under));
}

/** Returns the points that the order can use: whole steps of the ratio, the last of which may exceed the rest to pay. */
function pointsFor(rest: number, ratios: Points): bigint {
  const worthOfStep = BigInt(toBillionths(ratios.exchange_ratio)) * minorUnits(ratios);
  if (worthOfStep === 0n) return 0n;
  const steps = (BigInt(rest) * BigInt(billion) + worthOfStep - 1n) / worthOfStep;
  return steps * BigInt(stepOf(ratios));
}

/**
 * Returns the fewest points that pay something, if the card has fewer. A request for 0 points does not fail if the card
 * has some.
 */
export function countLackedPoints(cart: Cart, points: Points): number | undefined {
  const fewest = points.points === undefined ? stepOf(points) : 1;
  return points.balance < fewest && pointsFor(computeRest(cart), points) > 0n ? fewest : undefined;
}

/** Returns the points to use: the sent number, else whole steps of the balance, and at most what the order can use. */
export function payByPoints(cart: Cart, points: Points): Paid {
  const offered = BigInt(points.points ?? points.balance - (points.balance % stepOf(points)));
  const needed = pointsFor(computeRest(cart), points);
  const charged = Number(offered < needed ? offered : needed);
  return { ...takeOffOrder(cart, worthOf(charged, points)), charged };
}
