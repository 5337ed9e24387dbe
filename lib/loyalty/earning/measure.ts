import * as v from 'valibot';
import { allProducts } from '../../catalogue/collections/resource.ts';
import { array, count, identifier, nullable, positiveInteger, text } from '../../core/schema.ts';
import type { RuleLine } from '../../rules/context.ts';

/** For what a proportional rule gives points, and how many. */

type Metadata = Readonly<Record<string, unknown>>;

/** Products, SKUs and collections that one rule measures lines of. */
const maxScope = 1_000;

const scopeEntry = v.object({ object: v.picklist(['product', 'sku', 'products_collection']), id: identifier });

/** Which lines count: those of one product, SKU or collection, or of any of several. */
const scope = { ...v.partial(scopeEntry).entries, applicable_to: v.optional(array(scopeEntry, maxScope)) };

interface Scope extends v.InferOutput<v.ObjectSchema<typeof scope, undefined>> {}

const namesLines = ({ object, id, applicable_to = [] }: Scope) => applicable_to.length > 0 || Boolean(object && id);

function of<const T extends string, const E extends v.ObjectEntries>(calculation: T, entries: E) {
  return v.object({ type: v.literal('PROPORTIONAL'), calculation_type: v.literal(calculation), ...entries });
}

/** What an order has to measure, or its customer. `every`: `points` for each full one. */
export function measures<const E extends v.ObjectEntries>(every: E) {
  const ofProperty = v.object({ ...every, property: text });
  const ofLines = v.pipe(
    v.object({ ...every, ...scope }),
    v.rawCheck(({ dataset, addIssue }) => {
      const found = v.safeParse(v.object(scope), dataset.value);
      if (dataset.typed && found.success && !namesLines(found.output))
        addIssue({ message: 'must have object and id, or applicable_to' });
    }),
  );
  return [
    of('ORDER_AMOUNT', { order: v.object({ amount: v.object(every) }) }),
    of('ORDER_TOTAL_AMOUNT', { order: v.object({ total_amount: v.object(every) }) }),
    of('ORDER_METADATA', { order: v.object({ metadata: ofProperty }) }),
    of('ORDER_ITEMS_QUANTITY', { order_items: v.object({ quantity: ofLines }) }),
    of('ORDER_ITEMS_AMOUNT', { order_items: v.object({ amount: ofLines }) }),
    of('ORDER_ITEMS_SUBTOTAL_AMOUNT', { order_items: v.object({ subtotal_amount: ofLines }) }),
    of('CUSTOMER_METADATA', { customer: v.object({ metadata: ofProperty }) }),
  ] as const;
}

/** The same of a custom event, as callers write it. */
export function eventMeasure<const E extends v.ObjectEntries>(every: E) {
  return of('CUSTOM_EVENT_METADATA', { custom_event: v.object({ metadata: v.object({ ...every, property: text }) }) });
}

/** Works out `points`, which hold where it can't be evaluated. */
export const keptFormula = nullable(v.string());

/** Of a rule that gives `points` for each so many. */
export const every = { every: positiveInteger, points: count, points_formula: keptFormula };

export const measured = v.variant('calculation_type', [...measures(every)]);

/** The same for a number in an event's metadata. */
export const measuredEvent = v.object({ type: v.literal('PROPORTIONAL'), metadata_key: v.string(), ...every });

type Proportional = v.InferOutput<typeof measured> | v.InferOutput<typeof measuredEvent>;

/** A line as rules look at it. `collections`: without them it is in the one of all products alone. */
export interface EarningLine extends RuleLine {
  readonly discount_quantity?: number | undefined;
}

/** An order as rules look at it. */
export interface EarningOrder {
  readonly id: string;
  readonly source_id?: string | null | undefined;
  readonly amount?: number | null | undefined;
  readonly initial_amount?: number | null | undefined;
  readonly total_amount?: number | null | undefined;
  readonly metadata: Metadata;
  readonly items: readonly EarningLine[];
}

/** What earns points: an event with its metadata, an order that is paid, or what became of a customer. */
export interface Earned {
  readonly event: string;
  /** A page sent the event: only rules with `client_events` hear of it. */
  readonly isOfPage?: boolean;
  /** The segment that was entered, or the tier that it is about: rules that name another do not hear of it. */
  readonly subjectId?: string | undefined;
  readonly metadata: Metadata;
  readonly order?: EarningOrder | undefined;
  readonly customerMetadata: Metadata;
  /** A day, YYYY-MM-DD. */
  readonly customerBirthdate?: string | null | undefined;
}

/** The formula of a rule, wherever it stands in it. */
export function formulaIn(loyalty: Proportional | { type: 'FIXED'; points_formula?: string | null | undefined }) {
  if (loyalty.type === 'FIXED' || 'metadata_key' in loyalty) return loyalty.points_formula;
  return measure(loyalty, nothingEarned).points_formula;
}

const nothingEarned: Earned = { event: '', metadata: {}, customerMetadata: {} };

function propertyOf(metadata: Metadata | undefined, name: string): unknown {
  return metadata && Object.hasOwn(metadata, name) ? metadata[name] : undefined;
}

function entriesOf({ object, id, applicable_to = [] }: Scope) {
  return object && id ? [{ object, id }, ...applicable_to] : applicable_to;
}

function withFirst<S extends Scope>(scope: S): S {
  const [first] = entriesOf(scope);
  return first ? { ...scope, ...first } : scope;
}

/** As replies have it: the first entry of a scope stands beside the list, too. */
export function shownScope(loyalty: v.InferOutput<typeof measured>): v.InferOutput<typeof measured> {
  switch (loyalty.calculation_type) {
    case 'ORDER_ITEMS_QUANTITY':
      return { ...loyalty, order_items: { quantity: withFirst(loyalty.order_items.quantity) } };
    case 'ORDER_ITEMS_AMOUNT':
      return { ...loyalty, order_items: { amount: withFirst(loyalty.order_items.amount) } };
    case 'ORDER_ITEMS_SUBTOTAL_AMOUNT':
      return { ...loyalty, order_items: { subtotal_amount: withFirst(loyalty.order_items.subtotal_amount) } };
    default:
      return loyalty;
  }
}

/** The collections by which the rule tells lines apart. */
export function collectionsIn(loyalty: Proportional): string[] {
  const [scope] = 'order_items' in loyalty ? Object.values(loyalty.order_items) : [];
  const entries: ReturnType<typeof entriesOf> = scope ? entriesOf(scope) : [];
  return entries.flatMap(({ object, id }) => (object === 'products_collection' && id !== allProducts.id ? [id] : []));
}

function isOf(line: EarningLine, { object, id }: v.InferOutput<typeof scopeEntry>): boolean {
  if (object === 'sku') return line.sku_id === id;
  if (object === 'product') return line.product_id === id;
  return id === allProducts.id || (line.collections?.includes(id) ?? false);
}

/** Over the lines in scope, each once. */
function sumOver<S extends Scope>(order: EarningOrder | undefined, scope: S, figure: (line: EarningLine) => number) {
  const entries = entriesOf(scope);
  const lines = order?.items.filter((line) => entries.some((entry) => isOf(line, entry))) ?? [];
  return { ...scope, value: lines.reduce((sum, line) => sum + figure(line), 0) };
}

/** How much the rule finds of what it measures, with what it gives for it. Free units do not count. */
export function measure(
  loyalty: Proportional,
  { metadata, order, customerMetadata }: Earned,
): { value: unknown; every: number; points: number; points_formula?: string | null | undefined } {
  if ('metadata_key' in loyalty) return { ...loyalty, value: propertyOf(metadata, loyalty.metadata_key) };
  switch (loyalty.calculation_type) {
    case 'ORDER_AMOUNT':
      return { ...loyalty.order.amount, value: order?.amount };
    case 'ORDER_TOTAL_AMOUNT':
      return { ...loyalty.order.total_amount, value: order?.total_amount };
    case 'ORDER_METADATA':
      return { ...loyalty.order.metadata, value: propertyOf(order?.metadata, loyalty.order.metadata.property) };
    case 'ORDER_ITEMS_QUANTITY':
      return sumOver(order, loyalty.order_items.quantity, ({ quantity, discount_quantity = 0 }) =>
        Math.max(0, quantity - discount_quantity),
      );
    case 'ORDER_ITEMS_AMOUNT':
      return sumOver(order, loyalty.order_items.amount, ({ amount = 0 }) => amount);
    case 'ORDER_ITEMS_SUBTOTAL_AMOUNT':
      return sumOver(order, loyalty.order_items.subtotal_amount, ({ subtotal_amount = 0 }) => subtotal_amount);
    case 'CUSTOMER_METADATA': {
      const { metadata: own } = loyalty.customer;
      return { ...own, value: propertyOf(customerMetadata, own.property) };
    }
  }
}
