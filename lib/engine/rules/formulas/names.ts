import { defaultDecimals } from '#kernel/access/projects/currency.ts';
import { readMoment } from '#kernel/core/local-time.ts';
import { isBought, readUnitPrice, sumUnits } from '../lines.ts';
import { type FormulaFacts, type FormulaLine, type Metadata, toValue, type Value } from './facts.ts';
import { startOfDay } from './operators.ts';

/** Names the order, its lines, the redeemable and dates in formulas. Money is in major currency units. */

type Named = (facts: FormulaFacts) => unknown;

function major(amount: number | undefined, { decimals = defaultDecimals }: FormulaFacts): number | undefined {
  return amount === undefined ? undefined : amount / 10 ** decimals;
}

function date(value: string | null | undefined): Date | undefined {
  return readMoment(value ?? undefined);
}

/** Returns the price of one unit, with a fraction if necessary. */
function priceOf(line: FormulaLine): number {
  return readUnitPrice(line) ?? line.amount ?? 0;
}

function subtotalOf({ amount = 0, discount_amount = 0 }: FormulaLine): number {
  return amount - discount_amount;
}

/** The measures of all lines together. */
interface Measured {
  readonly cheapest: FormulaLine | undefined;
  readonly dearest: FormulaLine | undefined;
  /** Lines with units. */
  readonly number: number;
  readonly units: number;
}

/** Compares by unit price, then by the lower subtotal. A `sign` of -1 puts the higher price first. */
function isBefore(one: FormulaLine, other: FormulaLine, sign: 1 | -1): boolean {
  return (sign * (priceOf(one) - priceOf(other)) || subtotalOf(one) - subtotalOf(other)) < 0;
}

function measure(lines: readonly FormulaLine[]): Measured {
  const bought = lines.filter(isBought);
  const priced = bought.filter(({ amount }) => amount !== undefined);
  const first = (sign: 1 | -1) =>
    priced.reduce<FormulaLine | undefined>((best, one) => (!best || isBefore(one, best, sign) ? one : best), undefined);
  return { cheapest: first(1), dearest: first(-1), number: bought.length, units: sumUnits(bought) };
}

/** Caches the measures, because a formula may use them a hundred times for each line. */
const measured = new WeakMap<readonly FormulaLine[], Measured>();

function measuredOf({ lines }: FormulaFacts['cart']): Measured {
  const known = measured.get(lines) ?? measure(lines);
  measured.set(lines, known);
  return known;
}

const values: Readonly<Record<string, Named>> = {
  ORDER_AMOUNT: (facts) => major(facts.cart.amount, facts),
  ORDER_INITIAL_AMOUNT: (facts) => major(facts.cart.initial_amount ?? facts.cart.amount, facts),
  ORDER_ITEMS_QUANTITY: ({ cart }) => measuredOf(cart).number,
  ORDER_UNITS_QUANTITY: ({ cart }) => measuredOf(cart).units,
  VOUCHER_REDEMPTION_QUANTITY: ({ voucher }) => voucher?.redemption_quantity,
  VOUCHER_REDEEMED_QUANTITY: ({ voucher }) => voucher?.redeemed_quantity,
  VOUCHER_PUBLISH_COUNT: ({ voucher }) => voucher?.publish_count,
  VOUCHER_START_DATE: ({ voucher }) => date(voucher?.start_date),
  VOUCHER_EXPIRATION_DATE: ({ voucher }) => date(voucher?.expiration_date),
  PROMOTION_TIER_START_DATE: ({ promotion_tier }) => date(promotion_tier?.start_date),
  PROMOTION_TIER_EXPIRATION_DATE: ({ promotion_tier }) => date(promotion_tier?.expiration_date),
  CUSTOMER_BIRTHDATE: ({ customer }) => date(customer?.birthdate),
  NOW: ({ now }) => now,
  TODAY: ({ now }) => now && startOfDay(now),
};

const metadata: Readonly<Record<string, (facts: FormulaFacts) => Metadata | undefined>> = {
  ORDER_METADATA: ({ order_metadata }) => order_metadata,
  REDEEMABLE_METADATA: ({ redeemable_metadata }) => redeemable_metadata,
  CUSTOMER_METADATA: ({ customer }) => customer?.metadata,
  REDEMPTION_METADATA: ({ redemption_metadata }) => redemption_metadata,
  PUBLICATION_METADATA: ({ publication_metadata }) => publication_metadata,
  CUSTOM_EVENT_METADATA: ({ custom_event_metadata }) => custom_event_metadata,
};

const ofLine: Readonly<Record<string, (line: FormulaLine, facts: FormulaFacts) => unknown>> = {
  PRICE: (line, facts) => (line.amount === undefined ? undefined : major(priceOf(line), facts)),
  AMOUNT: ({ amount }, facts) => major(amount, facts),
  SUBTOTAL: (line, facts) => (line.amount === undefined ? undefined : major(subtotalOf(line), facts)),
  UNITS_QUANTITY: ({ quantity }) => quantity,
};

/** The metadata that a line has under a name. The first object with the key decides. */
const metadataOfLine: Readonly<Record<string, (line: FormulaLine) => readonly (Metadata | undefined)[]>> = {
  METADATA: ({ metadata }) => [metadata],
  PRODUCT_METADATA: ({ product, sku }) => [sku?.metadata, product?.metadata],
};

/** Returns the line in turn, or the cheapest or most expensive line of the order. */
function lineOf({ cart, line }: FormulaFacts, which: string | undefined): FormulaLine | undefined {
  if (which === undefined) return line;
  const { cheapest, dearest } = measuredOf(cart);
  return which === 'CHEAPEST_' ? cheapest : dearest;
}

/** Reads only own properties, because names in formulas and metadata can be any text. */
function ownOf<T>(all: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return all && Object.hasOwn(all, name) ? all[name] : undefined;
}

interface LineName<F> {
  readonly which: string | undefined;
  readonly find: F;
}

/** Prefixes the names of a line for all kinds of lines. */
function lineNames<F>(finds: Readonly<Record<string, F>>): ReadonlyMap<string, LineName<F>> {
  const kinds = [undefined, 'CHEAPEST_', 'MOST_EXPENSIVE_'] as const;
  return new Map(
    kinds.flatMap((which) =>
      Object.entries(finds).map(([name, find]) => [`${which ?? ''}ORDER_ITEM_${name}`, { which, find }] as const),
    ),
  );
}

const figuresOfLines = lineNames(ofLine);
const metadataOfLines = lineNames(metadataOfLine);

/** Lists the names of values and of metadata. */
export function listFormulaNames(): string[] {
  const all = [values, metadata].flatMap((some) => Object.keys(some));
  return [...all, ...figuresOfLines.keys(), ...metadataOfLines.keys()];
}

/** Returns the value of a name, or `undefined` if it is unknown or has none. */
export function readNamedValue(name: string, facts: FormulaFacts): Value | undefined {
  const ofLines = figuresOfLines.get(name);
  if (!ofLines) return toValue(ownOf(values, name)?.(facts));
  const line = lineOf(facts, ofLines.which);
  return line && toValue(ofLines.find(line, facts));
}

/** Returns the metadata of a name, and the key within. */
export function readNamedMetadata(name: string, key: string, facts: FormulaFacts): Value | undefined {
  const ofLines = metadataOfLines.get(name);
  if (!ofLines) return toValue(ownOf(ownOf(metadata, name)?.(facts), key));
  const line = lineOf(facts, ofLines.which);
  const all = line ? ofLines.find(line) : [];
  return toValue(
    ownOf(
      all.find((one) => one && Object.hasOwn(one, key)),
      key,
    ),
  );
}
