import * as v from 'valibot';
import { allProducts } from '#engine/catalogue/collections/resource.ts';
import type { RuleLine } from '#engine/rules/context.ts';
import type { FormulaFacts } from '#engine/rules/formulas/facts.ts';
import { compileUnits } from '#engine/rules/formulas/formula.ts';
import { defined } from '#kernel/core/defined.ts';
import { array, count, identifier, nullable, positiveInteger, text } from '#kernel/core/schema.ts';

/** Calculates a rule's points by a formula. */

interface Worked {
  readonly points: number;
  readonly points_formula?: string | null | undefined;
}

/** Returns the facts for formulas. They have no line in turn, and no redeemable. */
function factsOf(occasion: EarningOccasion, now: Date): FormulaFacts {
  const { order, metadata, customerMetadata, customerBirthdate, decimals } = occasion;
  return {
    now,
    ...defined({ decimals }),
    cart: { amount: order?.amount ?? undefined, initial_amount: order?.initial_amount, lines: order?.items ?? [] },
    order_metadata: order?.metadata,
    customer: { metadata: customerMetadata, birthdate: customerBirthdate },
    custom_event_metadata: metadata,
  };
}

/** Rounds to the nearest whole number, at least 0. Uses the plain number if the formula cannot be evaluated. */
export function computePoints({ points, points_formula }: Worked, earned: EarningOccasion, now: Date): number {
  return points_formula ? compileUnits(points, points_formula)(factsOf(earned, now)) : points;
}

/** Returns whether the formula needs metadata of products. */
export function hasProductMetadata(formula: string | null | undefined): boolean {
  return /ORDER_ITEM_PRODUCT_METADATA/i.test(formula ?? '');
}

/** Measures the quantity for which a proportional rule gives points. */

type Metadata = Readonly<Record<string, unknown>>;

/** Limits the products, SKUs and collections of one rule. */
const maxScope = 1_000;

const scopeEntry = v.object({ object: v.picklist(['product', 'sku', 'products_collection']), id: identifier });

/** The lines that count, by one or several products, SKUs or collections. */
const scope = { ...v.partial(scopeEntry).entries, applicable_to: v.optional(array(scopeEntry, maxScope)) };

interface Scope extends v.InferOutput<v.ObjectSchema<typeof scope, undefined>> {}

const namesLines = ({ object, id, applicable_to = [] }: Scope) => applicable_to.length > 0 || Boolean(object && id);

function of<const T extends string, const E extends v.ObjectEntries>(calculation: T, entries: E) {
  return v.object({ type: v.literal('PROPORTIONAL'), calculation_type: v.literal(calculation), ...entries });
}

/** Describes the measurable quantities of an order and its customer. `every` is the quantity for `points`. */
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

/** Describes the quantity of a custom event, as callers write it. */
export function eventMeasure<const E extends v.ObjectEntries>(every: E) {
  return of('CUSTOM_EVENT_METADATA', { custom_event: v.object({ metadata: v.object({ ...every, property: text }) }) });
}

/** Calculates `points`, which apply if the formula cannot be evaluated. */
export const keptFormula = nullable(v.string());

/** The points for each full quantity. */
export const every = { every: positiveInteger, points: count, points_formula: keptFormula };

export const measured = v.variant('calculation_type', [...measures(every)]);

/** The quantity is a number in an event's metadata. */
export const measuredEvent = v.object({ type: v.literal('PROPORTIONAL'), metadata_key: v.string(), ...every });

type Proportional = v.InferOutput<typeof measured> | v.InferOutput<typeof measuredEvent>;

/** A line as rules see it. Without `collections` it only belongs to the collection of all products. */
export interface EarningLine extends RuleLine {
  readonly discount_quantity?: number | undefined;
}

/** An order as rules see it. */
interface EarningOrder {
  readonly id: string;
  readonly source_id?: string | null | undefined;
  readonly amount?: number | null | undefined;
  readonly initial_amount?: number | null | undefined;
  readonly total_amount?: number | null | undefined;
  readonly metadata: Metadata;
  readonly items: readonly EarningLine[];
}

/** The occasion for points: an event with its metadata, a paid order, or an event of a customer. */
export interface EarningOccasion {
  readonly event: string;
  /** True if a browser sent the event. In this case only rules with `client_events` match. */
  readonly isFromBrowser?: boolean;
  /** The segment that was entered, or the tier. Rules with another one do not match. */
  readonly subjectId?: string | undefined;
  readonly metadata: Metadata;
  readonly order?: EarningOrder | undefined;
  readonly customerMetadata: Metadata;
  /** The day, YYYY-MM-DD. */
  readonly customerBirthdate?: string | null | undefined;
  /** The decimals of the project's currency. */
  readonly decimals?: number;
}

/** Returns the formula of a rule, from any of its places. */
export function readFormula(loyalty: Proportional | { type: 'FIXED'; points_formula?: string | null | undefined }) {
  if (loyalty.type === 'FIXED' || 'metadata_key' in loyalty) return loyalty.points_formula;
  return measure(loyalty, nothingEarned).points_formula;
}

const nothingEarned: EarningOccasion = { event: '', metadata: {}, customerMetadata: {} };

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

/** Shows the rule. Replies also repeat the first entry of a scope outside the list. */
export function showMeasuredScope(loyalty: v.InferOutput<typeof measured>): v.InferOutput<typeof measured> {
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

/** Returns the collections that the rule needs. */
export function listMeasuredCollections(loyalty: Proportional): string[] {
  const [scope] = 'order_items' in loyalty ? Object.values(loyalty.order_items) : [];
  const entries: ReturnType<typeof entriesOf> = scope ? entriesOf(scope) : [];
  return entries.flatMap(({ object, id }) => (object === 'products_collection' && id !== allProducts.id ? [id] : []));
}

function isOf(line: EarningLine, { object, id }: v.InferOutput<typeof scopeEntry>): boolean {
  if (object === 'sku') return line.sku_id === id;
  if (object === 'product') return line.product_id === id;
  return id === allProducts.id || (line.collections?.includes(id) ?? false);
}

/** Sums over the lines in scope, each once. */
function sumOver<S extends Scope>(order: EarningOrder | undefined, scope: S, figure: (line: EarningLine) => number) {
  const entries = entriesOf(scope);
  const lines = order?.items.filter((line) => entries.some((entry) => isOf(line, entry))) ?? [];
  return { ...scope, value: lines.reduce((sum, line) => sum + figure(line), 0) };
}

/** Returns the measured quantity and the points for it. Free units do not count. */
export function measure(
  loyalty: Proportional,
  { metadata, order, customerMetadata }: EarningOccasion,
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
