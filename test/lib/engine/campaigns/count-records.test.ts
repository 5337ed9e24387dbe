import { expect, test } from 'vitest';
import { countCampaigns } from '#engine/campaigns/count-records.ts';
import { counterBehind } from '#engine/campaigns/counters.ts';
import { ledgerEntryKey } from '#engine/ledger/ledger-entry.ts';
import { pendingPoints } from '#engine/ledger/pending-points.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { type ItemKey, itemMarks } from '#kernel/table/kind.ts';
import { Table } from '#kernel/table/table.ts';
import { fenceOf } from '#kernel/table/tombstone.ts';
import { changesOf } from '../../../support/changes.ts';
import { testDependencies, testTime } from '../../../support/dependencies.ts';
import { programme } from '../../../support/loyalty.ts';
import { recordOf } from '../../../support/outbox.ts';
import { loadProject } from '../../../support/project.ts';

test('an item that a restore copies back is not counted again for its campaign, and its changes are', async () => {
  const { id } = await loadProject({ campaigns: [programme('camp_club')] });
  const { dynamodb, tableName } = testDependencies();
  const table = new Table(dynamodb, tableName, testTime);
  const day = counterBehind(id, 'camp_club', '2026-06-15');
  const itemAt = (key: ItemKey, more: object) => {
    const fields = { type: 'POINTS_ACCRUAL', points: 5, campaign_id: 'camp_club', created_at: testTime.toISOString() };
    return { ...stripKey(key), ...itemMarks(key), ...fields, ...more };
  };
  const entry = (number: number, more: object) => itemAt(ledgerEntryKey(id, 'v_1', number), more);
  const pending = (points: number, more: object) =>
    itemAt(pendingPoints(id, 'v_1', 'lopp_1'), { state: 'PENDING', points, ...more });
  const copied = { copied_back_at: '2026-06-16T12:00:00.000Z' };
  const numbered = (record: ReturnType<typeof recordOf>, SequenceNumber: string) => ({
    ...record,
    dynamodb: { ...record.dynamodb, SequenceNumber },
  });
  await countCampaigns(
    table,
    'shard-1',
    changesOf([
      numbered(recordOf(entry(1, {})), '1'),
      numbered(recordOf(entry(2, copied)), '2'),
      numbered(recordOf(pending(7, copied), 'MODIFY', pending(4, {})), '3'),
      numbered(recordOf(pending(9, copied), 'MODIFY', pending(7, copied)), '4'),
    ]),
  );
  expect(await table.get(day, day.schema)).toMatchObject({ points_rewarded: 5, pending_points_added: 2 });
});

test('an item in the place of a tombstone that only kept its key counts as new', async () => {
  const { id } = await loadProject({ campaigns: [programme('camp_club')] });
  const { dynamodb, tableName } = testDependencies();
  const table = new Table(dynamodb, tableName, testTime);
  const day = counterBehind(id, 'camp_club', '2026-06-15');
  const key = ledgerEntryKey(id, 'v_1', 1);
  const fields = { type: 'POINTS_ACCRUAL', points: 5, campaign_id: 'camp_club', created_at: testTime.toISOString() };
  const place = { ...stripKey(key), ...itemMarks(key) };
  const replaced = recordOf({ ...place, ...fields }, 'MODIFY', { ...place, ...fenceOf(testTime) });
  await countCampaigns(
    table,
    'shard-1',
    changesOf([{ ...replaced, dynamodb: { ...replaced.dynamodb, SequenceNumber: '1' } }]),
  );
  expect(await table.get(day, day.schema)).toMatchObject({ points_rewarded: 5 });
});
