import { expect } from 'vitest';
import { type Attributes, Table } from '../../lib/dynamodb.ts';
import type { Listing } from '../../lib/lists/counted-list.ts';
import { promotionTierListing } from '../../lib/promotions/promotion-tier.ts';
import { behindEntries, behindSegments, keys, listKeys } from '../../lib/table.ts';
import { testDependencies, testTime } from './dependencies.ts';

const { dynamodb, tableName } = testDependencies();
const table = new Table(dynamodb, tableName, testTime);

/** Every list of the elements has each of them in its place, nothing else, and counts them right. */
export async function expectListed({ placesOf }: Listing, elements: readonly Attributes[]): Promise<void> {
  const wanted = elements.flatMap((element) => placesOf(element).map((place) => ({ ...place, id: element.id })));
  for (const [list, places] of Map.groupBy(wanted, ({ list }) => list)) {
    const entries = await table.query({ partition: list, from: listKeys.entry(list, '').sk, to: behindEntries });
    expect(entries.map(({ sk, id }) => ({ sk, id }))).toEqual(
      places.map(({ at, id }) => ({ sk: listKeys.entry(list, at).sk, id })).toSorted((a, b) => (a.sk < b.sk ? -1 : 1)),
    );
    const segments = await table.query({ partition: list, from: listKeys.segment(list, '').sk, to: behindSegments });
    expect(segments.reduce((sum, { count }) => sum + Number(count), 0)).toBe(places.length);
    expect((await table.getMany([listKeys.head(list)]))[0]).toMatchObject({ total: places.length });
  }
}

/** So do the lists of the promotion tiers with these ids, which are all there. */
export async function expectTiersListed(projectId: string, tierIds: readonly string[]): Promise<void> {
  const tiers = await table.getMany(tierIds.map((id) => keys.promotionTier(projectId, id)));
  await expectListed(
    promotionTierListing(projectId),
    tiers.map((tier) => tier ?? {}),
  );
}
