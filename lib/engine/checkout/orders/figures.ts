import { isDeepStrictEqual } from 'node:util';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import { type OrderLine, omitEmpty } from './line.ts';
import type { OrderBody } from './order-body.ts';
import type { OrderItem } from './resource.ts';

/** The sent figures of an order's money. Without `amount` it is the sum of the lines. */
export interface SentFigures {
  readonly amount?: number | null | undefined;
  readonly initial_amount?: number | null | undefined;
  /** The discount on the whole order, besides the discounts of lines. */
  readonly discount_amount?: number | null | undefined;
}

/** Figures of an order in minor currency units. Unknown figures and discounts of 0 are left out. */
export interface OrderAmounts {
  amount?: number;
  initial_amount?: number;
  discount_amount?: number;
  items_discount_amount?: number;
  total_discount_amount?: number;
  total_amount?: number;
}

/** An order whose lines have products and prices, for discounts, rules and points. */
export interface PreparedOrder extends OrderAmounts {
  readonly items: readonly OrderLine[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

type Line = Pick<OrderLine, 'amount' | 'discount_amount'>;

/** Checks that lines and their sum are safe integers, because rounding would lose money. 400 `invalid_payload`. */
export function checkAmounts(items: readonly Line[]): void {
  const faults = items.flatMap(({ amount = 0 }, index) =>
    amount > Number.MAX_SAFE_INTEGER
      ? [`items[${index}].price times its quantity must be at most ${Number.MAX_SAFE_INTEGER}`]
      : [],
  );
  const sum = items.reduce((total, { amount = 0 }) => total + amount, 0);
  if (faults.length === 0 && sum > Number.MAX_SAFE_INTEGER) {
    faults.push(`items must cost at most ${Number.MAX_SAFE_INTEGER} together`);
  }
  if (faults.length > 0) throw new ServiceError('invalid_payload', { details: joinFaults(faults) });
}

/**
 * Returns amount, discounts and total, none below 0. Lines come first, and the whole order's discount is at most the rest. 400
 * `invalid_payload` beyond the safe integers.
 */
export function computeFigures(items: readonly Line[], sent: SentFigures): OrderAmounts {
  checkAmounts(items);
  const priced = items.filter((line) => line.amount !== undefined);
  const sum = priced.length > 0 ? priced.reduce((total, { amount = 0 }) => total + amount, 0) : undefined;
  const amount = sent.amount ?? sum;
  if (amount === undefined) return {};
  const ofItems = priced.reduce((total, { discount_amount = 0 }) => total + discount_amount, 0);
  const ofOrder = Math.min(sent.discount_amount ?? 0, Math.max(0, amount - ofItems));
  const initial = sent.initial_amount ?? (items.length > 0 ? amount : undefined);
  return {
    amount,
    ...(initial === undefined ? {} : { initial_amount: initial }),
    ...(ofOrder > 0 ? { discount_amount: ofOrder } : {}),
    ...(ofItems > 0 ? { items_discount_amount: ofItems } : {}),
    ...(ofOrder + ofItems > 0 ? { total_discount_amount: ofOrder + ofItems } : {}),
    total_amount: Math.max(0, amount - ofOrder - ofItems),
  };
}

/** Merges the sent parts of an order into the stored parts, for all operations with an order. */

export type StatedFigures = NonNullable<OrderItem['sent']>;

/** Returns the sent figures of a stored order. An order of a project file has figures only, and not which of them were sent. */
export function readStatedFigures({ sent, amount, initial_amount, discount_amount }: OrderItem): SentFigures {
  return sent ?? { amount, initial_amount, discount_amount };
}

const figureNames = ['amount', 'initial_amount', 'discount_amount'] as const;

type Sent = Pick<OrderBody, (typeof figureNames)[number]> & { readonly items?: unknown };

/** Returns the price of added units. It is negative if cheaper units replaced others. */
function addedAmount(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, { amount = 0, initial_amount = amount }) => sum + amount - initial_amount, 0);
}

/** Returns the amount before added units, from the newly sent lines or amount. */
function initialOf(
  { amount, initial_amount }: StatedFigures,
  { items }: Sent,
  lines: readonly OrderLine[],
): number | undefined {
  if (lines.every((line) => line.initial_amount === undefined)) return items === undefined ? initial_amount : undefined;
  const whole = amount ?? lines.reduce((sum, line) => sum + (line.amount ?? 0), 0);
  return Math.min(Math.max(0, whole - addedAmount(lines)), Number.MAX_SAFE_INTEGER);
}

/**
 * Returns the callers' figures of money. Absent figures stay, and `null` removes a figure: it then follows the lines,
 * and a discount disappears. `lines` are the new lines.
 */
export function mergeStatedFigures(
  before: OrderItem | undefined,
  body: Sent,
  lines: readonly OrderLine[],
): StatedFigures {
  const known = before ? readStatedFigures(before) : {};
  const named = figureNames.map((name) => [name, body[name] === undefined ? known[name] : body[name]] as const);
  const isAmountKept = body.amount === undefined || body.amount === before?.amount;
  const said: StatedFigures = {
    ...Object.fromEntries(named.filter(([, value]) => typeof value === 'number')),
    ...omitEmpty({ excess_amount: isAmountKept ? before?.sent?.excess_amount : undefined }),
  };
  const isAnew = body.items !== undefined || body.amount !== undefined;
  if (!before || !isAnew || body.initial_amount !== undefined) return said;
  const { initial_amount: _, ...others } = said;
  const initial = initialOf(said, body, lines);
  return { ...others, ...(initial === undefined ? {} : { initial_amount: initial }) };
}

function withoutMarks(stored: OrderLine) {
  const {
    id: _,
    base_quantity: __,
    sent_discount_amount: ___,
    freed_quantity: ____,
    order_discount_share: _____,
    paid_by_cards: ______,
    returned_quantity: _______,
    returned_amount: ________,
    ...line
  } = stored;
  return line;
}

/** Finds the stored line by its id, or an equal line in the same place. */
function storedOf(line: OrderLine, index: number, stored: readonly OrderLine[]): OrderLine | undefined {
  if (line.id !== undefined) return stored.find(({ id }) => id === line.id);
  const inPlace = stored[index];
  return inPlace && isDeepStrictEqual(withoutMarks(inPlace), withoutMarks(line)) ? inPlace : undefined;
}

/** Returns the quantity before free units that the caller counts in. It includes units that redemptions added. */
function baseOf(sent: OrderLine, stored: OrderLine | undefined): number | undefined {
  const { quantity, initial_quantity = quantity, discount_quantity = 0 } = sent;
  const there = stored?.base_quantity ?? stored?.quantity ?? 0;
  const added = Math.max(0, there - (stored?.initial_quantity ?? there));
  const base = initial_quantity + added;
  return base < quantity && discount_quantity === 0 ? base : undefined;
}

/** Returns the caller's own discount besides redemptions. If it is unknown, it stays unknown. */
function takenOff({ discount_amount = 0 }: OrderLine, stored: OrderLine | undefined): number | undefined {
  if (!stored) return discount_amount;
  const known = stored.sent_discount_amount;
  return known === undefined ? undefined : known + discount_amount - (stored.discount_amount ?? 0);
}

/** Returns the units that redemptions made free. A line that is sent with a smaller discount has none. */
function freedOf({ discount_amount = 0 }: OrderLine, stored: OrderLine | undefined): number | undefined {
  return discount_amount < (stored?.discount_amount ?? 0) ? undefined : stored?.freed_quantity;
}

/** Merges sent lines into stored lines. An equal line keeps its id, and its units from redemptions. */
export function mergeLines(lines: readonly OrderLine[], stored: readonly OrderLine[] = []): OrderLine[] {
  return lines.map((line, index) => {
    const before = storedOf(line, index, stored);
    const marks = { base_quantity: baseOf(line, before), sent_discount_amount: takenOff(line, before) };
    const freed_quantity = freedOf(line, before);
    const { order_discount_share, paid_by_cards, returned_quantity, returned_amount } = before ?? {};
    const shares = { order_discount_share, paid_by_cards, returned_quantity, returned_amount };
    return { ...line, ...omitEmpty({ id: line.id ?? before?.id, ...marks, freed_quantity, ...shares }) };
  });
}
