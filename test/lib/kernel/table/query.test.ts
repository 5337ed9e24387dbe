import { beforeAll, describe, expect, test } from 'vitest';
import { testTime, uniqueId } from '../../../support/dependencies.ts';
import { tableOfFile } from '../../../support/listed.ts';

const table = tableOfFile();

describe('a query', () => {
  const partition = uniqueId('proj_');
  const keyAt = (index: number) => ({ pk: partition, sk: `N#${String(index).padStart(3, '0')}` });
  const customer = uniqueId('cust_');

  beforeAll(async () => {
    const all = Array.from({ length: 30 }, (_, index) => index);
    await Promise.all(
      all.map((index) =>
        table.insert(keyAt(index), {
          index,
          sequence: 100 - index,
          gsi1pk: customer,
          gsi1sk: `2026-01-${String(index + 1).padStart(2, '0')}`,
          ...(index === 3 ? { expiresAt: testTime.getTime() / 1000 } : {}),
        }),
      ),
    );
  });

  const indexes = (items: Record<string, unknown>[]) => items.map(({ index }) => index);

  test('reads a partition in order, both ways, within inclusive bounds, without expired items', async () => {
    expect(indexes(await table.query({ partition, from: 'N#002', to: 'N#005' }))).toEqual([2, 4, 5]);
    expect(indexes(await table.query({ partition, from: 'N#027' }))).toEqual([27, 28, 29]);
    expect(indexes(await table.query({ partition, to: 'N#001', descending: true }))).toEqual([1, 0]);
  });

  test('stops at its limit, and reads no more than that takes', async () => {
    const own = tableOfFile();
    expect(indexes(await own.query({ partition, limit: 3 }))).toEqual([0, 1, 2]);
    expect(own.meter.calls).toBe(1);
    expect(indexes(await own.query({ partition, limit: 4 }))).toEqual([0, 1, 2, 4]);
  });

  test('uses the indexes', async () => {
    const page = { partition: customer, to: '2026-01-20', descending: true, limit: 2 };
    const found = await table.query({ ...page, index: 'gsi1' });
    expect(found.map(({ gsi1sk }) => gsi1sk)).toEqual(['2026-01-20', '2026-01-19']);
  });

  test('transfers only the requested attributes', async () => {
    const query = { partition, from: 'N#004', to: 'N#005', only: ['sequence'] };
    expect(await table.query(query)).toEqual([{ sequence: 96 }, { sequence: 95 }]);
  });

  test('continues beyond the size of one DynamoDB reply', async () => {
    const large = uniqueId('proj_');
    const text = 'x'.repeat(300_000);
    for (let index = 0; index < 8; index++) await table.insert({ pk: large, sk: String(index) }, { index, text });
    const own = tableOfFile();
    expect(indexes(await own.query({ partition: large }))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(own.meter.calls).toBeGreaterThan(1);
    expect(indexes(await own.query({ partition: large, limit: 5 }))).toEqual([0, 1, 2, 3, 4]);
  });
});
