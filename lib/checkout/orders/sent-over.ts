import { isDeepStrictEqual } from 'node:util';
import type { SentFigures } from './figures.ts';
import { given, type OrderLine } from './line.ts';
import type { OrderBody } from './order-body.ts';
import type { OrderItem } from './resource.ts';

/** What is sent of an order over what is stored of it: the same for all operations that take an order. */

export type Said = NonNullable<OrderItem['sent']>;

/** An order of a project file says what it costs, not what of that was sent. */
export function saidOf({ sent, amount, initial_amount, discount_amount }: OrderItem): SentFigures {
  return sent ?? { amount, initial_amount, discount_amount };
}

const figureNames = ['amount', 'initial_amount', 'discount_amount'] as const;

type Sent = Pick<OrderBody, (typeof figureNames)[number]> & { readonly items?: unknown };

/** What the lines cost more than before units were added to them; below 0 where cheaper ones replaced others. */
function addedAmount(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, { amount = 0, initial_amount = amount }) => sum + amount - initial_amount, 0);
}

/** Before units were added: of lines or an amount that are sent anew, what these say. */
function initialOf({ amount, initial_amount }: Said, { items }: Sent, lines: readonly OrderLine[]): number | undefined {
  if (lines.every((line) => line.initial_amount === undefined)) return items === undefined ? initial_amount : undefined;
  const whole = amount ?? lines.reduce((sum, line) => sum + (line.amount ?? 0), 0);
  return Math.min(Math.max(0, whole - addedAmount(lines)), Number.MAX_SAFE_INTEGER);
}

/**
 * What callers have said of its money. What is not sent stays, `null` takes back what was said: then the figure follows the lines, or
 * nothing is off the order. `lines`: as they will be.
 */
export function sentFigures(before: OrderItem | undefined, body: Sent, lines: readonly OrderLine[]): Said {
  const known = before ? saidOf(before) : {};
  const named = figureNames.map((name) => [name, body[name] === undefined ? known[name] : body[name]] as const);
  const isAmountKept = body.amount === undefined || body.amount === before?.amount;
  const said: Said = {
    ...Object.fromEntries(named.filter(([, value]) => typeof value === 'number')),
    ...given({ excess_amount: isAmountKept ? before?.sent?.excess_amount : undefined }),
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

/** The stored line that it is: by its id, or as it stands in its place. */
function storedOf(line: OrderLine, index: number, stored: readonly OrderLine[]): OrderLine | undefined {
  if (line.id !== undefined) return stored.find(({ id }) => id === line.id);
  const inPlace = stored[index];
  return inPlace && isDeepStrictEqual(withoutMarks(inPlace), withoutMarks(line)) ? inPlace : undefined;
}

/** What was there of the line before units that its caller counts in, of which those that redemptions have given are known. */
function baseOf(sent: OrderLine, stored: OrderLine | undefined): number | undefined {
  const { quantity, initial_quantity = quantity, discount_quantity = 0 } = sent;
  const there = stored?.base_quantity ?? stored?.quantity ?? 0;
  const added = Math.max(0, there - (stored?.initial_quantity ?? there));
  const base = initial_quantity + added;
  return base < quantity && discount_quantity === 0 ? base : undefined;
}

/** What the caller takes off it beside what redemptions did; of a line of which that is not known, it stays so. */
function takenOff({ discount_amount = 0 }: OrderLine, stored: OrderLine | undefined): number | undefined {
  if (!stored) return discount_amount;
  const known = stored.sent_discount_amount;
  return known === undefined ? undefined : known + discount_amount - (stored.discount_amount ?? 0);
}

/** Lines as they are sent over those that are stored: one that is sent as it stands keeps its id, and what redemptions gave to it. */
export function linesOver(lines: readonly OrderLine[], stored: readonly OrderLine[] = []): OrderLine[] {
  return lines.map((line, index) => {
    const before = storedOf(line, index, stored);
    const marks = { base_quantity: baseOf(line, before), sent_discount_amount: takenOff(line, before) };
    return { ...line, ...given({ id: line.id ?? before?.id, ...marks }) };
  });
}
