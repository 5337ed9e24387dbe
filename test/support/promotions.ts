import { expect } from 'vitest';
import { Table } from '../../lib/dynamodb.ts';
import { promotionTierListing } from '../../lib/promotions/promotion-tier.ts';
import { behindEntries, behindSegments, keys, listKeys } from '../../lib/table.ts';
import { testDependencies, testTime } from './dependencies.ts';

const { dynamodb, tableName } = testDependencies();

/** Every list of the tiers has each of them in its place, nothing else, and counts them right. */
export async function expectTiersListed(projectId: string, tierIds: readonly string[]): Promise<void> {
  const table = new Table(dynamodb, tableName, testTime);
  const tiers = await table.getMany(tierIds.map((id) => keys.promotionTier(projectId, id)));
  const { placesOf } = promotionTierListing(projectId);
  const wanted = tiers.flatMap((tier) => placesOf(tier ?? {}).map((place) => ({ ...place, id: tier?.id })));
  for (const [list, places] of Map.groupBy(wanted, ({ list }) => list)) {
    const range = { partition: list, from: listKeys.entry(list, '').sk, to: behindEntries };
    const entries = await table.query(range);
    expect(entries.map(({ sk, id }) => ({ sk, id }))).toEqual(
      places.map(({ at, id }) => ({ sk: listKeys.entry(list, at).sk, id })).sort((a, b) => (a.sk < b.sk ? -1 : 1)),
    );
    const segments = await table.query({ partition: list, from: listKeys.segment(list, '').sk, to: behindSegments });
    expect(segments.reduce((sum, { count }) => sum + Number(count), 0)).toBe(places.length);
    expect((await table.getMany([listKeys.head(list)]))[0]).toMatchObject({ total: places.length });
  }
}
