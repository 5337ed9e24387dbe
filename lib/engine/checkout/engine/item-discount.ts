import type { RedeemableFacts } from '#engine/rules/formulas/facts.ts';
import { compileMoney, compilePercents, type Figure } from '#engine/rules/formulas/formula.ts';
import { computePercent, maxAmount, multiply, scaleAmount } from '#kernel/core/money.ts';
import {
  type Cart,
  type CartLine,
  type CartStep,
  computeRest,
  computeRestOf,
  computeSubtotal,
  countFree,
  originalAmount,
  takeOffLines,
  takeOffOrder,
} from './cart.ts';
import type { AmountDiscount, FixedDiscount, PercentDiscount } from './credit.ts';
import { type DiscountScope, type ScopeEntry, type Selected, selectLines, sortByLines } from './selection.ts';
import { shareWithin } from './units.ts';

/** The base of percents: the amount after earlier redeemables, or before all of them. */
export type CalculationMode = 'DISCOUNTED_AMOUNT' | 'INITIAL_AMOUNT';

/** The settings of a discount, besides the cart. */
export interface DiscountTerms {
  readonly mode: CalculationMode;
  /** Complete bundles in the cart, which multiply most discounts. It is 1 without bundles. */
  readonly bundles: number;
  /** True if discounts on lines leave out lines that have a discount already. */
  readonly isOnce: boolean;
  readonly facts: RedeemableFacts | undefined;
}

type OrderDiscount = AmountDiscount | PercentDiscount | FixedDiscount;

/** Returns the discount before limits. */
function wantedOf(cart: Cart, discount: OrderDiscount, { mode, bundles, facts }: DiscountTerms): number {
  const known = { ...facts, cart };
  switch (discount.type) {
    case 'AMOUNT':
      return multiply(compileMoney(discount.amount_off, discount.amount_off_formula)(known), bundles);
    case 'PERCENT': {
      const percent = compilePercents(discount.percent_off, discount.percent_off_formula)(known);
      const initial = cart.initial_amount ?? cart.amount ?? 0;
      return computePercent(mode === 'INITIAL_AMOUNT' ? initial : computeRest(cart), Math.min(100, percent * bundles));
    }
    case 'FIXED':
      return Math.max(
        0,
        computeRest(cart) - compileMoney(discount.fixed_amount ?? maxAmount, discount.fixed_amount_formula)(known),
      );
  }
}

/**
 * Deducts a discount from the whole order. A FIXED discount sets the most that the order costs after all other
 * discounts.
 */
export function discountOrder(cart: Cart, discount: OrderDiscount, terms: DiscountTerms): CartStep {
  const wanted = wantedOf(cart, discount, terms);
  const limits = 'amount_limit' in discount ? [discount.amount_limit] : [];
  const aggregated = 'aggregated_amount_limit' in discount ? [discount.aggregated_amount_limit] : [];
  return takeOffOrder(cart, Math.min(wanted, ...[...limits, ...aggregated].filter((limit) => limit !== undefined)));
}

/** Discounts lines, each by itself or shared. */

/** The discount of a line before limits. */
type Wanted = (line: CartLine, one: Selected) => number;

/** Returns whether the discount is for some of the line's units that are not free yet. */
function isOfSome(line: CartLine, { counted }: Selected): boolean {
  return counted < line.quantity - countFree(line);
}

/** Returns the part of the line's amount before discounts that the counted units have. */
function shareOf({ quantity }: CartLine, { counted }: Selected): [part: number, whole: number] {
  return counted < quantity ? [counted, quantity] : [1, 1];
}

function amountOff(discount: AmountDiscount, cart: Cart, { bundles, facts }: DiscountTerms): Wanted {
  const value = compileMoney(discount.amount_off, discount.amount_off_formula);
  const isByQuantity = discount.effect === 'APPLY_TO_ITEMS_BY_QUANTITY';
  return (line, { counted }) =>
    Math.min(multiply(value({ ...facts, cart, line }), isByQuantity ? counted : bundles), computeRestOf(line, counted));
}

function percentOff(discount: PercentDiscount, cart: Cart, { bundles, facts, mode }: DiscountTerms): Wanted {
  const value = compilePercents(discount.percent_off, discount.percent_off_formula);
  return (line, one) => {
    const percent = Math.min(100, value({ ...facts, cart, line }) * bundles);
    if (mode !== 'INITIAL_AMOUNT') {
      const open = line.quantity - countFree(line);
      return computePercent(computeSubtotal(line), percent, ...(isOfSome(line, one) ? [one.counted, open] : []));
    }
    const share = isOfSome(line, one) ? shareOf(line, one) : [];
    // Counted units may be free or not, so together they have at most the earlier amount.
    return Math.min(computePercent(line.amount ?? 0, percent, ...share), computePercent(originalAmount(line), percent));
  };
}

/** Returns the price of a unit: the entry's, else the discount's. Without either, nothing is discounted. */
function fixedOff(
  discount: FixedDiscount,
  cart: Cart,
  { facts }: DiscountTerms,
  entries: readonly ScopeEntry[],
): Wanted {
  const plain = discount.fixed_amount ?? maxAmount;
  const otherwise = compileMoney(plain, discount.fixed_amount_formula);
  const prices = new Map<ScopeEntry | undefined, Figure>(
    entries.flatMap((entry) => {
      const { price, price_formula } = entry;
      if (price === undefined && price_formula === undefined) return [];
      return [[entry, compileMoney(price ?? plain, price_formula)]];
    }),
  );
  return (line, one) => {
    const price = (prices.get(one.entry) ?? otherwise)({ ...facts, cart, line });
    const units = Math.min(one.counted, line.quantity);
    return Math.max(0, scaleAmount(line.amount ?? 0, ...shareOf(line, one)) - multiply(price, Math.max(1, units)));
  };
}

/** Limits the sum of successive discounts. */
function budget(limit: number | undefined): (wanted: number) => number {
  let left = limit ?? Number.POSITIVE_INFINITY;
  return (wanted) => {
    const taken = Math.min(wanted, left);
    left -= taken;
    return taken;
  };
}

interface Limits {
  readonly amount_limit?: number | undefined;
  readonly aggregated_amount_limit?: number | undefined;
}

/**
 * Applies the lowest limit. Limits of an entry are used in the order of its lines, and the discount's limit from the first line of the
 * order on.
 */
function withinLimits(cart: Cart, selection: readonly Selected[], wanted: Wanted, limits: Limits): Map<number, number> {
  const ofEntries = new Map<ScopeEntry | undefined, ReturnType<typeof budget>>();
  const amounts = selection.flatMap((one) => {
    const { index, entry } = one;
    const line = cart.lines[index];
    if (!line) return [];
    const ofEntry = ofEntries.get(entry) ?? budget(entry?.aggregated_amount_limit);
    ofEntries.set(entry, ofEntry);
    const ofLine = [entry?.amount_limit, limits.amount_limit].filter((limit) => limit !== undefined);
    return [{ index, amount: ofEntry(Math.min(wanted(line, one), computeSubtotal(line), ...ofLine)) }];
  });
  const ofAll = budget(limits.aggregated_amount_limit);
  const inRequestOrder = amounts.toSorted((one, other) => one.index - other.index);
  return new Map(inRequestOrder.map(({ index, amount }) => [index, ofAll(amount)]));
}

/** Shares the amount over lines by their amounts or units. What exceeds a full line is shared among the others. */
function shared(
  discount: AmountDiscount,
  cart: Cart,
  { bundles, facts }: DiscountTerms,
  selection: readonly Selected[],
): Wanted {
  const value = multiply(compileMoney(discount.amount_off, discount.amount_off_formula)({ ...facts, cart }), bundles);
  const isByQuantity = discount.effect === 'APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY';
  const sharing = sortByLines(selection);
  const sharers = sharing.map(({ index, counted, entry }) => {
    const line = cart.lines[index];
    const rest = line ? computeRestOf(line, counted) : 0;
    const limit = Math.min(rest, entry?.amount_limit ?? rest);
    return { weight: isByQuantity ? counted : (line?.amount ?? 0), limit };
  });
  const parts = shareWithin(Math.min(value, discount.aggregated_amount_limit ?? value, computeRest(cart)), sharers);
  const byLine = new Map(sharing.map((one, place) => [one, parts[place] ?? 0]));
  return (_, one) => byLine.get(one) ?? 0;
}

type ItemDiscount = AmountDiscount | PercentDiscount | FixedDiscount;

function goesByUnits({ type, effect }: ItemDiscount): boolean {
  return type === 'FIXED' || (type === 'AMOUNT' && effect === 'APPLY_TO_ITEMS_BY_QUANTITY');
}

/** Returns the discounted units. Free units and lines with nothing to pay are left out. Bundles multiply the limits of units only if the discount depends on the number of units. */
export function selectUnits(
  cart: Cart,
  discount: ItemDiscount,
  scope: DiscountScope,
  terms: DiscountTerms,
): Selected[] {
  return selectLines(cart, scope, { ...terms, bundles: goesByUnits(discount) ? terms.bundles : 1, isOpenOnly: true });
}

function wantedBy(cart: Cart, discount: ItemDiscount, terms: DiscountTerms, selection: readonly Selected[]): Wanted {
  if (discount.type === 'PERCENT') return percentOff(discount, cart, terms);
  const entries = selection.flatMap(({ entry }) => entry ?? []);
  if (discount.type === 'FIXED') return fixedOff(discount, cart, terms, [...new Set(entries)]);
  const isShared = discount.effect?.startsWith('APPLY_TO_ITEMS_PROPORTIONALLY');
  return isShared ? shared(discount, cart, terms, selection) : amountOff(discount, cart, terms);
}

/** Deducts a discount from lines. */
export function discountItems(
  cart: Cart,
  discount: ItemDiscount,
  selection: readonly Selected[],
  terms: DiscountTerms,
): CartStep {
  const wanted = wantedBy(cart, discount, terms, selection);
  const limits: Limits = discount.type === 'FIXED' ? {} : discount;
  const units = new Map(selection.map(({ index, counted }) => [index, counted]));
  return takeOffLines(cart, withinLimits(cart, selection, wanted, limits), units);
}
