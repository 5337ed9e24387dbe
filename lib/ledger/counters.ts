import { formatDay } from '../core/calendar.ts';
import type { Reading } from '../http/context.ts';
import { readBetween } from '../table/read.ts';
import type { CardItem } from './card.ts';
import { ledgerEntryKey } from './ledger-entry.ts';
import { findLiveLots, type Lot, sumPoints } from './lots.ts';

/** Counts the points of a card that are neither left nor spent on redemptions. */

interface Counted {
  readonly credited_points: number;
  readonly lots: readonly Lot[];
  readonly redeemed_points: number;
  readonly expired_points?: number | undefined;
}

/** Returns the points that expired, were subtracted, or were moved to other cards. */
function gone({ credited_points, lots, redeemed_points }: Counted): number {
  return Math.max(0, credited_points - sumPoints(lots) - redeemed_points);
}

/** Returns the expired points, or `undefined` for an older card, whose ledger has them. */
export function countExpired(item: Counted): number | undefined {
  return item.expired_points ?? (gone(item) === 0 ? 0 : undefined);
}

export interface CardCounters {
  pending_points: number;
  expired_points?: number;
  subtracted_points?: number;
}

/** Returns the counters at `now`, so that all figures of a card add up. An older card lacks the points that only its ledger has. */
export function readCardCounters(item: Counted & { readonly pending_points: number }, now: Date): CardCounters {
  const { lots, pending_points } = item;
  const written = countExpired(item);
  if (written === undefined) return { pending_points };
  const lapsed = sumPoints(lots) - sumPoints(findLiveLots(lots, formatDay(now)));
  return {
    pending_points,
    expired_points: written + lapsed,
    subtracted_points: Math.max(0, gone(item) - written),
  };
}

/** Completes an older card by the expired points in its ledger. Newer cards cost no call. */
export async function completeExpired<I extends CardItem>(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  item: I,
): Promise<I> {
  const { id, ledger_entries } = item;
  if (item.expired_points !== undefined) return item;
  const known = countExpired(item);
  if (known !== undefined || ledger_entries === 0) return { ...item, expired_points: known ?? 0 };
  const keyOf = (number: number) => ledgerEntryKey(project.id, id, number);
  const entries = await readBetween(table, keyOf(1), keyOf(ledger_entries));
  const lapsed = entries.filter(({ type }) => type === 'POINTS_EXPIRATION').reduce((sum, one) => sum - one.points, 0);
  return { ...item, expired_points: lapsed };
}
