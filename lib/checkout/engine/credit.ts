import { billion, capped, inBillionths } from '../../core/money.ts';
import { sumOf } from '../../core/sum.ts';
import type { OfKind } from '../../rules/benefit.ts';
import { type Cart, restOf, type Step, subtotalOf, takeOffLines, takeOffOrder } from './cart.ts';
import { inOrderOfLines, type Selected } from './selection.ts';
import { shareWithin } from './share.ts';

/** Gift cards and points: what is used of them is at most what is there, and of use. */

type Gift = OfKind<'gift'>['gift'];
type Points = OfKind<'points'>['points'];

/** A step, and the credits or points that it costs. */
interface Paid extends Step {
  readonly charged: number;
}

/** Off the whole order. Credits that the order has no use for are not charged. */
export function payByGift(cart: Cart, { balance, credits = balance }: Gift): Paid {
  const step = takeOffOrder(cart, credits);
  return { ...step, charged: step.applied.order ?? 0 };
}

/** The same, shared over lines by their amounts. */
export function payItemsByGift(cart: Cart, { balance, credits = balance }: Gift, selection: readonly Selected[]): Paid {
  const sharing = inOrderOfLines(selection);
  const sharers = sharing.map(({ index }) => {
    const line = cart.lines[index];
    return { weight: line?.amount ?? 0, limit: line ? subtotalOf(line) : 0 };
  });
  const parts = shareWithin(Math.min(credits, restOf(cart)), sharers);
  const step = takeOffLines(cart, new Map(sharing.map(({ index }, place) => [index, parts[place] ?? 0])));
  return {
    ...step,
    charged: sumOf(step.applied.lines.values(), ({ applied_discount_amount = 0 }) => applied_discount_amount),
  };
}

/** Ratios are of major currency units, which have so many minor ones. */
const minorUnits = 100n;

function blockOf({ points_ratio }: Points): number {
  return Math.max(1, points_ratio);
}

/** Returns the worth of points in minor currency units, rounded half up. */
function worthOf(points: number, ratios: Points): number {
  const over = BigInt(points) * BigInt(inBillionths(ratios.exchange_ratio)) * minorUnits;
  const under = BigInt(blockOf(ratios)) * BigInt(billion);
  return capped((2n * over + under) / (2n * under));
}

/** Points that the order has a use for: whole blocks of the ratio, the last of which may be worth more than is left to pay. */
function pointsFor(rest: number, ratios: Points): bigint {
  const ofBlock = BigInt(inBillionths(ratios.exchange_ratio)) * minorUnits;
  if (ofBlock === 0n) return 0n;
  const blocks = (BigInt(rest) * BigInt(billion) + ofBlock - 1n) / ofBlock;
  return blocks * BigInt(blockOf(ratios));
}

/** The fewest points that pay something of what is left, where the card has less. Whoever asks for none, and has some, lacks none. */
export function fewestLacked(cart: Cart, points: Points): number | undefined {
  const fewest = points.points === undefined ? blockOf(points) : 1;
  return points.balance < fewest && pointsFor(restOf(cart), points) > 0n ? fewest : undefined;
}

/** As many points as are sent, else whole blocks of what is there; never more than the order has a use for. */
export function payByPoints(cart: Cart, points: Points): Paid {
  const offered = BigInt(points.points ?? points.balance - (points.balance % blockOf(points)));
  const needed = pointsFor(restOf(cart), points);
  const charged = Number(offered < needed ? offered : needed);
  return { ...takeOffOrder(cart, worthOf(charged, points)), charged };
}
