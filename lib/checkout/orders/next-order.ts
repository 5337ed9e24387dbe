import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../core/errors.ts';
import { idsAlike, newPrefixedId } from '../../core/ids.ts';
import { mergeMetadata } from '../../core/merge-metadata.ts';
import { type FindSchema, noSchemas } from '../../core/metadata/check.ts';
import type { PaidOrder } from '../../customers/customer-figures.ts';
import { computeFigures } from './figures.ts';
import type { OrderLine } from './line.ts';
import type { OrderBody } from './order-body.ts';
import { maxOrderBytes, type OrderItem, type OrderStatus, order } from './resource.ts';
import { mergeStatedFigures, type StatedFigures } from './stated-figures.ts';

/** Returns whether the order counts and earns. */
function isPaid({ status }: { status: OrderStatus }): boolean {
  return status === 'PAID' || status === 'FULFILLED';
}

/** Adds ids to lines that have none. They are alike, for lines are stored packed. */
function withIds(lines: readonly OrderLine[]): OrderLine[] {
  const nextId = idsAlike('order_item');
  return lines.map((line) => ({ ...line, id: line.id ?? nextId() }));
}

/** The bytes of a generated id with its name: `"id":"...",`. */
const idBytes = 36;

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
  /** The excess amount that a redemption has calculated (`lib/checkout/engine/cart.ts`). */
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
  const paid_at = before?.paid_at ?? (isPaid({ status }) || (before && isPaid(before)) ? now.toISOString() : undefined);
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
  };
}

const shown = ({ updated_at: _, revision: __, sent: ___, paid_at: ____, ...fields }: OrderItem) => fields;

export function isOrderChanged(before: OrderItem, after: OrderItem): boolean {
  return !isDeepStrictEqual(shown(before), shown(after));
}

/** Returns whether the order needs no write, even of hidden fields. */
export function isOrderKept({ revision: _, ...before }: OrderItem, after: OrderItem): boolean {
  return isDeepStrictEqual(before, after);
}

/** Returns whether the order earns now: when it is first paid or fulfilled, and never again. */
export function isEarningNow(before: OrderItem | undefined, after: OrderItem): boolean {
  return isPaid(after) && !before?.paid_at && !(before && isPaid(before));
}

/** Returns the order's part of its customer's figures. */
export function toPaidOrder(item: OrderItem | undefined): PaidOrder | undefined {
  if (!item || !isPaid(item)) return undefined;
  return { id: item.id, amount: item.total_amount ?? 0, date: item.created_at };
}
