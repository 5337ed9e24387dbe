import { formatDay } from '#kernel/core/calendar.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import { allocatePrice, computeStandAlonePrice } from '../liability/allocation.ts';
import { bookPeriod, computeLiability, type Pool } from '../liability/pool.ts';
import type { CloseItem, CloseMonth, LiabilityStatement, Statement } from './close.ts';
import { type Estimate, findEstimate } from './estimates.ts';
import { type ClosePeriod, splitIntoMonths } from './periods.ts';
import type { PointMoves } from './sum-card.ts';

/** Limits the months of a close. */
export const mostMonths = 60;

type Closing = Pick<CloseItem, 'from' | 'at' | 'timezone' | 'sums' | 'previous' | 'sales' | 'opening_amount'>;

/** Returns the periods of a close, in its time zone. */
export function listPeriods({ from, at, timezone }: Pick<CloseItem, 'from' | 'at' | 'timezone'>): ClosePeriod[] {
  return splitIntoMonths(new Date(from), inTimezone(new Date(at), timezone), mostMonths + 1);
}

/** Returns the statement of a period: the opening and all moves make the closing. */
function balanceMoves(opening: number, corrected: number, moves: PointMoves): Statement {
  const { opened, earned, spent, returned, expired, adjusted, transferred } = moves;
  const closing = opening + corrected + opened + earned - spent + returned - expired + adjusted + transferred;
  return { opening, corrected, ...moves, closing };
}

/** The estimate needs the last day of the period. A period that ends at midnight ends on the day before. */
function lastDayOf({ to }: ClosePeriod, timezone: string): string {
  return formatDay(inTimezone(new Date(to - 1), timezone));
}

function beginPool(points: number, amount: number | undefined, { point_price, expected_per_10000 }: Estimate): Pool {
  const standAlone = computeStandAlonePrice(Math.max(0, points), point_price, expected_per_10000);
  return {
    issued_points: points,
    redeemed_points: 0,
    deferred_amount: amount ?? standAlone,
    recognised_amount: 0,
  };
}

interface Booked {
  readonly pool: Pool;
  readonly statement: LiabilityStatement;
}

function bookMonth(before: Pool, points: Statement, sales: number | undefined, estimate: Estimate): Booked {
  const { corrected, opened, earned, spent, returned, adjusted, transferred, opening, closing } = points;
  const { point_price, expected_per_10000: rate, rounding_amount, id } = estimate;
  const allocate = (issued: number) => {
    const standAlone = computeStandAlonePrice(issued, point_price, rate);
    return sales === undefined ? standAlone : allocatePrice(sales, standAlone, rounding_amount).points;
  };
  const period = {
    opening,
    closing,
    issued: corrected + opened + earned + adjusted + transferred,
    redeemed: spent - returned,
  };
  const { pool, deferred, redeemed, caught_up } = bookPeriod(before, period, rate, allocate);
  const ends = { opening: computeLiability(before), closing: computeLiability(pool) };
  return { pool, statement: { estimate_id: id, ...ends, deferred, redeemed, caught_up } };
}

/**
 * Turns the sums of a walked close into its months, and into the pool with which the next close continues. `estimates`
 * are in the order of their creation. Months before the first estimate have no liability.
 */
export function settleMonths(close: Closing, estimates: readonly Estimate[]): { months: CloseMonth[]; pool?: Pool } {
  const { timezone, sums, previous, sales, opening_amount } = close;
  let points = previous?.points ?? sums.opening;
  let corrected = sums.opening - points;
  let pool: Pool | undefined = previous?.pool;
  const months = listPeriods(close).map((period, index): CloseMonth => {
    const moves = sums.periods[index];
    if (!moves) throw new Error('a close has more months than sums');
    const statement = balanceMoves(points, corrected, moves);
    const estimate = findEstimate(estimates, lastDayOf(period, timezone));
    const sold = sales.find(({ month }) => month === period.month)?.amount;
    const booked =
      estimate &&
      bookMonth(
        pool ?? beginPool(points, index === 0 ? opening_amount : undefined, estimate),
        statement,
        sold,
        estimate,
      );
    [points, corrected, pool] = [statement.closing, 0, booked?.pool ?? pool];
    return {
      month: period.month,
      from: new Date(period.from).toISOString(),
      to: new Date(period.to).toISOString(),
      points: statement,
      liability: booked?.statement ?? null,
    };
  });
  return { months, ...(pool ? { pool } : {}) };
}

/** Returns the day of the journal's lines for a month. */
export function findJournalDay({ to }: Pick<CloseMonth, 'to'>, timezone: string): string {
  return lastDayOf({ month: '', from: 0, to: Date.parse(to) }, timezone);
}
