import { keepRecords } from '#engine/checkout/redemptions/figures.ts';
import type { RedemptionItem } from '#engine/checkout/redemptions/redemption.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { commit } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime } from './dependencies.ts';
import { exampleItems } from './example-redemptions.ts';

/** Makes a stored redemption. It is of a voucher unless `more` says otherwise. */
export function redemptionOf(id: string, more: Partial<RedemptionItem> = {}): RedemptionItem {
  return {
    id,
    object: 'redemption',
    date: testTime.toISOString(),
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    related_object_type: 'voucher',
    channel: { channel_id: 'demo-app', channel_type: 'API' },
    ...more,
  };
}

/** Inserts redemptions in the same way as the service. */
export async function insertRedemptions(
  projectId: string,
  items: readonly RedemptionItem[],
  { dynamodb, tableName }: Dependencies = testDependencies(),
) {
  await commit(new Table(dynamodb, tableName, testTime), keepRecords(projectId, items));
}

export function insertExampleRedemptions(projectId: string, dependencies: Dependencies, mark = '') {
  return insertRedemptions(projectId, exampleItems(mark), dependencies);
}
