import { unitPrice } from '../rules/lines.ts';
import { dateOf, startOfDay } from './date-operators.ts';
import { type Facts, type FormulaLine, type Metadata, toValue, type Value } from './facts.ts';

/** What formulas call the order, its lines, the redeemable and dates. Money is in major currency units. */

type Named = (facts: Facts) => unknown;

const minorUnits = 100;

function major(amount: number | undefined): number | undefined {
  return amount === undefined ? undefined : amount / minorUnits;
}

function date(value: string | null | undefined): Date | undefined {
  return dateOf(value ?? undefined);
}

const values: Readonly<Record<string, Named>> = {
  ORDER_AMOUNT: ({ cart }) => major(cart.amount),
  ORDER_INITIAL_AMOUNT: ({ cart }) => major(cart.initial_amount ?? cart.amount),
  ORDER_ITEMS_QUANTITY: ({ cart }) => cart.lines.length,
  ORDER_UNITS_QUANTITY: ({ cart }) => cart.lines.reduce((sum, { quantity }) => sum + quantity, 0),
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

const metadata: Readonly<Record<string, (facts: Facts) => Metadata | undefined>> = {
  ORDER_METADATA: ({ order_metadata }) => order_metadata,
  REDEEMABLE_METADATA: ({ redeemable_metadata }) => redeemable_metadata,
  CUSTOMER_METADATA: ({ customer }) => customer?.metadata,
  REDEMPTION_METADATA: ({ redemption_metadata }) => redemption_metadata,
  PUBLICATION_METADATA: ({ publication_metadata }) => publication_metadata,
  CUSTOM_EVENT_METADATA: ({ custom_event_metadata }) => custom_event_metadata,
};

/** Of one unit, with a fraction where the amount is no multiple of the quantity. */
function priceOf(line: FormulaLine): number {
  return unitPrice(line) ?? line.amount ?? 0;
}

function subtotalOf({ amount = 0, discount_amount = 0 }: FormulaLine): number {
  return amount - discount_amount;
}

const ofLine: Readonly<Record<string, (line: FormulaLine) => unknown>> = {
  PRICE: (line) => (line.amount === undefined ? undefined : major(priceOf(line))),
  AMOUNT: ({ amount }) => major(amount),
  SUBTOTAL: (line) => (line.amount === undefined ? undefined : major(subtotalOf(line))),
  UNITS_QUANTITY: ({ quantity }) => quantity,
};

const metadataOfLine: Readonly<Record<string, (line: FormulaLine) => Metadata | undefined>> = {
  METADATA: ({ metadata }) => metadata,
  PRODUCT_METADATA: ({ product, sku }) => ({ ...product?.metadata, ...sku?.metadata }),
};

const lineName = /^(CHEAPEST_|MOST_EXPENSIVE_)?ORDER_ITEM_(.+)$/;

/** By unit price, of equal ones that with the lowest subtotal, then the first. `sign` of -1: the highest price first. */
function firstByPrice(lines: readonly FormulaLine[], sign: 1 | -1): FormulaLine | undefined {
  const priced = lines.filter(({ amount }) => amount !== undefined);
  return priced.toSorted(
    (one, other) => sign * (priceOf(one) - priceOf(other)) || subtotalOf(one) - subtotalOf(other),
  )[0];
}

/** The line in turn, or the cheapest or dearest of the order. */
function lineOf({ cart: { lines }, line }: Facts, which: string | undefined): FormulaLine | undefined {
  return which === undefined ? line : firstByPrice(lines, which === 'CHEAPEST_' ? 1 : -1);
}

/** By own properties alone: names of formulas and metadata are anybody's words. */
function ownOf<T>(all: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return all && Object.hasOwn(all, name) ? all[name] : undefined;
}

/** The value of a name; `undefined` of one that is unknown or has none. */
export function namedValue(name: string, facts: Facts): Value | undefined {
  const [, which, figure = ''] = lineName.exec(name) ?? [];
  const find = ownOf(ofLine, figure);
  if (!find) return toValue(ownOf(values, name)?.(facts));
  const line = lineOf(facts, which);
  return line && toValue(find(line));
}

/** The metadata that a name stands for, and of it the key. */
export function namedMetadata(name: string, key: string, facts: Facts): Value | undefined {
  const [, which, part = ''] = lineName.exec(name) ?? [];
  const find = ownOf(metadataOfLine, part);
  const line = find && lineOf(facts, which);
  const all = line ? find(line) : ownOf(metadata, name)?.(facts);
  return toValue(ownOf(all, key));
}
