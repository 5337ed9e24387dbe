import { goesOn } from '../../jobs/action.ts';
import { insertAll } from '../../jobs/insert-all.ts';
import { jobDone, jobFailedAndListed, jobResumed, queueOfKind, whileOpen } from '../../jobs/job.ts';
import type { JobContext, Outcome, Work } from '../../jobs/run.ts';
import { type Insertion, insertManyLimit } from '../../table/command.ts';
import { parseStored } from '../../table/item.ts';
import { type Key, keyOf } from '../../table/keys.ts';
import { Update } from '../../table/update.ts';
import { campaignItem, campaigns } from '../campaign.ts';
import { chunkJob, chunkJobItem, codesJobItem } from './job.ts';

/** Chunks that are handed out between two notes of how far it is. */
const chunksAtOnce = 4 * insertManyLimit;

/**
 * Divides a campaign's codes into chunks, and stays open until the last is done. Resumed, it reopens failed chunks.
 */
export const generateCodes: Work = {
  run: async (context, stored): Promise<Outcome> => {
    const { table, now, isTimeUp } = context;
    const job = parseStored(codesJobItem, stored);
    const key = keyOf(job);
    const project = await context.project();
    const campaignKey = campaigns(project.id, job.about);
    const campaign = await table.get(campaignKey, campaignItem);
    if (!campaign?.generation) {
      await table.change(key, whileOpen(jobDone(now)).build());
      return 'done';
    }
    const { chunks } = campaign.generation;
    if (chunks === 0) {
      await table.transact([
        { key, change: whileOpen(jobDone(now)).build() },
        { key: campaignKey, change: statuses('DONE').build() },
      ]);
      return 'done';
    }
    for (let { position } = job; position < chunks; position += chunksAtOnce) {
      const count = Math.min(chunksAtOnce, chunks - position);
      const items = Array.from({ length: count }, (_, offset) =>
        chunkJob(project.id, job.about, position + offset, now),
      );
      const inserted = await insertAll(table, items, context);
      if (!inserted) return 'later';
      const there = items.filter((_, index) => !inserted[index]);
      if (there.length > 0) await handOutAgain(context, campaignKey, there);
      await table.change(
        key,
        goesOn(new Update(), job, now)
          .whenStill('state', 'OPEN')
          .set(['position'], position + count)
          .build(),
      );
      if (isTimeUp()) return 'later';
    }
    return 'waiting';
  },

  giveUp: async ({ table, now }, job) => {
    const { done } = await table.transact([
      { key: keyOf(job), change: whileOpen(jobFailedAndListed(now)).build() },
      { key: campaigns(job.project_id ?? '', job.about), change: statuses('FAILED').build() },
    ]);
    if (!done) throw new Error('the campaign of a job is not there, or has its codes');
  },
};

/** Of a campaign whose codes are being generated. */
export function statuses(status: 'DONE' | 'FAILED'): Update {
  return new Update()
    .whenStill('creation_status', 'IN_PROGRESS')
    .set(['creation_status'], status)
    .set(['vouchers_generation_status'], status);
}

/** Chunks that were there already: those that are open go to the queue once more, those that have failed are opened first. */
async function handOutAgain({ table, now, queues }: JobContext, campaignKey: Key, items: readonly Insertion[]) {
  const found = await table.getMany(items.map(({ key }) => key));
  const open: Key[] = [];
  for (const item of found) {
    if (!item) continue;
    const { state } = parseStored(chunkJobItem, item);
    const key = keyOf(item);
    if (state === 'FAILED') {
      const counted = new Update().whenThere().addIn(['generation', 'open'], 1).addIn(['generation', 'failed'], -1);
      await table.transact([
        { key, change: jobResumed(key, now).build() },
        { key: campaignKey, change: counted.build() },
      ]);
    }
    if (state !== 'DONE') open.push(key);
  }
  await queues.send(
    queueOfKind['generate-chunk'],
    open.map((key) => ({ key })),
  );
}
