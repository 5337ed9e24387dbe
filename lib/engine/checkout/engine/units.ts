import { isProductIn, isSkuIn, readUnitPrice as unitPriceOf } from '#engine/rules/lines.ts';
import { maxAmount, scaleAmount, share } from '#kernel/core/money.ts';
import { addUp } from '#kernel/core/sum.ts';
import { type Catalogue, omitEmpty, prepareLine } from '../orders/line.ts';
import {
  type AppliedToLine,
  type Cart,
  type CartLine,
  type CartStep,
  computeRest,
  computeSubtotal,
  reduceCart,
  setDiscount,
} from './cart.ts';

/** Shares an amount over lines in whole units. The parts always sum to the amount. */

export interface Sharer {
  readonly weight: number;
  /** The limit of a part. */
  readonly limit: number;
}

/** Shares within limits. What exceeds a full part is shared among the others. */
export function shareWithin(total: number, sharers: readonly Sharer[]): number[] {
  const parts = sharers.map(() => 0);
  let open = sharers.map((sharer, index) => ({ ...sharer, index })).filter(({ weight }) => weight > 0);
  let left = Math.min(
    total,
    addUp(open, ({ limit }) => limit),
  );
  while (open.length > 0) {
    const shares = share(
      left,
      open.map(({ weight }) => weight),
    );
    const full = open.filter(({ limit }, place) => (shares[place] ?? 0) > limit);
    for (const [place, { index, limit }] of open.entries()) parts[index] = Math.min(shares[place] ?? 0, limit);
    if (full.length === 0) return parts;
    left -= addUp(full, ({ limit }) => limit);
    open = open.filter((sharer) => !full.includes(sharer));
  }
  return parts;
}

/** Returns the price of one unit in minor currency units, with a fraction if necessary. */
function computeUnitPrice(line: CartLine): number {
  return unitPriceOf(line) ?? line.amount ?? 0;
}

interface Priced {
  readonly index: number;
  readonly price: number;
  readonly subtotal: number;
}

/** Returns the lines with money, and the price of their units. */
function priced(indices: readonly number[], lines: readonly CartLine[]): Priced[] {
  return indices.flatMap((index) => {
    const line = lines[index];
    if (line?.amount === undefined) return [];
    return [{ index, price: computeUnitPrice(line), subtotal: computeSubtotal(line) }];
  });
}

/** Sorts lines by the price of their units. Of equal prices, the earlier line comes first. Lines without money are left out. */
export function sortFromCheapest(indices: readonly number[], lines: readonly CartLine[]): number[] {
  const sorted = priced(indices, lines).toSorted((one, other) => one.price - other.price);
  return sorted.map(({ index }) => index);
}

/** Sorts likewise, with the highest price first. */
export function sortFromDearest(indices: readonly number[], lines: readonly CartLine[]): number[] {
  const sorted = priced(indices, lines).toSorted((one, other) => other.price - one.price);
  return sorted.map(({ index }) => index);
}

/**
 * Returns the line with the lowest price of a unit, in a list. Of equal prices, the line with the lower subtotal wins,
 * then the earlier line.
 */
export function findCheapest(indices: readonly number[], lines: readonly CartLine[]): number[] {
  return firstBy(indices, lines, 1);
}

/** Returns the line with the highest price of a unit likewise. */
export function findDearest(indices: readonly number[], lines: readonly CartLine[]): number[] {
  return firstBy(indices, lines, -1);
}

function firstBy(indices: readonly number[], lines: readonly CartLine[], sign: 1 | -1): number[] {
  const sorted = priced(indices, lines).toSorted(
    (one, other) => sign * (one.price - other.price) || one.subtotal - other.subtotal,
  );
  return sorted.slice(0, 1).map(({ index }) => index);
}

/** Adds units to an order, and makes units free. */

/** A product or SKU, by its id or the caller's own. */
export interface UnitKind {
  readonly unit_type?: string | undefined;
  readonly product?:
    | { readonly id?: string | undefined; readonly source_id?: string | undefined; readonly name?: string | undefined }
    | undefined;
  readonly sku?:
    | { readonly id?: string | undefined; readonly source_id?: string | undefined; readonly sku?: string | undefined }
    | undefined;
}

/** Returns the price of a unit in whole minor currency units, or `undefined` for a line without money. */
export function computeWholeUnitPrice(line: CartLine): number | undefined {
  if (line.amount === undefined) return undefined;
  return line.price ?? Math.round(computeUnitPrice(line));
}

/** Returns the id or source id of the product or SKU, or `undefined` if none is named. */
export function readUnitName({ unit_type, product, sku }: UnitKind): string | undefined {
  return [unit_type, sku?.id, sku?.source_id, product?.id, product?.source_id].find(Boolean);
}

/** Returns a line of the product or SKU without units. */
export function makeEmptyLine(kind: UnitKind, catalogue: Catalogue): CartLine {
  const { product, sku } = kind;
  const name = readUnitName(kind) ?? '';
  const isSku = sku !== undefined || catalogue.sku(name) !== undefined;
  const line = isSku ? { sku_id: name, sku, product } : { product_id: name, product };
  return prepareLine({ ...line, quantity: 0 }, catalogue);
}

/** Shows units with the names of their product or SKU, if it is known, so that an integration can put them into its cart. */
export function addNames<K extends UnitKind>(kind: K, catalogue: Catalogue): K {
  const { product, sku } = makeEmptyLine(kind, catalogue);
  return {
    ...kind,
    ...(product ? { product: omitEmpty({ id: product.id, source_id: product.source_id, name: product.name }) } : {}),
    ...(sku ? { sku: omitEmpty({ id: sku.id, source_id: sku.source_id, sku: sku.sku }) } : {}),
  };
}

/** Returns the lines of the product or SKU in the order. Units are added to the first. */
export function findLines({ lines }: Cart, kind: CartLine): number[] {
  const { sku_id, product_id } = kind;
  const names = sku_id === undefined ? [product_id, kind.product?.source_id] : [sku_id, kind.sku?.source_id];
  const isOf = sku_id === undefined ? isProductIn : isSkuIn;
  return lines.flatMap((line, index) => (isOf(line, (name) => names.includes(name)) ? [index] : []));
}

/** Appends the line to the order. */
export function addLine(cart: Cart, line: CartLine): Cart {
  return { ...cart, lines: [...cart.lines, line] };
}

/**
 * Restores a line's quantity before free units, if the request sends these units again. A line whose discount exceeds
 * its earlier price stays unchanged, so that no discount is lost.
 */
export function rebaseLine(cart: Cart, index: number): Cart {
  const sent = cart.lines[index];
  if (sent?.base_quantity === undefined) return cart;
  const { base_quantity, ...line } = sent;
  if (line.amount === undefined) return replaceLine(cart, index, { ...line, quantity: base_quantity }, 0);
  const { discount_amount = 0 } = line;
  const amount = scaleAmount(line.amount, base_quantity, line.quantity);
  if (discount_amount > amount) return cart;
  const shrunk = setDiscount({ ...line, quantity: base_quantity, amount }, discount_amount);
  const isInitial = cart.initial_amount === cart.amount;
  const next = reduceCart(replaceLine(cart, index, shrunk, 0), line.amount - amount);
  return isInitial ? { ...next, initial_amount: next.amount } : next;
}

/** Replaces a line of the order, and changes the amount. */
export function replaceLine(cart: Cart, index: number, line: CartLine, change: number): Cart {
  const lines = cart.lines.with(index, line);
  if (line.amount === undefined) return { ...cart, lines };
  const initial_amount = cart.initial_amount ?? cart.amount ?? 0;
  return { ...cart, lines, amount: (cart.amount ?? 0) + change, initial_amount };
}

/** Returns whether the order's figures stay safe integers. */
export function hasRoomFor({ amount = 0, lines }: Cart, more: number): boolean {
  const ofLines = lines.reduce((sum, line) => sum + (line.amount ?? 0), 0);
  return Math.max(amount, ofLines) + more <= maxAmount;
}

/** Adds units to a line, which remembers its earlier number. */
function grown({ base_quantity: _, ...line }: CartLine, added: number, worth: number | undefined): CartLine {
  const { quantity, amount, initial_quantity = quantity } = line;
  const units = { ...line, quantity: quantity + added, initial_quantity };
  if (amount === undefined || worth === undefined) return units;
  const { initial_amount = amount } = line;
  return { ...units, initial_amount, amount: amount + worth };
}

/** A change of a line's units. `added` units are new, and `free` of all units become free as far as they cost something. */
export interface UnitChange {
  readonly added: number;
  readonly free: number;
}

/** Returns `undefined` if figures exceed the safe integers. */
export function addUnits(cart: Cart, index: number, { added, free }: UnitChange): CartStep | undefined {
  const line = cart.lines[index];
  if (!line) return undefined;
  const price = computeWholeUnitPrice(line);
  const worth = price === undefined ? undefined : price * added;
  const discount_quantity = (line.discount_quantity ?? 0) + free;
  if (Math.max(line.quantity + added, discount_quantity) > maxAmount || !hasRoomFor(cart, worth ?? 0)) return undefined;
  const units = { ...grown(line, added, worth), discount_quantity };
  const counts: AppliedToLine = { applied_discount_quantity: free, ...(added > 0 ? { applied_quantity: added } : {}) };
  if (price === undefined) {
    return { cart: replaceLine(cart, index, units, 0), applied: { lines: new Map([[index, counts]]) } };
  }
  const bigger = replaceLine(cart, index, units, worth ?? 0);
  const taken = Math.min(price * free, computeSubtotal(units), computeRest(bigger));
  const applied: AppliedToLine = {
    applied_discount_amount: taken,
    ...counts,
    ...(added > 0 ? { applied_quantity_amount: worth ?? 0 } : {}),
  };
  const discounted = setDiscount(units, (units.discount_amount ?? 0) + taken);
  return { cart: replaceLine(bigger, index, discounted, 0), applied: { lines: new Map([[index, applied]]) } };
}
