import { rewardMoves } from './earning/tier-moves.ts';
import type { Dependencies } from './http/composition.ts';
import { type Key, projectIdOf } from './table/keys.ts';
import { Table } from './table/table.ts';

/** Asks the earning rules what they give for the moves between tiers that stand under the key. May be repeated. */
export async function followMove(
  key: Key,
  { dynamodb, tableName, clock, credentialCache }: Dependencies,
): Promise<void> {
  const now = clock();
  const table = new Table(dynamodb, tableName, now);
  const project = await credentialCache.project(table, projectIdOf(key), now);
  if (project) await rewardMoves({ table, project, now }, key);
}
