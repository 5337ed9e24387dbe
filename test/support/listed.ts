import { expect } from 'vitest';
import { promotionTierItem, promotionTiers, tierPlaces } from '../../lib/campaigns/promotions/promotion-tier.ts';
import { parseStored } from '../../lib/table/item.ts';
import { Table } from '../../lib/table/table.ts';
import { testDependencies, testTime } from './dependencies.ts';

export function tableOfFile(): Table {
  const { dynamodb, tableName } = testDependencies();
  return new Table(dynamodb, tableName, testTime);
}

/** The promotion tiers with these ids are there, and stand in their lists where their own fields put them. */
export async function expectTiersListed(projectId: string, tierIds: readonly string[]): Promise<void> {
  const tiers = await tableOfFile().getMany(tierIds.map((id) => promotionTiers(projectId, id)));
  for (const tier of tiers) {
    expect(tier).toMatchObject(tierPlaces(projectId, parseStored(promotionTierItem, tier ?? {})));
  }
}
