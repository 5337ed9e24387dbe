import { copyMetadata, type FoundProducts, findProducts } from '#engine/catalogue/products/resource.ts';
import { findCustomerById } from '#engine/customers/find-customer.ts';
import type { CustomerFacts } from '#engine/customers/read-facts.ts';
import { type Identified, identifyCustomer } from '#engine/customers/upsert-customer.ts';
import type { RedeemableFacts } from '#engine/rules/formulas/facts.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { mergeMetadata } from '#kernel/core/merge-metadata.ts';
import type { Reading } from '#kernel/http/context.ts';
import { findItem, type Names } from '#kernel/kit/resource/item.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { CartLine, CheckoutOrder } from '../engine/cart.ts';
import {
  computeFigures,
  mergeLines,
  mergeStatedFigures,
  type SentFigures,
  type StatedFigures,
} from '../orders/figures.ts';
import type { Catalogue, OrderLine } from '../orders/line.ts';
import {
  checkCurrency,
  checkLineMetadata,
  checkLines,
  type PreparedLines,
  prepareLines,
} from '../orders/next-order.ts';
import type { OrderBody } from '../orders/order-body.ts';
import { type OrderItem, order } from '../orders/resource.ts';
import type { Asked } from './checkout-body.ts';

/** Prepares the lines of an order for rules and discounts. */

type Metadata = NonNullable<RedeemableFacts['order_metadata']>;

/** Merges metadata. The sent metadata of a product or SKU wins over stored metadata, key by key. */
function withMetadata<P extends { metadata?: Metadata | undefined }>(
  sent: P | undefined,
  stored: { metadata?: unknown } | undefined,
): P | { metadata: Metadata } | undefined {
  const metadata = { ...copyMetadata(stored), ...sent?.metadata };
  return Object.keys(metadata).length === 0 ? sent : { ...sent, metadata };
}

/** Adds a line's collections, and all metadata of its product and SKU. Collections ignore what a browser sends. */
function buildCartLine(
  { order_discount_share: _, ...line }: OrderLine,
  { known, isFromBrowser }: { readonly known: FoundProducts; readonly isFromBrowser: boolean },
  { collectionsOf }: Pick<CustomerFacts, 'collectionsOf'>,
): CartLine {
  const bySku = known.skus.get(line.sku_id ?? '');
  const product = bySku?.product ?? known.products.get(line.product_id ?? '');
  const [ofProduct, ofSku] = [withMetadata(line.product, product), withMetadata(line.sku, bySku?.sku)];
  const { product: sentProduct, sku: sentSku } = line;
  const shown = { ...(sentProduct ? { product: sentProduct } : {}), ...(sentSku ? { sku: sentSku } : {}) };
  return {
    ...line,
    ...(ofProduct ? { product: ofProduct } : {}),
    ...(ofSku ? { sku: ofSku } : {}),
    shown,
    collections: collectionsOf(isFromBrowser ? {} : line, { product, sku: bySku?.sku }),
  };
}

/** Finds products and SKUs by id, whatever names the lines have. */
function indexByIds({ products, skus }: FoundProducts): FoundProducts {
  const ofSkus = [...skus.values()].map(({ product }) => product);
  return {
    products: new Map([...products.values(), ...ofSkus].map((one) => [one.id, one])),
    skus: new Map([...skus.values()].map((one) => [one.sku.id, one])),
  };
}

/** The order of a request (docs/checkout.md#checkout). */
export interface FoundOrder {
  readonly before: OrderItem | undefined;
  readonly body: OrderBody;
  /** The lines with their products and prices. */
  readonly lines: readonly OrderLine[];
  /** The sent or stored figures of its money. */
  readonly sent: StatedFigures;
  /** The changes of products that its lines store. */
  readonly effects: PreparedLines['effects'];
  readonly catalogue: Catalogue;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly checkoutOrder: (facts: Pick<CustomerFacts, 'collectionsOf'>) => CheckoutOrder;
}

function namesOf({ id, source_id }: OrderBody): Names {
  if (id) return { id };
  return source_id ? { source_id } : {};
}

interface Naming {
  /** True if stored orders are hidden from the caller: an id is unknown, and a source id must be free. */
  readonly isNew: boolean;
  /** The only customer that a stored order may belong to, if it belongs to any. */
  readonly onlyOf: string | undefined;
}

function checkWhose({ customer_id }: OrderItem, { onlyOf }: Naming): void {
  if (onlyOf === undefined || !customer_id || customer_id === onlyOf) return;
  throw new ServiceError('invalid_customer', { details: 'order belongs to another customer' });
}

async function findBefore(context: Reading, body: OrderBody, naming: Naming): Promise<OrderItem | undefined> {
  const { isNew } = naming;
  if (body.id && isNew) throw notFound('order', body.id);
  const names = namesOf(body);
  const item = names.id || names.source_id ? await findItem(context, order, names) : undefined;
  if (body.id && !item) throw notFound('order', body.id);
  if (item && isNew) {
    throw new ServiceError('invalid_order', {
      details: 'order.source_id belongs to a stored order: send another source_id, or none',
    });
  }
  const before = item && parseStored(order.stored, item);
  if (before) checkWhose(before, naming);
  return before;
}

const given = (ids: readonly (string | undefined)[]) => ids.filter((id) => id !== undefined);

/** Names the products of stored lines by id. */
async function storedLines(context: Reading, items: readonly OrderLine[]): Promise<Omit<PreparedLines, 'effects'>> {
  const known = await findProducts(context, {
    products: given(items.map(({ product_id }) => product_id)),
    skus: given(items.map(({ sku_id }) => sku_id)),
  });
  const catalogue: Catalogue = {
    product: (name) => known.products.get(name),
    sku: (name) => known.skus.get(name)?.sku,
  };
  return { lines: [...items], catalogue, known };
}

/** Returns the order's money and lines. A stored order that is named by its source id alone stays unchanged. */
function saidIn(body: OrderBody, before: OrderItem | undefined): Pick<OrderBody, 'items' | keyof SentFigures> {
  return before && !body.id ? {} : body;
}

/** Reports faults of lines at their place in the body of a checkout. */
function toldOfOrder<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ServiceError && error.key === 'invalid_payload')) throw error;
    throw new ServiceError(error.key, { details: error.details.replace(/(^|; )items/g, '$1order.items') });
  }
}

function checkoutOrderOf(
  lines: readonly OrderLine[],
  sent: StatedFigures,
  of: { known: FoundProducts; isFromBrowser: boolean },
) {
  return (facts: Pick<CustomerFacts, 'collectionsOf'>): CheckoutOrder => ({
    ...toldOfOrder(() => computeFigures(lines, sent)),
    excess_amount: sent.excess_amount,
    discount_amount: sent.discount_amount ?? 0,
    items: lines.map((line) => buildCartLine(line, of, facts)),
  });
}

/**
 * Finds the order. 404 for an unknown id. An unknown source id begins a new order. 400 if the caller may not use the
 * order. `isStored` is true if the order will be stored.
 */
export async function findOrder(
  context: Reading,
  {
    order: body,
    onlyNewOrder: isNew = false,
    onlyOrderOf: onlyOf,
    browser,
  }: Pick<Asked, 'order' | 'onlyNewOrder' | 'onlyOrderOf' | 'browser'>,
  { isStored }: { isStored: boolean },
): Promise<FoundOrder | undefined> {
  if (!body) return undefined;
  checkCurrency('order.currency', body.currency, context.project);
  const sentItems = body.items ?? [];
  // The order is read before its relevance is known, because most orders are new.
  const [before, sentLines] = await Promise.all([
    findBefore(context, body, { isNew, onlyOf }),
    prepareLines(context, sentItems, { isStored, isFromBrowser: browser !== undefined }),
  ]);
  const said = saidIn(body, before);
  const isSent = !before || said.items !== undefined;
  const prepared = isSent ? sentLines : await storedLines(context, before.items);
  const { catalogue } = prepared;
  const lines = isSent ? mergeLines(prepared.lines, before?.items) : prepared.lines;
  // A validation refuses an order that a redemption could not store.
  if (isSent) toldOfOrder(() => checkLines(lines));
  if (isSent)
    checkLineMetadata(context, lines, { place: 'order.items', before: before?.items, isStored: isStored && !browser });
  const sent = mergeStatedFigures(before, said, lines);
  return {
    before,
    body,
    lines,
    effects: isSent ? sentLines.effects : [],
    catalogue,
    metadata: mergeMetadata(
      { place: 'order.metadata', schema: context.project.schemas('order'), isNew: isStored && !before && !browser },
      before?.metadata ?? {},
      body.metadata,
    ),
    sent,
    checkoutOrder: checkoutOrderOf(lines, sent, {
      known: indexByIds(prepared.known),
      isFromBrowser: browser !== undefined,
    }),
  };
}

/** Returns the customer that the body names, else the stored order's. Neither is read yet. */
export async function findPayer(context: Reading, { customer }: Asked, order: Promise<FoundOrder | undefined>) {
  if (customer) return identifyCustomer(context, customer.data, customer.place);
  return readPayer(context, (await order)?.before?.customer_id);
}

/** Returns the customer with an id, without changes. */
export async function readPayer(context: Reading, id: string | null | undefined): Promise<Identified | undefined> {
  const item = !id ? undefined : await findCustomerById(context, id);
  return item && { id: item.id, upsert: async () => ({ before: item, after: item }) };
}
