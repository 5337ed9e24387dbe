import { compileUnits } from '#engine/rules/formulas/formula.ts';
import { multiply } from '#kernel/core/money.ts';
import { addUp } from '#kernel/core/sum.ts';
import type { Catalogue } from '../orders/line.ts';
import { type Cart, type CartLine, type CartStep, mergeApplied, nothingApplied } from './cart.ts';
import type { UnitDiscount } from './credit.ts';
import type { DiscountTerms } from './item-discount.ts';
import { replaceUnits } from './replacement.ts';
import type { Selected } from './selection.ts';
import {
  addLine,
  addNames,
  addUnits,
  findLines,
  makeEmptyLine,
  readUnitName,
  rebaseLine,
  type UnitChange,
} from './units.ts';

/** Gives free units. `undefined` in place of a step means that figures exceed the safe integers. */

type Kind = Omit<UnitDiscount, 'type' | 'units'>;

/** The known products, and the lines in the discount's scope. */
export interface UnitSource {
  readonly catalogue: Catalogue;
  readonly selection: readonly Selected[];
  /** True if lines that have a discount already are left out. */
  readonly isOnce: boolean;
}

/** Shows the discount with the names of its products and SKUs. */
export function nameUnits(discount: UnitDiscount, catalogue: Catalogue): UnitDiscount {
  const units = discount.units?.map((one) => addNames(one, catalogue));
  return { ...addNames(discount, catalogue), ...(units ? { units } : {}) };
}

function isWithin({ lines }: Cart, index: number, { isOnce }: UnitSource): boolean {
  return !isOnce || !lines[index]?.discount_amount;
}

/** Lines of a kind: the lines in reach, and the number of units on other lines, which count as well. */
interface Found {
  readonly cart: Cart;
  readonly indices: number[];
  readonly openElsewhere: number;
}

function openUnits({ quantity, discount_quantity = 0 }: Pick<CartLine, 'quantity' | 'discount_quantity'>): number {
  return Math.max(0, quantity - discount_quantity);
}

/** Finds the lines of that kind and restores their quantity before free units, or adds an empty line. */
function found(cart: Cart, kind: Kind, source: UnitSource): Found {
  const empty = makeEmptyLine(kind, source.catalogue);
  const all = findLines(cart, empty);
  const indices = all.filter((index) => isWithin(cart, index, source));
  const others = cart.lines.filter((_, index) => all.includes(index) && !indices.includes(index));
  const openElsewhere = addUp(others, ({ base_quantity, ...line }) =>
    openUnits({ ...line, quantity: base_quantity ?? line.quantity }),
  );
  if (indices.length === 0) return { cart: addLine(cart, empty), indices: [cart.lines.length], openElsewhere };
  return { cart: indices.reduce(rebaseLine, cart), indices, openElsewhere };
}

/** Applies one change after another. */
function allOf(cart: Cart, changes: readonly (UnitChange & { index: number })[]): CartStep | undefined {
  let step: CartStep | undefined = { cart, applied: nothingApplied };
  for (const { index, ...change } of changes) {
    const next: CartStep | undefined = step && addUnits(step.cart, index, change);
    step = step && next && { cart: next.cart, applied: mergeApplied(step.applied, next.applied) };
  }
  return step;
}

/** Adds units to the first line of their kind, and makes them free. */
function addNew(cart: Cart, kind: Kind, count: number, source: UnitSource): CartStep | undefined {
  const there = found(cart, kind, source);
  const [index = 0] = there.indices;
  return allOf(there.cart, [{ index, added: count, free: count }]);
}

/** Makes units free besides those that are free already. Missing units are added. */
function addMissing(cart: Cart, kind: Kind, count: number, source: UnitSource): CartStep | undefined {
  const there = found(cart, kind, source);
  const lines = there.indices.map((index) => {
    const line = there.cart.lines[index];
    return { index, open: line ? openUnits(line) : 0 };
  });
  const open = there.openElsewhere + addUp(lines, (line) => line.open);
  // Without units to add, a new line would be empty.
  if (open >= count && lines.every((line) => line.open === 0)) return { cart, applied: nothingApplied };
  let missing = Math.max(0, count - open);
  let left = count;
  const changes = lines.map(({ index, open }) => {
    const added = missing;
    missing = 0;
    const free = Math.min(left, open + added);
    left -= free;
    return { index, added, free };
  });
  return allOf(
    there.cart,
    changes.filter(({ free }) => free > 0),
  );
}

/** Adds units to each line in the scope, and makes them free. */
function addSame(cart: Cart, count: number, { selection }: UnitSource): CartStep | undefined {
  return allOf(
    selection.reduce((on, { index }) => rebaseLine(on, index), cart),
    selection.map(({ index }) => ({ index, added: count, free: count })),
  );
}

function addKind(cart: Cart, kind: Kind, terms: DiscountTerms, source: UnitSource): CartStep | undefined {
  const value = compileUnits(kind.unit_off ?? 1, kind.unit_off_formula)({ ...terms.facts, cart });
  const count = multiply(value, terms.bundles);
  const isOfNone = kind.effect !== 'ADD_SAME_ITEMS' && readUnitName(kind) === undefined;
  if (count === 0 || isOfNone) return { cart, applied: nothingApplied };
  switch (kind.effect) {
    case 'ADD_NEW_ITEMS':
      return addNew(cart, kind, count, source);
    case 'ADD_SAME_ITEMS':
      return addSame(cart, count, source);
    case 'REPLACE_ITEMS':
      return replaceUnits(cart, kind, count, source);
    default:
      return addMissing(cart, kind, count, source);
  }
}

/** Gives units. `effect` is the whole discount's. Each of many kinds of units has its own. */
export function discountUnits(
  cart: Cart,
  { units: kinds = [], ...discount }: UnitDiscount,
  effect: UnitDiscount['effect'],
  terms: DiscountTerms,
  source: UnitSource,
): CartStep | undefined {
  const all = effect === 'ADD_MANY_ITEMS' ? kinds : [{ ...discount, effect }];
  let step: CartStep | undefined = { cart, applied: nothingApplied };
  for (const kind of all) {
    const next: CartStep | undefined = step && addKind(step.cart, kind, terms, source);
    step = step && next && { cart: next.cart, applied: mergeApplied(step.applied, next.applied) };
  }
  return step;
}
