import * as v from 'valibot';
import type { EarnedNote } from '#engine/loyalty/earned-points.ts';
import { described, named, shownAs } from '#kernel/core/documented.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { count, dateTime, identifier, metadata, record } from '#kernel/core/schema.ts';
import { moreEntries } from '#kernel/http/page.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { keptOrderLine, orderLine } from './line.ts';
import type { ReturnedSoFar } from './returned-so-far.ts';

/** Amounts of an order in files and filters. */
export const orderFigures = [
  'amount',
  'discount_amount',
  'items_discount_amount',
  'total_discount_amount',
  'total_amount',
] as const;

/** Fields by which orders are filtered, in lists and exports. */
export const orderFilters = {
  id: 'text',
  created_at: 'date',
  updated_at: 'date',
  status: 'text',
  source_id: 'text',
  customer_id: 'text',
  referrer_id: 'text',
  ...Object.fromEntries(orderFigures.map((name) => [name, 'number' as const])),
  'metadata.*': 'any',
} as const;

/** Loads zlib with the first packed order, so that functions that meet none start without it. */
const zlib = () => process.getBuiltinModule('node:zlib');

type Line = Readonly<Record<string, unknown>>;

/** Packing saves nothing below this size. */
const leastBytes = 1_000;
/** Lines repeat the previous line, so a window of 4 KB suffices and more than halves the default's time. */
const options = { level: 3, windowBits: 12, memLevel: 5, chunkSize: 2_048 };

/** Returns the metadata, which stays outside: it may be personal, and an erasure must find it. */
function metadataOf({ metadata }: Line): Line {
  return metadata === undefined ? {} : { metadata };
}

/** Returns the packed lines, or `undefined` if packing saves nothing. */
function packedText(items: readonly Line[]): string | undefined {
  const text = JSON.stringify(items.map(({ metadata: _, ...line }) => line));
  return text.length < leastBytes ? undefined : zlib().deflateRawSync(text, options).toString('base64');
}

function haveMetadata(items: readonly Line[]): boolean {
  return items.some(({ metadata }) => metadata !== undefined);
}

/**
 * Returns the order of a redemption with its lines packed, where that saves something. Each of five redemptions on
 * thirty lines stores its changes of all lines. As lists they have 6 KB each, and similar lines shrink to an eighth.
 */
export function packLines<O extends { readonly items: readonly Line[] }>({ items, ...order }: O) {
  const lines = packedText(items);
  if (lines === undefined) return { ...order, items };
  return { ...order, lines, ...(haveMetadata(items) ? { items: items.map(metadataOf) } : {}) };
}

/** Returns the order as its own item stores it. Earlier code reads `items` as complete lines, and a line needs a quantity. */
export function packItem<O extends { readonly items: readonly Line[] }>(order: O) {
  const { items } = order;
  const lines = packedText(items);
  if (lines === undefined) return order;
  const beside = items.map((line) => ({ quantity: line.quantity, ...metadataOf(line) }));
  return { ...order, lines, items: haveMetadata(items) ? beside : [] };
}

const packed = v.array(v.custom<Line>(isRecord));
const earnedNote = shownAs(v.custom<EarnedNote>(isRecord), { type: 'object' });
const returnedSoFar = shownAs(v.custom<ReturnedSoFar>(isRecord), { type: 'object' });

/** Returns the stored order with its lines as a list, packed or not. */
export function unpackLines(order: unknown): unknown {
  if (!isRecord(order) || typeof order.lines !== 'string') return order;
  const { lines, items = [], ...rest } = order;
  const text = zlib().inflateRawSync(Buffer.from(lines, 'base64')).toString();
  const beside = Array.isArray(items) ? items : [];
  return { ...rest, items: v.parse(packed, JSON.parse(text)).map((line, index) => ({ ...line, ...beside[index] })) };
}

/** Limits the lines of an order (docs/orders.md#orders). */
export const maxLines = 500;

/** Limits a sent order, as JSON in UTF-8. Its completed lines have the same limit, so that they fit into an item. */
export const maxOrderBytes = 200 * 1024;

export const orderStatus = v.picklist(['CREATED', 'PAID', 'PROCESSING', 'CANCELED', 'FULFILLED']);

export type OrderStatus = v.InferOutput<typeof orderStatus>;

const figure = (words: string) => optional(count, words);

const fields = {
  source_id: optional(identifier, "The shop's own id of the order."),
  status: required(orderStatus, 'The progress of the order.', { leftOut: 'CREATED' }),
  amount: figure('The price of all lines, or the sent amount.'),
  initial_amount: figure('The amount before units were added.'),
  discount_amount: figure('The discount on the whole order.'),
  items_discount_amount: figure('The discounts on the lines.'),
  total_discount_amount: figure('The sum of both discounts.'),
  total_amount: figure('The amount that remains to pay.'),
  refunded_amount: figure('The refunds of all returns: money, credits and the worth of points.'),
  rest_discount_share: figure('The part of `discount_amount` on the amount that no line has, such as shipping.'),
  items: required(v.array(keptOrderLine), 'The lines of the order.', { leftOut: [] }),
  metadata: required(metadata, 'Free key/value pairs.', { leftOut: {} }),
  customer_id: optional(identifier, 'The customer of the order.'),
  referrer_id: optional(identifier, 'The customer who brought the customer of the order.'),
  redemptions: required(record(metadata), 'The redemptions on the order. Each key is the id of a redemption.', {
    leftOut: {},
  }),
} as const;

/** Hidden fields of an order. */
const kept = {
  /** The figures that the caller sent. Other figures are computed from the lines. */
  sent: optional(
    v.object({
      ...{ amount: v.optional(count), initial_amount: v.optional(count), discount_amount: v.optional(count) },
      /** The part that a reduction could not deduct, because the amount must cover the lines' discounts. */
      excess_amount: v.optional(count),
    }),
    'The sent figures.',
  ),
  /** The time of the first PAID or FULFILLED, because an order earns once. */
  paid_at: optional(dateTime, 'The time at which the order was first paid or fulfilled.'),
  /** The part of `discount_amount` that cards have paid. */
  paid_by_cards: figure('The part of the discount on the whole order that cards have paid.'),
  earned: optional(v.array(earnedNote), 'The points that the order earned, and by which rules.'),
  returned: optional(returnedSoFar, 'The sums of the returns of the order.'),
} as const;

const storedOrder = resource('order', {
  prefix: 'ord',
  number: 'many',
  fields: { ...fields, ...kept },
  unique: ['source_id'],
  sourceId: true,
  orders: ['created_at', 'updated_at'],
  // A new order writes each list once, and a change twice. The lists allow 8,000 new orders or 4,000 changes a second.
  spread: 8,
  // The erasure of a person changes their orders.
  ofEach: 'customer_id',
  filters: orderFilters,
  dataRef: 'orders',
  fileKey: 'orders',
  loadedOnce: true,
});

/** Reads lines whether they are packed or a list. */
const packable = v.pipe(
  v.object({ ...storedOrder.stored.entries, lines: v.optional(v.string()) }),
  v.transform(({ lines, ...item }) => (lines === undefined ? item : { ...item, items: linesOf({ ...item, lines }) })),
);

function linesOf(item: object) {
  return v.parse(v.object({ items: v.array(keptOrderLine) }), unpackLines(item)).items;
}

const orNull = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);
const person = v.optional(v.object({ id: v.string(), object: v.literal('customer') }));
const shown = v.optional(count);

const whole = v.object({
  id: v.string(),
  source_id: orNull(v.string()),
  created_at: dateTime,
  updated_at: orNull(dateTime),
  status: orderStatus,
  amount: shown,
  initial_amount: described(
    shown,
    'The amount before units were added. It is shown if it was sent, or if it differs from `amount`.',
  ),
  discount_amount: shown,
  items_discount_amount: shown,
  total_discount_amount: shown,
  total_amount: shown,
  rest_discount_share: shown,
  refunded_amount: shown,
  items: v.array(orderLine),
  metadata,
  customer: person,
  referrer: person,
  customer_id: orNull(v.string()),
  referrer_id: orNull(v.string()),
  redemptions: record(metadata),
  object: v.literal('order'),
});

const reply = named(
  'Order',
  v.object({
    ...whole.entries,
    metadata: described(v.optional(metadata), 'Absent while it has no key.'),
    redemptions: described(v.optional(record(metadata)), 'Absent while there are none.'),
  }),
);

const listReply = v.object({
  object: v.literal('list'),
  data_ref: v.literal('orders'),
  orders: v.array(reply),
  total: count,
  ...moreEntries,
});

/** The description of orders. */
export const order = { ...storedOrder, stored: packable, many: kind(kinds.order, packable), reply, listReply };

export type OrderItem = v.InferOutput<typeof packable>;
export type Order = v.InferOutput<typeof reply>;

function personOf(id: unknown) {
  return typeof id === 'string' ? { id, object: 'customer' } : undefined;
}

/** Returns the order with its customers by id, as redemptions store it. */
export function toWholeOrder(item: Readonly<Record<string, unknown>>): v.InferOutput<typeof whole> {
  const { customer_id, referrer_id } = item;
  return v.parse(whole, { ...item, customer: personOf(customer_id), referrer: personOf(referrer_id), object: 'order' });
}

/** Shows the initial amount if it was sent, or differs from the amount. */
function shownInitial({ sent, amount, initial_amount }: Readonly<Record<string, unknown>>) {
  const isSent = isRecord(sent) && sent.initial_amount !== undefined;
  return isSent || initial_amount !== amount ? {} : { initial_amount: undefined };
}

/** Shows the order in replies, without absent fields. */
export function toOrder(item: Readonly<Record<string, unknown>>): Order {
  const { metadata, redemptions, ...order } = { ...toWholeOrder(item), ...shownInitial(item) };
  const isEmpty = (some: object) => Object.keys(some).length === 0;
  return {
    ...order,
    ...(isEmpty(metadata) ? {} : { metadata }),
    ...(isEmpty(redemptions) ? {} : { redemptions }),
  };
}
