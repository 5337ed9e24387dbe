import { isDeepStrictEqual } from 'node:util';
import { collection, compileCollections, listCollectionLocations } from '#engine/catalogue/collections/resource.ts';
import { readAreas } from '#engine/catalogue/locations/location.ts';
import { type FoundProducts, findProducts } from '#engine/catalogue/products/resource.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { idsAlike, newPrefixedId } from '#kernel/core/ids.ts';
import { mergeMetadata } from '#kernel/core/merge-metadata.ts';
import { type CompiledSchema, checkBySchema, type FindSchema, noSchemas } from '#kernel/core/metadata/check.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { computeFigures, mergeStatedFigures, type StatedFigures } from './figures.ts';
import {
  type Catalogue,
  findKnown,
  listLineNames,
  type OrderLine,
  omitEmpty,
  prepareLine,
  type SentLine,
} from './line.ts';
import type { OrderBody } from './order-body.ts';
import { readOverrides } from './overrides.ts';
import { maxOrderBytes, type OrderItem, type OrderStatus, order } from './resource.ts';

type Metadata = Readonly<Record<string, unknown>>;

const nothing: Metadata = {};

interface Around {
  /** The place of the lines in the body, such as `order.items`. */
  readonly place: string;
  /** The stored lines of the order. */
  readonly before: readonly OrderLine[] | undefined;
  /** True if the order is stored. Only stored lines must have required keys. */
  readonly isStored: boolean;
}

/** Makes the text of the place only for faults, because most carts have none. */
function checkAt(
  schema: CompiledSchema | undefined,
  metadata: Metadata,
  before: Metadata | undefined,
  at: () => string,
) {
  if (schema && schema.faultsOf(metadata, { place: '', before }).length > 0) {
    checkBySchema(schema, metadata, { place: at(), before });
  }
}

/** Checks the metadata of sent lines, and of the products and SKUs in them, by their schemas. */
export function checkLineMetadata(
  { project: { schemas } }: Pick<Reading, 'project'>,
  lines: readonly OrderLine[],
  { place, before = [], isStored }: Around,
): void {
  const [ofItem, ofProduct] = [schemas('order_item'), schemas('product')];
  if (!ofItem && !ofProduct) return;
  const byId = new Map(before.flatMap((line) => (line.id === undefined ? [] : [[line.id, line] as const])));
  for (const [index, { id, metadata = nothing, product, sku }] of lines.entries()) {
    const at = (more: string) => `${place}[${index}]${more}.metadata`;
    const known = byId.get(id ?? '');
    const was = known ? (known.metadata ?? nothing) : isStored ? undefined : nothing;
    checkAt(ofItem, metadata, was, () => at(''));
    if (product?.metadata) checkAt(ofProduct, product.metadata, nothing, () => at('.product'));
    if (sku?.metadata) checkAt(ofProduct, sku.metadata, nothing, () => at('.sku'));
  }
}

export interface PreparedLines {
  lines: OrderLine[];
  /** The products and SKUs of the lines, after the request. */
  catalogue: Catalogue;
  /** The stored products and SKUs, after the request, by the names in the lines. */
  known: FoundProducts;
  /** The products and SKUs that the lines store with the order. */
  effects: Effect[];
}

/** Removes the prices and names that a browser sent, if the product or SKU of the line is stored with a price. */
function withStoredPrices(line: SentLine, catalogue: Catalogue): SentLine {
  const { sku, product } = findKnown(line, catalogue);
  const price = sku?.price ?? product?.price ?? undefined;
  if (price === undefined) return line;
  const { price: _, amount: __, product: sentProduct, sku: sentSku, ...own } = line;
  return {
    ...own,
    ...(sentProduct ? { product: { ...sentProduct, name: undefined, price: undefined } } : {}),
    ...(sentSku ? { sku: { ...sentSku, sku: undefined, price: undefined } } : {}),
  };
}

/**
 * Completes lines with products, SKUs and prices, in two calls for any number. `isStored` stores them with the order. `isFromBrowser` marks
 * lines of a browser, for which stored prices win.
 */
export async function prepareLines(
  context: Reading,
  sent: readonly SentLine[],
  { isStored, isFromBrowser = false }: { isStored: boolean; isFromBrowser?: boolean },
): Promise<PreparedLines> {
  const names = sent.map(listLineNames);
  const known = await findProducts(context, {
    products: names.flatMap(({ products }) => products),
    skus: names.flatMap(({ skus }) => skus),
  });
  const owners = new Map([...known.skus.values()].map(({ product }) => [product.id, product]));
  const stored: Catalogue = {
    product: (name) => known.products.get(name) ?? owners.get(name),
    sku: (name) => known.skus.get(name)?.sku,
  };
  const { drawn, effects, asOverridden, ...overridden } = readOverrides(context, sent, stored);
  const catalogue = isStored ? overridden.catalogue : { ...overridden.catalogue, drawn };
  const lines = isFromBrowser ? sent.map((line) => withStoredPrices(line, catalogue)) : sent;
  const prepared = lines.map((line) => prepareLine(line, catalogue));
  return { lines: prepared, catalogue, known: asOverridden(known), effects };
}

const given = (ids: readonly (string | undefined)[]) => ids.filter((id) => id !== undefined);

/** Adds the given collections that contain stored lines. */
export async function addCollections(context: Reading, items: readonly OrderLine[], ids: readonly string[]) {
  if (ids.length === 0) return items;
  const { table, project, now } = context;
  const [{ found }, { products, skus }] = await Promise.all([
    read(table, { found: ids.map((id) => collection.few(project.id, id)) }),
    findProducts(context, {
      products: given(items.map(({ product_id }) => product_id)),
      skus: given(items.map(({ sku_id }) => sku_id)),
    }),
  ]);
  const collections = found.filter((one) => one !== undefined);
  const areas = await readAreas(context, listCollectionLocations(collections));
  const collectionIds = compileCollections(collections, { now, areas, schema: project.schemas('product') });
  return items.map((line) => {
    const sku = skus.get(line.sku_id ?? '')?.sku;
    return { ...line, collections: collectionIds(line, { product: products.get(line.product_id ?? ''), sku }) };
  });
}

/** Returns whether the order counts and earns. */
export function isPaidOrder({ status }: { status: OrderStatus }): boolean {
  return status === 'PAID' || status === 'FULFILLED';
}

/** Adds ids to lines that have none. They are alike, for lines are stored packed. */
function withIds(lines: readonly OrderLine[]): OrderLine[] {
  const nextId = idsAlike('order_item');
  return lines.map((line) => ({ ...line, id: line.id ?? nextId() }));
}

/** The bytes of a generated id with its name: `"id":"...",`. */
const idBytes = 36;

/** Rejects an order in a currency other than the project's, because its amounts would count as amounts of that currency. */
export function checkCurrency(place: string, sent: unknown, { currency }: Pick<Project, 'currency'>): void {
  if (typeof sent !== 'string' || currency === undefined || sent.toUpperCase() === currency) return;
  throw new ServiceError('invalid_payload', {
    details: `${place} must be ${currency}, the currency of the project; a shop with another currency has a project for it`,
  });
}

/** Throws a 400 if the completed lines exceed the size of a stored order. */
export function checkLines(items: readonly OrderLine[]): void {
  const ids = idBytes * items.filter(({ id }) => id === undefined).length;
  if (Buffer.byteLength(JSON.stringify(items)) + ids <= maxOrderBytes) return;
  throw new ServiceError('invalid_payload', {
    details: `items must have at most ${maxOrderBytes} bytes as JSON, including the names and prices of their products`,
  });
}

/** The ids of the customer and the referrer. */
interface People {
  customer_id: string | undefined;
  referrer_id: string | undefined;
}

interface Sent {
  body: OrderBody;
  /** The sent lines with their products. */
  lines: readonly OrderLine[] | undefined;
  people: People;
  /** The id of a new order, if it is known before. */
  id?: string | undefined;
  /** The excess amount that a redemption has calculated (`lib/engine/checkout/engine/cart.ts`). */
  excess_amount?: number | undefined;
  /** The schemas by which the metadata is checked. A checkout has none, because it has checked its order before. */
  schemas?: FindSchema;
}

export function newOrderId(now: Date): string {
  return newPrefixedId(order.idPrefix, now);
}

function withExcess({ excess_amount: known, ...sent }: StatedFigures, excess = known ?? 0): StatedFigures {
  return excess > 0 ? { ...sent, excess_amount: excess } : sent;
}

/** Returns the order after the request. 400 `invalid_payload` for too large lines or figures. */
export function buildNextOrder(
  before: OrderItem | undefined,
  { body, lines, people, id, excess_amount, schemas = noSchemas }: Sent,
  now: Date,
): OrderItem {
  const items = lines ? withIds(lines) : body.items === null ? [] : (before?.items ?? []);
  if (lines) checkLines(items);
  const sent = withExcess(mergeStatedFigures(before, body, items), excess_amount);
  const status = body.status ?? before?.status ?? 'CREATED';
  const source_id = body.source_id === undefined ? before?.source_id : (body.source_id ?? undefined);
  // A paid order of a project file has earned before.
  const paid_at =
    before?.paid_at ?? (isPaidOrder({ status }) || (before && isPaidOrder(before)) ? now.toISOString() : undefined);
  return {
    id: before?.id ?? id ?? newOrderId(now),
    created_at: before?.created_at ?? body.created_at ?? now.toISOString(),
    ...(source_id === undefined || source_id === null ? {} : { source_id }),
    status,
    ...computeFigures(items, sent),
    items,
    metadata: mergeMetadata(
      { place: 'metadata', schema: schemas('order'), isNew: !before },
      before?.metadata ?? {},
      body.metadata,
    ),
    ...(people.customer_id === undefined ? {} : { customer_id: people.customer_id }),
    ...(people.referrer_id === undefined ? {} : { referrer_id: people.referrer_id }),
    redemptions: before?.redemptions ?? {},
    sent,
    ...(paid_at === undefined ? {} : { paid_at }),
    ...omitEmpty({ refunded_amount: before?.refunded_amount, earned: before?.earned, returned: before?.returned }),
  };
}

const shown = ({ updated_at: _, revision: __, sent: ___, paid_at: ____, earned: _____, ...fields }: OrderItem) =>
  fields;

export function isOrderChanged(before: OrderItem, after: OrderItem): boolean {
  return !isDeepStrictEqual(shown(before), shown(after));
}

/** Returns whether the order needs no write, even of hidden fields. */
export function isOrderKept({ revision: _, ...before }: OrderItem, after: OrderItem): boolean {
  return isDeepStrictEqual(before, after);
}

/** Returns whether the order earns now: when it is first paid or fulfilled, and never again. */
export function isEarningNow(before: OrderItem | undefined, after: OrderItem): boolean {
  return isPaidOrder(after) && !before?.paid_at && !(before && isPaidOrder(before));
}
