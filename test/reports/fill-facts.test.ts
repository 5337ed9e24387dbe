import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { buildReportQuery } from '#addons/reports/report-query.ts';
import type { RawTable } from '#kernel/table/raw-items.ts';
import { fillStore } from '../../infra/local/facts/keep-facts.ts';
import { noFault, openStore, openWorld } from './world.ts';

/** Notes what is asked of the table. */
function watched({ dynamodb, tableName }: RawTable) {
  const scans: ScanCommandInput[] = [];
  const watching = new Proxy(dynamodb, {
    get: (target, name) => {
      if (name !== 'send') return Reflect.get(target, name);
      return (command: Parameters<typeof dynamodb.send>[0]) => {
        if (command instanceof ScanCommand) scans.push(command.input);
        return target.send(command);
      };
    },
  });
  return { table: { dynamodb: watching, tableName }, scans };
}

test('a fill reads hundreds of items at once and names no segment, and one that was cut off begins again', async () => {
  const customers = Array.from({ length: 700 }, (_, index) => ({
    id: `cust_${index}`,
    created_at: '2026-06-01T10:00:00.000Z',
  }));
  const world = await openWorld({ customers });
  const { store, path } = await openStore();
  const { table, scans } = watched(world.dependencies);
  let asked = 0;
  await fillStore(store, table, path, { note: noFault, isTimeUp: () => ++asked > 1 });
  expect(existsSync(join(path, 'filled-3'))).toBe(false);
  await fillStore(store, table, path, { note: noFault, isTimeUp: () => false });
  expect(existsSync(join(path, 'filled-3'))).toBe(true);
  // The local engine reads its whole table for each page of a segment.
  for (const { Limit = 0, Segment, TotalSegments } of scans) {
    expect({ Segment, TotalSegments }).toEqual({ Segment: undefined, TotalSegments: undefined });
    expect(Limit).toBeGreaterThanOrEqual(500);
  }
  const range = { from: '2026-06-01', to: '2026-06-30', timezone: 'UTC', limit: 10, page: 1 };
  const none = { by: undefined, campaignId: undefined, order: undefined };
  const rows = await store.query(buildReportQuery({ report: 'cohorts', projectId: world.id, ...range, ...none }));
  expect(rows.map((row) => row.customers)).toEqual([700]);
  const before = scans.length;
  await fillStore(store, table, path, { note: noFault, isTimeUp: () => false });
  expect(scans.length).toBe(before);
});
