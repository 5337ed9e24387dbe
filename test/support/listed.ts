import { expect } from 'vitest';
import { placeTier, promotionTierItem, promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { parseStored } from '#kernel/table/item.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime } from './dependencies.ts';

export function tableOfFile(): Table {
  const { dynamodb, tableName } = testDependencies();
  return new Table(dynamodb, tableName, testTime);
}

/** Checks that these promotion tiers exist, and that their own fields decide their place in each list. */
export async function expectTiersListed(projectId: string, tierIds: readonly string[]): Promise<void> {
  const tiers = await tableOfFile().getMany(tierIds.map((id) => promotionTiers(projectId, id)));
  for (const tier of tiers) {
    expect(tier).toMatchObject(placeTier(projectId, parseStored(promotionTierItem, tier ?? {})));
  }
}
