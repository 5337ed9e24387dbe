import { isDeepStrictEqual } from 'node:util';
import type { PaidOrder } from '../customers/order-figures.ts';
import { ServiceError } from '../errors.ts';
import { newId, timedId } from '../ids.ts';
import { mergeMetadata } from '../terms/merge-metadata.ts';
import { figuresOf, type SentFigures } from './figures.ts';
import type { OrderLine } from './line.ts';
import type { OrderBody } from './order-body.ts';
import { type OrderItem, type OrderStatus, order } from './resource.ts';

/** Of an order's lines as JSON in UTF-8: with 50 KB of metadata they fit an item, which has 400 KB. */
const maxLinesBytes = 200 * 1024;

/** Whether the order counts and earns. */
function isPaid({ status }: { status: OrderStatus }): boolean {
  return status === 'PAID' || status === 'FULFILLED';
}

/** An order of a project file says what it costs, not what of that was sent. */
function sentOf({ sent, amount, initial_amount, discount_amount }: OrderItem): SentFigures {
  return sent ?? { amount, initial_amount, discount_amount };
}

const figureNames = ['amount', 'initial_amount', 'discount_amount'] as const;

/** What was sent, with what is sent now: `null` takes it back. */
function sentFigures(before: OrderItem | undefined, body: OrderBody): NonNullable<OrderItem['sent']> {
  const known = before ? sentOf(before) : {};
  const named = figureNames.map((name) => [name, body[name] === undefined ? known[name] : body[name]] as const);
  return Object.fromEntries(named.filter(([, value]) => typeof value === 'number'));
}

/** What lines cost before units were added, where they say so. */
function initialOf(lines: readonly OrderLine[]): number | undefined {
  if (lines.every(({ initial_amount }) => initial_amount === undefined)) return undefined;
  const sum = lines.reduce((total, { amount = 0, initial_amount = amount }) => total + initial_amount, 0);
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}

/** Of a stored order whose amount follows its lines, those that are sent anew say what it cost at first, unless that is sent as well. */
export function figuresWith(
  figures: NonNullable<OrderItem['sent']>,
  body: Pick<OrderBody, 'items' | 'initial_amount'>,
  lines: readonly OrderLine[],
): NonNullable<OrderItem['sent']> {
  if (body.items === undefined || body.initial_amount !== undefined || figures.amount !== undefined) return figures;
  const { initial_amount: _, ...others } = figures;
  const initial = initialOf(lines);
  return { ...others, ...(initial === undefined ? {} : { initial_amount: initial }) };
}

function withoutId({ id: _, ...line }: OrderLine): OrderLine {
  return line;
}

/** A line that is sent as it stands keeps its id. */
function withIds(lines: readonly OrderLine[], before: readonly OrderLine[] = []): OrderLine[] {
  return lines.map((line, index) => {
    const stored = before[index];
    const same = stored && isDeepStrictEqual(withoutId(stored), withoutId(line)) ? stored.id : undefined;
    return { ...line, id: line.id ?? same ?? newId('order_item') };
  });
}

function checkSize(items: readonly OrderLine[]): void {
  if (Buffer.byteLength(JSON.stringify(items)) <= maxLinesBytes) return;
  throw new ServiceError('invalid_payload', { details: `items must have at most ${maxLinesBytes} bytes as JSON` });
}

/** Whose order it is and who brought them, by their ids. */
interface People {
  customer_id: string | undefined;
  referrer_id: string | undefined;
}

interface Sent {
  body: OrderBody;
  /** The lines that are sent, with their products found. */
  lines: readonly OrderLine[] | undefined;
  people: People;
  /** Of a new order, where it is known ahead. */
  id?: string | undefined;
}

export function newOrderId(now: Date): string {
  return timedId(order.idPrefix, now);
}

/** The order after what is sent of it. 400 `invalid_payload` for lines or figures that are too large. */
export function nextOrder(before: OrderItem | undefined, { body, lines, people, id }: Sent, now: Date): OrderItem {
  const items = lines ? withIds(lines, before?.items) : body.items === null ? [] : (before?.items ?? []);
  if (lines) checkSize(items);
  const said = sentFigures(before, body);
  const sent = before ? figuresWith(said, body, items) : said;
  const status = body.status ?? before?.status ?? 'CREATED';
  const source_id = body.source_id === undefined ? before?.source_id : (body.source_id ?? undefined);
  // One that a project file brought as paid has earned before.
  const paid_at = before?.paid_at ?? (isPaid({ status }) || (before && isPaid(before)) ? now.toISOString() : undefined);
  return {
    id: before?.id ?? id ?? newOrderId(now),
    created_at: before?.created_at ?? body.created_at ?? now.toISOString(),
    ...(source_id === undefined || source_id === null ? {} : { source_id }),
    status,
    ...figuresOf(items, sent),
    items,
    metadata: mergeMetadata('metadata', before?.metadata ?? {}, body.metadata),
    ...(people.customer_id === undefined ? {} : { customer_id: people.customer_id }),
    ...(people.referrer_id === undefined ? {} : { referrer_id: people.referrer_id }),
    redemptions: before?.redemptions ?? {},
    sent,
    ...(paid_at === undefined ? {} : { paid_at }),
  };
}

const shown = ({ updated_at: _, revision: __, sent: ___, paid_at: ____, ...fields }: OrderItem) => fields;

export function isChanged(before: OrderItem, after: OrderItem): boolean {
  return !isDeepStrictEqual(shown(before), shown(after));
}

/** Whether nothing of it is to be written, not even what nobody sees. */
export function isKept({ revision: _, ...before }: OrderItem, after: OrderItem): boolean {
  return isDeepStrictEqual(before, after);
}

/** An order earns when it is first paid or fulfilled, and never again. */
export function earnsNow(before: OrderItem | undefined, after: OrderItem): boolean {
  return isPaid(after) && !before?.paid_at && !(before && isPaid(before));
}

/** What the order counts for in its customer's figures. */
export function countsAs(item: OrderItem | undefined): PaidOrder | undefined {
  if (!item || !isPaid(item)) return undefined;
  return { id: item.id, amount: item.total_amount ?? 0, date: item.created_at };
}
