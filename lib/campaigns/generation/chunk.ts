import { maxCallsAtOnce } from '../../kit/jobs/flow.ts';
import { insertAll } from '../../kit/jobs/insert-all.ts';
import { jobDone, jobFailed, whileOpen } from '../../kit/jobs/job.ts';
import type { JobContext, Outcome, Work } from '../../kit/jobs/run.ts';
import { take } from '../../ledger/codes/code-space.ts';
import { type Insertion, insertManyLimit, type Write } from '../../table/command.ts';
import { mergedWrites } from '../../table/effects.ts';
import { parseStored } from '../../table/item.ts';
import { type Key, keyOf } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { Update } from '../../table/update.ts';
import { campaigns } from '../campaign.ts';
import { vouchersCreated } from '../voucher-content.ts';
import { drawsOf } from './drawn.ts';
import { type Beside, besideOf, generationEnds, isDeleted } from './ending.ts';
import { type ChunkJob, type CodesJob, chunkJobItem, codesJobItem, codesJobs, placeOf } from './job.ts';

interface Progress {
  position: number;
  taken: number;
}

/** Draws that a run may have made and not noted. */
const mostAhead = maxCallsAtOnce * insertManyLimit;

/**
 * Generates one chunk of codes. Every run draws the same codes, inserts are refused where the code is taken, progress is noted
 * after each wave, and the chunk counts once.
 */
export const generateChunk: Work = {
  run: async (context, stored): Promise<Outcome> => {
    const { table, flow, isTimeUp } = context;
    const job = parseStored(chunkJobItem, stored);
    const project = await context.project();
    const { generation, campaign } = await readBeside(table, job);
    if (!generation || !campaign || isDeleted(campaign)) return close(context, job, job.taken);
    const chunk = drawsOf(project, campaign, generation, job);
    let at: Progress = job;
    const { count } = chunk.place;
    const draws = chunk.from(at.position);
    while (at.taken < count) {
      const codes = [...take(draws, Math.min(count - at.taken, flow.callsAtOnce * insertManyLimit))];
      if (codes.length === 0) break;
      const writes = codes.map((code, offset) => chunk.write(code, at.position + offset));
      const inserted = await insertAll(table, writes, context);
      if (!inserted) return 'later';
      const refused = writes.filter((_, index) => !inserted[index]);
      const next = {
        position: at.position + codes.length,
        taken: at.taken + codes.length - refused.length + (await ownOf(table, refused)),
      };
      if (next.taken < count) {
        if (!(await note(table, keyOf(job), at, next)) || isTimeUp()) return 'later';
        // Nothing is drawn for a campaign that is being deleted: what was stands in its list.
        if (isDeleted((await readBeside(table, job)).campaign)) return close(context, job, next.taken);
      }
      at = next;
    }
    return close(context, job, at.taken);
  },

  /** What was drawn since the last note counts too. */
  giveUp: async (context, stored) => {
    const { table } = context;
    const job = parseStored(chunkJobItem, stored);
    const { generation, campaign } = await readBeside(table, job);
    if (!generation || !campaign || isDeleted(campaign)) {
      await close(context, job, job.taken);
      return;
    }
    const chunk = drawsOf(await context.project(), campaign, generation, job);
    const ahead = [...take(chunk.from(job.position), Math.min(mostAhead, chunk.place.count - job.taken))];
    const own = await ownOf(
      table,
      ahead.map((code, offset) => chunk.write(code, job.position + offset)),
    );
    await close(context, job, job.taken + own);
  },
};

/** The generation that the chunk is a part of, and its campaign, a deleted one too: what is there of them. */
async function readBeside(table: Table, { project_id = '', campaign_id, generation_id }: ChunkJob) {
  const keys = [codesJobs(project_id, generation_id), campaigns(project_id, campaign_id)];
  const [generation, campaign] = await table.getMany(keys, { deletedToo: true });
  return { generation: generation && parseStored(codesJobItem, generation), campaign: besideOf(campaign) };
}

/** How many of these are in the table as the chunk's own, from another run. */
async function ownOf(table: Table, writes: readonly Insertion[]): Promise<number> {
  const there = writes.length > 0 ? await table.getMany(writes.map(({ key }) => key)) : [];
  return writes.filter(({ item }, index) => there[index]?.origin === item.origin).length;
}

/** `false` where another run has gone on from there. */
async function note(table: Table, key: Key, at: Progress, next: Progress): Promise<boolean> {
  const noted = new Update()
    .whenStill('state', 'OPEN')
    .whenStill('position', at.position)
    .set(['position'], next.position)
    .set(['taken'], next.taken);
  return (await table.change(key, noted.build())).done;
}

/** Chunks end at the same time only so often. */
const maxRounds = 100;

/** Ends the chunk and counts its codes; the last one ends its generation in the same write. */
async function close(context: JobContext, job: ChunkJob, taken: number): Promise<Outcome> {
  const { table, now } = context;
  for (let round = 0; round < maxRounds; round++) {
    const { generation, campaign } = await readBeside(table, job);
    const outcome = await table.transact(closing(job, taken, { generation, campaign, now }));
    // Refused by the chunk: another run has ended it. By the others: another chunk was ended meanwhile.
    if (outcome.done || outcome.refused[0]?.failed) return 'done';
  }
  throw new Error('the chunks of a campaign kept ending');
}

interface Surroundings {
  generation: CodesJob | undefined;
  campaign: Beside;
  now: Date;
}

function closing(job: ChunkJob, taken: number, { generation, campaign, now }: Surroundings): Write[] {
  const { project_id: projectId = '' } = job;
  const isGone = isDeleted(campaign);
  const isShort = !isGone && generation !== undefined && taken < placeOf(job.index, generation.steps).count;
  const chunk = isShort ? jobFailed().remove(['dueShard']).remove(['dueAt']) : jobDone(now);
  const ended: Write = { key: keyOf(job), change: whileOpen(chunk.set(['counted'], taken)).build() };
  if (!generation) return [ended];

  const made = taken - job.counted;
  const { chunks_open: open, chunks_failed: failed } = generation;
  const parts = {
    job: new Update()
      .add('chunks_open', -1)
      .add('chunks_failed', isShort ? 1 : 0)
      .add('done_count', made),
    campaign: isGone ? new Update() : new Update().add('vouchers_count', made).add('codes_pending', -made),
  };
  const created =
    isGone || !campaign ? [] : mergedWrites(vouchersCreated(projectId, campaign, made, now)).map(({ write }) => write);
  // One whose codes could not all be handed out has ended before its chunks.
  if (open === 1 && generation.state === 'OPEN') {
    parts.job.whenStill('chunks_open', 1).whenStill('chunks_failed', failed);
    return [
      ended,
      ...generationEnds(projectId, generation, { campaign, isFailed: isShort || failed > 0, now }, parts),
      ...created,
    ];
  }
  const counted = parts.job.whenThere().set(['updated_at'], now.toISOString());
  if (open > 1) counted.whenAtLeast('chunks_open', 2);
  return [
    ended,
    { key: codesJobs(projectId, generation.id), change: counted.build() },
    ...(isGone || !campaign
      ? []
      : [{ key: campaigns(projectId, campaign.id), change: parts.campaign.whenThere().build() }]),
    ...created,
  ];
}
