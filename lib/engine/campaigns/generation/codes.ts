import { noteProgress } from '#kernel/kit/jobs/action.ts';
import { insertAll } from '#kernel/kit/jobs/insert-all.ts';
import { queueOfKind, reopenJob } from '#kernel/kit/jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { type Insertion, insertManyLimit } from '#kernel/table/command.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type Key, keyOf } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { campaigns } from '../campaign.ts';
import { endGeneration, parseGenerated } from './end-generation.ts';
import { type CodesJob, type CodesUpdate, chunkJobItem, codesJobItem, countChunks, newChunkJob } from './job.ts';

/** A run notes its progress after this many chunks. */
const chunksAtOnce = 4 * insertManyLimit;

/**
 * Divides the codes of a generation into chunks, and stays open until the last chunk is done. If the campaign is
 * deleted, each chunk ends without codes. A resumed generation reopens failed chunks.
 */
export const generateCodes: Work = {
  run: async (context, stored): Promise<RunOutcome> => {
    const { table, now, isTimeUp } = context;
    const job = parseStored(codesJobItem, stored);
    const key = keyOf(job);
    const { id: projectId } = await context.project();
    const chunks = countChunks(job.steps);
    for (let { position } = job; position < chunks; position += chunksAtOnce) {
      const count = Math.min(chunksAtOnce, chunks - position);
      const items = Array.from({ length: count }, (_, offset) => newChunkJob(projectId, job, position + offset, now));
      const inserted = await insertAll(table, items, context);
      if (!inserted) return 'later';
      const there = items.filter((_, index) => !inserted[index]);
      if (there.length > 0) await handOutAgain(context, key, there);
      await table.change(
        key,
        noteProgress<CodesUpdate>(new Update(), job, now)
          .whenStill('state', 'OPEN')
          .set(['position'], position + count)
          .build(),
      );
      if (isTimeUp()) return 'later';
    }
    const handedOut = await table.get(key, codesJobItem);
    if (handedOut?.state !== 'OPEN' || handedOut.chunks_open > 0) return 'waiting';
    await end(context, handedOut, handedOut.chunks_failed > 0);
    return 'done';
  },

  giveUp: async (context, job) => end(context, parseStored(codesJobItem, job), true),
};

async function end({ table, now }: JobContext, job: CodesJob, isFailed: boolean): Promise<void> {
  const { project_id = '', about } = job;
  const [stored] = await table.getMany([campaigns(project_id, about)], { deletedToo: true });
  const { done } = await table.transact(
    endGeneration(project_id, job, { campaign: parseGenerated(stored), isFailed, now }),
  );
  if (!done) throw new Error('the generation has ended already, or its campaign has changed since');
}

/** Sends the open chunks of an earlier run to the queue again, after reopening failed chunks. */
async function handOutAgain({ table, now, queues }: JobContext, jobKey: Key, items: readonly Insertion[]) {
  const found = await table.getMany(items.map(({ key }) => key));
  const open: Key[] = [];
  for (const item of found) {
    if (!item) continue;
    const { state } = parseStored(chunkJobItem, item);
    const key = keyOf(item);
    if (state === 'FAILED') {
      const counted = new Update().whenThere().add('chunks_open', 1).add('chunks_failed', -1);
      await table.transact([
        { key, change: reopenJob(key, now).build() },
        { key: jobKey, change: counted.build() },
      ]);
    }
    if (state !== 'DONE') open.push(key);
  }
  await queues.send(
    queueOfKind['generate-chunk'],
    open.map((key) => ({ key })),
  );
}
