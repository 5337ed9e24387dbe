import type { Dependencies } from '../../lib/http/composition.ts';
import { keepRecords } from '../../lib/redemptions/figures.ts';
import type { RedemptionItem } from '../../lib/redemptions/redemption.ts';
import { commit } from '../../lib/table/effects.ts';
import { Table } from '../../lib/table/table.ts';
import { testDependencies, testTime } from './dependencies.ts';

/** The ids that examples have. */
export const exampleRedemptions = ['r_of_the_example', 'r_of_several', 'r_one_of_several'] as const;

/** A redemption as it is stored, of a voucher unless it says otherwise. */
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

/** Inserts redemptions as the service does. */
export async function insertRedemptions(
  projectId: string,
  items: readonly RedemptionItem[],
  { dynamodb, tableName }: Dependencies = testDependencies(),
) {
  await commit(new Table(dynamodb, tableName, testTime), keepRecords(projectId, items));
}

/** What no project file brings: redemptions of vouchers that are gone, one of them by itself. */
export function insertExampleRedemptions(projectId: string, dependencies: Dependencies, mark = '') {
  const [single, parent, child] = exampleRedemptions.map((id) => id + mark);
  // Young enough to be rolled back by whatever clock.
  const date = '2090-01-01T00:00:00.000Z';
  const ofVoucher = { date, related_object_id: 'v_gone', voucher_code: 'GONE' };
  const items = [
    redemptionOf(single ?? '', ofVoucher),
    redemptionOf(parent ?? '', { date, related_object_type: 'redemption', redemptions: [child ?? ''] }),
    redemptionOf(child ?? '', { ...ofVoucher, redemption: parent ?? '' }),
  ];
  return insertRedemptions(projectId, items, dependencies);
}
