import { redeemAutomatically } from '#engine/checkout/redemptions/redeem-automatically.ts';
import { rewardMoves } from '#engine/loyalty/earning/tier-moves.ts';
import { inProjectTime } from '#kernel/core/local-time.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { type Key, readProjectId } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';

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
  const project = await credentialCache.project(table, readProjectId(key), now);
  if (!project) return;
  const context = { table, project, now: inProjectTime(now, project) };
  await redeemAutomatically(context, key);
  await rewardMoves(context, key);
}
