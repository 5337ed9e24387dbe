import { isDeepStrictEqual } from 'node:util';
import type { SentFigures } from './figures.ts';
import { type OrderLine, omitEmpty } from './line.ts';
import type { OrderBody } from './order-body.ts';
import type { OrderItem } from './resource.ts';

/** Merges the sent parts of an order into the stored ones, for all operations with an order. */

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
 * Returns the callers' figures of money. Absent ones stay, and `null` removes one: then the figure follows the lines, or there is no
 * discount. `lines` are the new ones.
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

function withoutMarks({ id: _, base_quantity: __, sent_discount_amount: ___, ...line }: OrderLine) {
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

/** Merges sent lines into stored ones. An equal line keeps its id, and its units from redemptions. */
export function mergeLines(lines: readonly OrderLine[], stored: readonly OrderLine[] = []): OrderLine[] {
  return lines.map((line, index) => {
    const before = storedOf(line, index, stored);
    const marks = { base_quantity: baseOf(line, before), sent_discount_amount: takenOff(line, before) };
    return { ...line, ...omitEmpty({ id: line.id ?? before?.id, ...marks }) };
  });
}
