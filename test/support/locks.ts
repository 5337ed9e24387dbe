import { lockItem } from '#engine/holds/locks.ts';
import { makeSession, type SentSession } from '#engine/holds/session.ts';
import { listVoucherKeys } from '#engine/vouchers/find-voucher.ts';
import { voucherItem } from '#engine/vouchers/voucher.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { commit } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime } from './dependencies.ts';

/** The session key of the documented example. */
export const exampleSession = 'ssn_of_the_example';

interface Locked {
  code: string;
  session: SentSession;
  by?: Record<string, number>;
}

/** Inserts a voucher locked by a session, because no project file contains a lock. */
export async function insertLock(
  projectId: string,
  { code, session, by = { quantity: 1 } }: Locked,
  { dynamodb, tableName }: Dependencies = testDependencies(),
  now = testTime,
) {
  const table = new Table(dynamodb, tableName, now);
  const project = await findProject(table, projectId);
  if (!project) throw new Error(`${projectId} was not loaded`);
  const [place] = listVoucherKeys(project, code);
  if (!place) throw new Error('a voucher has a key');
  const [item] = await table.getMany([place]);
  const key = { ...place, kind: 'VOUCHER', project: projectId, schema: voucherItem };
  const done = await commit(
    table,
    lockItem({ key, item, by, judgedBy: [] }, makeSession(session, now), { now, endedAround: 0 }),
  );
  if (!done) throw new Error(`${code} was not locked`);
}

/** Inserts the lock that lets the demo's example succeed. */
export function insertExampleLock(projectId: string, dependencies: Dependencies, mark = '') {
  const locked = { code: `TIDE-ASLEEP${mark}`, session: { key: exampleSession + mark, ttl: 36_500 } };
  return insertLock(projectId, locked, dependencies);
}
