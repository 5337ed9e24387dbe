import type { Reading } from '../../http/context.ts';
import { endJob, requireOpenJob } from '../../kit/jobs/job.ts';
import type { Work } from '../../kit/jobs/run.ts';
import { read } from '../../table/read.ts';
import { Update } from '../../table/update.ts';
import { behindJobKey, behindParts, parseWrites } from './keep-writes.ts';

/** Returns the open job with its number of finished parts, or nothing if all are finished or none was stored. */
async function madeOf({ table, project }: Pick<Reading, 'table' | 'project'>, id: string) {
  const { job } = await read(table, { job: behindJobKey(project.id, id) });
  return job?.state === 'OPEN' ? job : undefined;
}

/** Makes the next part and notes it in one transaction, so that a second worker makes nothing. */
async function makePart(
  { table, project, now }: Pick<Reading, 'table' | 'project' | 'now'>,
  id: string,
  { parts, made }: { parts: number; made: number },
): Promise<void> {
  const { part } = await read(table, { part: behindParts(project.id, id, String(made)) });
  if (!part) throw new Error('writes behind a transaction are missing');
  const progress = requireOpenJob(new Update())
    .whenStill('made', made)
    .set(['made'], made + 1);
  const change = (made + 1 === parts ? endJob(now, progress) : progress).build();
  const outcome = await table.transact([...parseWrites(part.writes), { key: behindJobKey(project.id, id), change }]);
  if (outcome.done || (await madeOf({ table, project }, id))?.made !== made) return;
  throw new Error('writes behind a transaction were refused');
}

/** Makes all stored writes. Returns when they are made, also by another worker. */
export async function makeWritesBehind(context: Pick<Reading, 'table' | 'project' | 'now'>, id: string): Promise<void> {
  for (let job = await madeOf(context, id); job; job = await madeOf(context, id)) await makePart(context, id, job);
}

/** Makes the writes of a request that died or failed. */
export const writeBehind: Work = {
  run: async (context, job) => {
    const { table, now } = context;
    await makeWritesBehind({ table, now, project: await context.project() }, job.about);
    return 'done';
  },
};
