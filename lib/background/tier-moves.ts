import { redeemByItself } from '../checkout/redemptions/redeem-by-itself.ts';
import type { Dependencies } from '../http/composition.ts';
import { rewardMoves } from '../loyalty/earning/tier-moves.ts';
import { type Key, projectIdOf } from '../table/keys.ts';
import { Table } from '../table/table.ts';

/**
 * Redeems automatic rewards for the points under the key, and applies earning rules to its moves between tiers, which removes the mark. It
 * may be repeated.
 */
export async function followMove(
  key: Key,
  { dynamodb, tableName, clock, credentialCache }: Dependencies,
): Promise<void> {
  const now = clock();
  const table = new Table(dynamodb, tableName, now);
  const project = await credentialCache.project(table, projectIdOf(key), now);
  if (!project) return;
  await redeemByItself({ table, project, now }, key);
  await rewardMoves({ table, project, now }, key);
}
