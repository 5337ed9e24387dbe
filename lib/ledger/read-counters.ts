import type { Reading } from '../http/context.ts';
import { readBetween } from '../table/read.ts';
import type { CardItem } from './card.ts';
import { countExpired } from './counters.ts';
import { ledgerEntryKey } from './ledger-entry.ts';

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
