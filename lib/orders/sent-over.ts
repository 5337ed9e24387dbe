import { isDeepStrictEqual } from 'node:util';
import type { SentFigures } from './figures.ts';
import type { OrderLine } from './line.ts';
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
  const said: Said = Object.fromEntries(named.filter(([, value]) => typeof value === 'number'));
  const isAnew = body.items !== undefined || body.amount !== undefined;
  if (!before || !isAnew || body.initial_amount !== undefined) return said;
  const { initial_amount: _, ...others } = said;
  const initial = initialOf(said, body, lines);
  return { ...others, ...(initial === undefined ? {} : { initial_amount: initial }) };
}

function withoutId({ id: _, ...line }: OrderLine): OrderLine {
  return line;
}

/** A line that is sent as it stands keeps its id. */
export function linesOver(lines: readonly OrderLine[], stored: readonly OrderLine[] = []): OrderLine[] {
  return lines.map((line, index) => {
    const before = stored[index];
    const isSame = before !== undefined && isDeepStrictEqual(withoutId(before), withoutId(line));
    const id = line.id ?? (isSame ? before.id : undefined);
    return id === undefined ? line : { ...line, id };
  });
}
