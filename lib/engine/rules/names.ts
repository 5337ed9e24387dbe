import { declareValue, type LineSchemas } from '#kernel/core/metadata/declared.ts';
import { type FieldType, readDottedKey } from '#kernel/kit/filters/fields.ts';
import type { RuleContext, RuleLine, RuleScope } from './context.ts';
import { compileCount, counters } from './counter.ts';
import {
  type HasName,
  isCollected,
  isLineIn,
  isProductIn,
  isSkuIn,
  readUnitPrice,
  sumAmounts,
  sumUnits,
} from './lines.ts';

/** Lists the names of rules, with their facts and errors (docs/validation-rules.md#rule-names). */

/** The error of a failed rule. */
export type RuleGroup = 'customer' | 'order' | 'redemption';

/** Reads a value by `property`. Never throws. */
type Reader<T> = (property: string) => (from: T) => unknown;

/** Reads a property of a line, as the schemas declare it. */
type LineReader = (property: string) => (line: RuleLine, schemas: LineSchemas | undefined) => unknown;

export interface RuleName {
  readonly group: RuleGroup;
  /** `lines` means the products, SKUs and collections of lines. */
  readonly type: FieldType | 'lines';
  /** `property` names a key of metadata, or one product that the rule may be about. */
  readonly property?: 'needed' | 'possible';
  /** Without a customer, or without data that identifies the person, the rule fails as `missing_customer`. */
  readonly customer?: true | 'person';
  /** Every element must match, and at least one must exist. */
  readonly each?: true;
  readonly read?: Reader<RuleScope>;
  /** Reads the property of one line. Inner rules see the lines that match. */
  readonly ofLine?: LineReader;
  /** Returns whether a set has the line, for the type `lines`. */
  readonly isIn?: (line: RuleLine, has: HasName) => boolean;
  /** The lines that must be in a set and meet the inner rules. */
  readonly quantifier?: 'every' | 'any' | 'none' | 'cheapest' | 'dearest';
  /** The rule is only useful inside a rule with a quantifier. */
  readonly within?: true;
}

type Metadata = Readonly<Record<string, unknown>> | undefined;

/** Reads a key of metadata. A dot leads inwards if no such key exists. */
function metadata<T>(of: (from: T) => Metadata): Reader<T> {
  return (property) => {
    const read = readDottedKey<unknown>('', property, '');
    return (from) => read(of(from));
  };
}

function lineMetadata(by: keyof LineSchemas, of: (line: RuleLine) => Metadata): LineReader {
  return (property) => {
    const read = metadata(of)(property);
    return (line, schemas) => declareValue(schemas?.[by], property, read(line));
  };
}

const ofContext =
  (read: (context: RuleContext) => unknown): Reader<RuleScope> =>
  () =>
  ({ context }) =>
    read(context);

const ofLines =
  (read: (line: RuleLine) => unknown): Reader<RuleScope> =>
  () =>
  ({ lines }) =>
    lines.map(read);

/** Reads the lines of the product or SKU that `property` names, or all lines if it names none. */
const about =
  (read: (lines: readonly RuleLine[]) => unknown): Reader<RuleScope> =>
  (property) =>
  ({ lines }) =>
    read(property === '' ? lines : lines.filter((line) => isLineIn(line, (name) => name === property)));

/** Merges the metadata of product and SKU once per line, because a hundred rules may read it. */
const joined = new WeakMap<object, { readonly of: object; readonly both: Metadata }>();

function bothOf(ofProduct: NonNullable<Metadata>, ofSku: NonNullable<Metadata>): Metadata {
  const known = joined.get(ofSku);
  if (known?.of === ofProduct) return known.both;
  const both = { ...ofProduct, ...ofSku };
  joined.set(ofSku, { of: ofProduct, both });
  return both;
}

const productMetadata = lineMetadata('product', ({ product, sku }) =>
  product?.metadata && sku?.metadata ? bothOf(product.metadata, sku.metadata) : (sku?.metadata ?? product?.metadata),
);

/** Sums lines whose product has the key of metadata. An outer rule has chosen them by its value. */
function aggregated(measure: (lines: readonly RuleLine[]) => number): Reader<RuleScope> {
  return (property) => {
    const read = productMetadata(property);
    return ({ lines }) => measure(lines.filter((line) => read(line, undefined) !== undefined));
  };
}

type More = Partial<RuleName>;

const number = (group: RuleGroup, read: Reader<RuleScope>, more: More = {}): RuleName => ({
  group,
  type: 'number',
  read,
  ...more,
});
const text = (group: RuleGroup, read: (context: RuleContext) => unknown, more: More = {}): RuleName => ({
  group,
  type: 'text',
  read: ofContext(read),
  ...more,
});
const key = (group: RuleGroup, of: (scope: RuleScope) => Metadata, more: More = {}): RuleName => ({
  group,
  type: 'any',
  property: 'needed',
  read: metadata(of),
  ...more,
});
const keyOfLines = (ofLine: LineReader, more: More = {}): RuleName => ({
  group: 'order',
  type: 'any',
  property: 'needed',
  ofLine,
  ...more,
});
const kindOfLines = (isNamed: NonNullable<RuleName['isIn']>): RuleName => ({
  group: 'order',
  type: 'lines',
  isIn: (line, has) => isNamed(line, has) || isCollected(line, has),
});
const quantified = (quantifier: NonNullable<RuleName['quantifier']>): RuleName => ({
  group: 'order',
  type: 'lines',
  isIn: isLineIn,
  quantifier,
});

const ofCustomer: More = { customer: true };
const moreBy = { customer: ofCustomer, person: { customer: 'person' }, api_key: {}, user: {} } as const;
const byProperty: More = { property: 'possible' };
const byKey: More = { property: 'needed' };
const within: More = { within: true };

const itemMetadata = lineMetadata('item', (line) => line.metadata);

const segment = text('customer', ({ customer }) => customer?.segments, ofCustomer);

/** Matches segments. The second name is an older spelling. */
export const segmentNames: readonly string[] = ['customer.segment', 'customer_segment'];

const ofAll: Readonly<Record<string, RuleName>> = {
  ...Object.fromEntries(segmentNames.map((name) => [name, segment])),
  'customer.loyalty.tier': text('customer', ({ customer }) => customer?.loyalty_tiers, ofCustomer),
  'customer.metadata': key('customer', ({ context }) => context.customer?.metadata, ofCustomer),

  'order.amount': number(
    'order',
    ofContext(({ order }) => order?.amount),
  ),
  'order.total_amount': number(
    'order',
    ofContext(({ order }) => order?.total_amount),
  ),
  'order.initial_amount': number(
    'order',
    ofContext(({ order }) => order?.initial_amount),
  ),
  'order.metadata': key('order', ({ context }) => context.order?.metadata),
  'order.items.count': number(
    'order',
    ofContext(({ order }) => order?.items.length),
  ),
  'order.items.price_any': number('order', ofLines(readUnitPrice)),
  'order.items.price_each': number('order', ofLines(readUnitPrice), { each: true }),
  'order.items.metadata_any': keyOfLines(itemMetadata),
  'order.items.metadata_each': keyOfLines(itemMetadata, { each: true }),

  'order.items.every': quantified('every'),
  'order.items.any': quantified('any'),
  'order.items.none': quantified('none'),
  'order.items.cheapest': quantified('cheapest'),
  'order.items.most_expensive': quantified('dearest'),
  'order.items.quantity': number('order', () => (scope) => scope.line?.quantity, within),
  'order.items.price': number('order', () => (scope) => scope.line && readUnitPrice(scope.line), within),
  'order.items.metadata': {
    ...{ group: 'order', type: 'any', property: 'needed', within: true },
    read: (property) => {
      const read = itemMetadata(property);
      return ({ line, context }) => line && read(line, context.lineSchemas);
    },
  },
  'order.items.aggregated_quantity': number('order', () => (scope) => sumUnits(scope.lines), within),
  'order.items.aggregated_amount': number('order', () => (scope) => sumAmounts(scope.lines), within),

  'product.id': kindOfLines(isProductIn),
  // The older form of `applicable_to`.
  'product.discount_applicable': kindOfLines(isProductIn),
  'product.price': number(
    'order',
    about((lines) => lines.map(readUnitPrice)),
    byProperty,
  ),
  'product.quantity': number('order', about(sumUnits), byProperty),
  'product.metadata': keyOfLines(productMetadata),
  'product.metadata.discount_applicable': keyOfLines(productMetadata),
  'product.metadata.match_all': keyOfLines(productMetadata, { each: true }),
  'product.metadata.aggregated_quantity': number('order', aggregated(sumUnits), byKey),
  'product.metadata.aggregated_amount': number('order', aggregated(sumAmounts), byKey),
  'sku.id': kindOfLines(isSkuIn),
  'sku.discount_applicable': kindOfLines(isSkuIn),
  'sku.price': number(
    'order',
    about((lines) => lines.map(readUnitPrice)),
    byProperty,
  ),
  'sku.quantity': number('order', about(sumUnits), byProperty),

  'redemption.api_key': text('redemption', ({ redemption }) => redemption?.api_key),
  'redemption.user.login': text('redemption', ({ redemption }) => redemption?.user_login),
  'redemption.metadata': key('redemption', ({ context }) => context.redemption?.metadata),
  'redemption.reward.pay_with_points.points_used': number(
    'redemption',
    ofContext(({ redemption }) => redemption?.points),
  ),
  'publication.redeemable_by_linked_customer': {
    group: 'redemption',
    type: 'boolean',
    // The holder may redeem, whether or not others may.
    read: ofContext(({ customer, redeemable }) =>
      customer?.id !== undefined && customer.id === redeemable?.holder_id ? [true, false] : false,
    ),
  },
  'custom_event.metadata': key('redemption', ({ context }) => context.event?.metadata),
};

const ofCounters = [...counters].map(([name, counter]): [string, RuleName] => {
  return [name, number('redemption', ofContext(compileCount(name, counter)), moreBy[counter.per ?? 'api_key'])];
});

export const ruleNames: ReadonlyMap<string, RuleName> = new Map([...Object.entries(ofAll), ...ofCounters]);
