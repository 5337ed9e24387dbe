import type { CartLine } from '../cart.ts';
import { subtotalOf } from '../cart.ts';
import { fromCheapest, fromDearest, unitPrice } from '../line-price.ts';
import { sumOf } from '../money.ts';
import { dateOf, startOfDay } from './date-operators.ts';
import { type Facts, type Metadata, toValue, type Value } from './facts.ts';

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
  ORDER_ITEMS_QUANTITY: ({ cart }) => cart.lines.length,
  ORDER_UNITS_QUANTITY: ({ cart }) => sumOf(cart.lines, ({ quantity }) => quantity),
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
};

const ofLine: Readonly<Record<string, (line: CartLine) => unknown>> = {
  PRICE: (line) => (line.amount === undefined ? undefined : major(unitPrice(line))),
  AMOUNT: ({ amount }) => major(amount),
  SUBTOTAL: (line) => (line.amount === undefined ? undefined : major(subtotalOf(line))),
  UNITS_QUANTITY: ({ quantity }) => quantity,
};

const metadataOfLine: Readonly<Record<string, (line: CartLine) => Metadata | undefined>> = {
  METADATA: ({ metadata }) => metadata,
  PRODUCT_METADATA: ({ product, sku }) => ({ ...product?.metadata, ...sku?.metadata }),
};

const lineName = /^(CHEAPEST_|MOST_EXPENSIVE_)?ORDER_ITEM_(.+)$/;

/** The line in turn, or the cheapest or dearest of the order. */
function lineOf({ cart: { lines }, line }: Facts, which: string | undefined): CartLine | undefined {
  if (which === undefined) return line;
  const [first = -1] = (which === 'CHEAPEST_' ? fromCheapest : fromDearest)([...lines.keys()], lines);
  return lines[first];
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
