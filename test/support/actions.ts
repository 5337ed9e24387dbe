import type { Dependencies } from '#kernel/http/composition.ts';
import { startAction } from '#kernel/kit/jobs/action.ts';
import { commit } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { testTime } from './dependencies.ts';

/** The id in the documented example. */
export const exampleAction = 'aa_of_the_example';

/** Inserts a finished action, because no project file contains an action. */
export async function insertAction(projectId: string, { dynamodb, tableName }: Dependencies, id = exampleAction) {
  const context = { project: { id: projectId }, now: testTime, requestId: 'request-1' };
  const action = { id, kind: 'finish-update', type: 'CAMPAIGN.VOUCHERS_UPDATE', about: 'camp_morning' } as const;
  const { key, insert } = startAction(context, { ...action, steps: 0 });
  const { dueShard: _, dueAt: __, ...ended } = insert;
  await commit(new Table(dynamodb, tableName, testTime), [{ key, insert: { ...ended, state: 'DONE' } }]);
}
