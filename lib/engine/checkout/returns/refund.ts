import { scaleAmount } from '#kernel/core/money.ts';
import { addUp } from '#kernel/core/sum.ts';
import {
  figuresOfMore,
  paymentsOf,
  type SoldLine,
  sharePayments,
  soldNet,
  type UnitFigures,
  wholeOf,
} from './units.ts';

/** Calculates a refund: its sum, and the part of each payment (docs/returns.md#refund). */

export type RefundTo = 'PROPORTIONAL' | 'MONEY_FIRST' | 'CREDITS_FIRST';

/** A payment by a card, in the order of redemption. */
export interface Payment {
  readonly id: string;
  readonly kind: 'credits' | 'points';
  /** The amount that it took off the order. */
  readonly paid: number;
  /** The amount that earlier returns gave back. */
  readonly refunded: number;
}

/** An order with what earlier returns have taken back. */
export interface Sold {
  readonly lines: readonly SoldLine[];
  readonly payments: readonly Payment[];
  readonly refundedMoney: number;
  /** True if each earlier return gave every payment the part of the returned units. */
  readonly isEven: boolean;
}

/** The units that a return takes back, by the index of the line. An order without lines names its net value. */
export type Units = ReadonlyMap<number, number>;

interface ReturnedLine extends UnitFigures {
  readonly index: number;
  readonly units: number;
}

export interface Refund {
  readonly lines: readonly ReturnedLine[];
  readonly total: number;
  readonly money: number;
  /** The amounts for payments, in their order. */
  readonly payments: readonly number[];
  readonly reclaimed: number;
  readonly isEven: boolean;
}

const sum = (all: readonly number[]) => addUp(all, (one) => one);

/** Returns the money that was paid for the order. */
function moneyPaid({ lines, payments }: Sold): number {
  return Math.max(0, addUp(lines, soldNet) - addUp(payments, ({ paid }) => paid));
}

/** Returns the payments that have something left, and last the money. */
function lefts(sold: Sold): number[] {
  const ofCards = sold.payments.map(({ paid, refunded }) => Math.max(0, paid - refunded));
  return [...ofCards, Math.max(0, moneyPaid(sold) - sold.refundedMoney)];
}

/** Gives each payment the part of the returned units. */
function byUnits({ lines, payments }: Sold, returned: readonly ReturnedLine[]): number[] {
  const parts = sharePayments(
    lines,
    payments.map(({ paid }) => paid),
  );
  const back = payments.map(() => 0);
  for (const { index, units } of returned) {
    const line = lines[index];
    if (!line) continue;
    const ofLine = parts.map((one) => one[index] ?? 0);
    const before = paymentsOf(line, ofLine, line.returned);
    for (const [place, part] of paymentsOf(line, ofLine, line.returned + units).entries()) {
      back[place] = (back[place] ?? 0) + part - (before[place] ?? 0);
    }
  }
  return [...back, addUp(returned, ({ net }) => net) - sum(back)];
}

/** Gives each payment a part of what it has left, one payment after another. The money is last. */
function byWhatIsLeft(left: readonly number[], total: number): number[] {
  let open = total;
  let whole = sum(left);
  return left.map((one) => {
    const back = whole === 0 ? 0 : scaleAmount(open, one, whole);
    open -= back;
    whole -= one;
    return back;
  });
}

/** Exhausts one kind of payment after another. */
function inTurn({ payments }: Sold, left: readonly number[], total: number, to: Exclude<RefundTo, 'PROPORTIONAL'>) {
  const placesOf = (kind: Payment['kind']) =>
    payments.flatMap((payment, place) => (payment.kind === kind ? [place] : []));
  const [credits, points, money] = [placesOf('credits'), placesOf('points'), [payments.length]];
  const turns = to === 'MONEY_FIRST' ? [money, points, credits] : [credits, points, money];
  const back = left.map(() => 0);
  let open = total;
  for (const place of turns.flat()) {
    back[place] = Math.min(open, left[place] ?? 0);
    open -= back[place] ?? 0;
  }
  return back;
}

/** Returns the figures of the returned units, the earlier lines first. */
function listReturned({ lines }: Sold, units: Units): ReturnedLine[] {
  return lines.flatMap((line, index) => {
    const more = units.get(index);
    return more === undefined ? [] : [{ index, units: more, ...figuresOfMore(line, more) }];
  });
}

/** Calculates the refund. `loss` is the discount that the kept lines lose, which is at most subtracted from the refund as a whole. */
export function computeRefund(sold: Sold, units: Units, to: RefundTo, loss: number): Refund {
  const lines = listReturned(sold, units);
  const left = lefts(sold);
  const net = Math.min(
    addUp(lines, (line) => line.net),
    sum(left),
  );
  const reclaimed = Math.min(Math.max(0, loss), net);
  const total = net - reclaimed;
  const ofUnits = byUnits(sold, lines);
  const followsUnits = sold.isEven && sum(ofUnits) === total;
  const proportional = () => (followsUnits ? ofUnits : byWhatIsLeft(left, total));
  const back = to === 'PROPORTIONAL' ? proportional() : inTurn(sold, left, total, to);
  // Another way may have given the same, and units that return later then still have their own payments.
  const isEven = sold.isEven && back.every((one, place) => one === ofUnits[place]);
  return {
    lines,
    total,
    money: back.at(-1) ?? 0,
    payments: back.slice(0, -1),
    reclaimed,
    isEven,
  };
}

/** Returns the points that go back: the points for the worth that was returned so far, without the points that are back. */
export function pointsBack(
  { points, paid, refunded }: { readonly points: number; readonly paid: number; readonly refunded: number },
  worth: number,
  backBefore: number,
): number {
  if (paid === 0) return 0;
  return Math.max(0, scaleAmount(points, Math.min(paid, refunded + worth), paid) - backBefore);
}

/** Returns whether the order has no unit left after the return. */
export function isNothingKept({ lines }: Sold, units: Units): boolean {
  return lines.every((line, index) => line.returned + (units.get(index) ?? 0) >= wholeOf(line));
}
