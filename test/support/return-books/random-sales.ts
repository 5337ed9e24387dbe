import { at, least, total } from './exact.ts';
import type { Asked, ReturnBook } from './return-book.ts';
import type { Coupon, Payment, Sale, SoldLine } from './sale.ts';

/** Draws orders and the returns of their life. */

export type Draw = (below: number) => number;

const largest = BigInt(Number.MAX_SAFE_INTEGER);
/** The most lines of an order. */
const mostLines = 500;
/** Points that pay in blocks: `points` for `worth` minor units. */
export const coins = [
  { id: 'rew_even', points: 1n, worth: 1n, parameters: { exchange_ratio: 0.01, points_ratio: 1 } },
  { id: 'rew_odd', points: 3n, worth: 7n, parameters: { exchange_ratio: 0.07, points_ratio: 3 } },
  { id: 'rew_dear', points: 10n, worth: 1n, parameters: { exchange_ratio: 0.01, points_ratio: 10 } },
] as const;

export const pick = <T>(draw: Draw, all: readonly T[]): T => at(all, draw(all.length));
const happens = (draw: Draw, percent: number) => draw(100) < percent;

/** Returns a number from 0 up to and including the highest. */
export function drawUpTo(draw: Draw, highest: bigint): bigint {
  const high = BigInt(draw(2 ** 30));
  return ((high << 30n) + BigInt(draw(2 ** 30))) % (highest + 1n);
}

interface Scale {
  amount: bigint;
  quantity: number;
}

function drawScale(draw: Draw): Scale {
  const chance = draw(20);
  if (chance === 0) return { amount: 1n, quantity: 3 };
  if (chance === 1) return { amount: largest, quantity: 9 };
  if (chance < 6) return { amount: 12n, quantity: 7 };
  return { amount: 60_000n, quantity: 6 };
}

function drawLines(draw: Draw, scale: Scale): SoldLine[] {
  const chance = draw(50);
  const count = chance < 4 ? 0 : chance === 4 ? 20 + draw(mostLines - 20) : 1 + draw(6);
  // Half of the room stays free for the line of shipping.
  const highest = least(scale.amount, largest / BigInt(2 * Math.max(1, count)));
  return Array.from({ length: count }, (_, index) => {
    const amount = drawUpTo(draw, highest);
    const isFree = happens(draw, 5);
    const discount = isFree ? amount : happens(draw, 35) ? drawUpTo(draw, amount) : 0n;
    return { id: `line-${index}`, quantity: BigInt(1 + draw(scale.quantity)), amount, discount };
  });
}

function drawRedeemed(draw: Draw, worth: bigint): (Coupon | Payment)[] {
  const kinds = Array.from({ length: draw(5) }, () => pick(draw, ['coupon', 'coupon', 'credits', 'points'] as const));
  let left = worth;
  return kinds.flatMap((kind, index) => {
    if (left === 0n) return [];
    const redemption = `redemption-${index}`;
    const most = happens(draw, 20) ? left : drawUpTo(draw, happens(draw, 50) ? left : left / 3n);
    if (kind === 'points') {
      const coin = pick(draw, coins);
      // Beyond that, their worth is no longer exact in the service's decimal arithmetic.
      const blocks = least(most / coin.worth, 1_000_000n);
      if (blocks === 0n) return [];
      left -= blocks * coin.worth;
      const code = `card-${index}`;
      return { kind, redemption, code, reward: coin.id, charged: blocks * coin.points, worth: blocks * coin.worth };
    }
    if (most === 0n) return [];
    left -= most;
    if (kind === 'coupon') return { kind, redemption, discount: most };
    return { kind, redemption, code: `gift-${index}`, charged: most, worth: most };
  });
}

export function drawSale(draw: Draw): Sale {
  const scale = drawScale(draw);
  const lines = drawLines(draw, scale);
  const ofLines = total(lines.map(({ amount }) => amount));
  const rest = least(scale.amount, largest - ofLines);
  const amount = lines.length === 0 || happens(draw, 25) ? ofLines + drawUpTo(draw, rest) : undefined;
  const worth = (amount ?? ofLines) - total(lines.map(({ discount }) => discount));
  return { lines, ...(amount === undefined ? {} : { amount }), redeemed: drawRedeemed(draw, worth) };
}

function drawOptions(draw: Draw): Asked {
  return {
    ...(happens(draw, 40) ? { refund_to: pick(draw, ['PROPORTIONAL', 'MONEY_FIRST', 'CREDITS_FIRST']) } : {}),
    ...(happens(draw, 10) ? { earned_points: pick(draw, ['TAKE_BACK', 'KEEP']) } : {}),
    ...(happens(draw, 20) ? { uses: pick(draw, ['RETURN', 'KEEP']) } : {}),
  };
}

/** Draws a return of some of what is left, or of everything. Returns undefined if nothing is left. */
export function drawReturn(draw: Draw, book: ReturnBook): Asked | undefined {
  const left = book.left();
  if (left.every((count) => count === 0n)) return undefined;
  const isAll = happens(draw, 20);
  const options = drawOptions(draw);
  if (!book.hasLines) {
    const all = at(left, 0);
    return { amount: isAll || all === 1n ? all : 1n + drawUpTo(draw, all - 1n), ...options };
  }
  const open = left.flatMap((count, place) => (count > 0n ? [place] : []));
  const chosen = isAll ? open : open.filter(() => happens(draw, 60));
  const items = (chosen.length > 0 ? chosen : [pick(draw, open)]).map((place) => {
    const all = at(left, place);
    const quantity = isAll || happens(draw, 30) ? all : 1n + drawUpTo(draw, all - 1n);
    return { id: at(book.lines, place).id, quantity };
  });
  return { items, ...options };
}

/** Asks for everything that is left. */
export function everythingLeft(book: ReturnBook): Asked {
  const left = book.left();
  if (!book.hasLines) return { amount: at(left, 0) };
  const items = book.lines.map(({ id }, place) => ({ id, quantity: at(left, place) }));
  return { items: items.filter(({ quantity }) => quantity > 0n) };
}
