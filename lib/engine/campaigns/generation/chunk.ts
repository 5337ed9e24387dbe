import { takeFrom } from '#engine/ledger/codes/code-space.ts';
import { insertAll } from '#kernel/kit/jobs/insert-all.ts';
import { maxCallsAtOnce } from '#kernel/kit/jobs/insert-flow.ts';
import { endJob, failJob, requireOpenJob } from '#kernel/kit/jobs/job.ts';
import type { JobContext, RunOutcome, Work } from '#kernel/kit/jobs/run.ts';
import { type Insertion, insertManyLimit, type Write } from '#kernel/table/command.ts';
import { mergeEffects } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { type Key, keyOf } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import { Update } from '#kernel/table/update.ts';
import { type CampaignUpdate, campaigns } from '../campaign.ts';
import { countCreated } from '../voucher-content.ts';
import { planDraws } from './draws.ts';
import { endGeneration, type GeneratedCampaign, isDeleted, parseGenerated } from './end-generation.ts';
import {
  type ChunkJob,
  type CodesJob,
  type CodesUpdate,
  chunkJobItem,
  codesJobItem,
  codesJobs,
  placeChunk,
} from './job.ts';

interface Progress {
  position: number;
  taken: number;
}

/** A run may have made this many draws without noting them. */
const mostAhead = maxCallsAtOnce * insertManyLimit;

/** Generates one chunk of codes. Every run draws the same codes, inserts refuse taken codes, and the chunk counts once. */
export const generateChunk: Work = {
  run: async (context, stored): Promise<RunOutcome> => {
    const { table, flow, isTimeUp } = context;
    const job = parseStored(chunkJobItem, stored);
    const project = await context.project();
    const { generation, campaign } = await readBeside(table, job);
    if (!generation || !campaign || isDeleted(campaign)) return close(context, job, job.taken);
    const chunk = planDraws(project, campaign, generation, job);
    let at: Progress = job;
    const { count } = chunk.place;
    const draws = chunk.from(at.position);
    while (at.taken < count) {
      const codes = [...takeFrom(draws, Math.min(count - at.taken, flow.callsAtOnce * insertManyLimit))];
      if (codes.length === 0) break;
      const writes = codes.map((code, offset) => chunk.write(code, at.position + offset));
      const inserted = await insertAll(table, writes, context);
      if (!inserted) return 'later';
      const refused = writes.filter((_, index) => !inserted[index]);
      const next = {
        position: at.position + codes.length,
        taken: at.taken + codes.length - refused.length + (await countOwn(table, refused)),
      };
      if (next.taken < count) {
        if (!(await note(table, keyOf(job), at, next)) || isTimeUp()) return 'later';
        // A campaign that is being deleted gets no more codes. Its list already has the earlier codes.
        if (isDeleted((await readBeside(table, job)).campaign)) return close(context, job, next.taken);
      }
      at = next;
    }
    return close(context, job, at.taken);
  },

  /** Includes codes that were drawn after the last note. */
  giveUp: async (context, stored) => {
    const { table } = context;
    const job = parseStored(chunkJobItem, stored);
    const { generation, campaign } = await readBeside(table, job);
    if (!generation || !campaign || isDeleted(campaign)) {
      await close(context, job, job.taken);
      return;
    }
    const chunk = planDraws(await context.project(), campaign, generation, job);
    const ahead = [...takeFrom(chunk.from(job.position), Math.min(mostAhead, chunk.place.count - job.taken))];
    const own = await countOwn(
      table,
      ahead.map((code, offset) => chunk.write(code, job.position + offset)),
    );
    await close(context, job, job.taken + own);
  },
};

/** Reads the chunk's generation and campaign, if they exist. A deleted campaign is read as well. */
async function readBeside(table: Table, { project_id = '', campaign_id, generation_id }: ChunkJob) {
  const keys = [codesJobs(project_id, generation_id), campaigns(project_id, campaign_id)];
  const [generation, campaign] = await table.getMany(keys, { deletedToo: true });
  return { generation: generation && parseStored(codesJobItem, generation), campaign: parseGenerated(campaign) };
}

/** Counts the codes that another run has inserted for this chunk. */
async function countOwn(table: Table, writes: readonly Insertion[]): Promise<number> {
  const there = writes.length > 0 ? await table.getMany(writes.map(({ key }) => key)) : [];
  return writes.filter(({ item }, index) => there[index]?.origin === item.origin).length;
}

/** Notes the progress. Returns `false` if another run has passed this position. */
async function note(table: Table, key: Key, at: Progress, next: Progress): Promise<boolean> {
  const noted = new Update<typeof chunkJobItem>()
    .whenStill('state', 'OPEN')
    .whenStill('position', at.position)
    .set(['position'], next.position)
    .set(['taken'], next.taken);
  return (await table.change(key, noted.build())).done;
}

/** Limits the retries of chunks that end simultaneously. */
const maxRounds = 100;

/** Ends the chunk and counts its codes; the last one ends its generation in the same write. */
async function close(context: JobContext, job: ChunkJob, taken: number): Promise<RunOutcome> {
  const { table, now } = context;
  for (let round = 0; round < maxRounds; round++) {
    const { generation, campaign } = await readBeside(table, job);
    const outcome = await table.transact(buildClosing(job, taken, { generation, campaign, now }));
    // If the chunk refuses, another run has ended it. If another item refuses, another chunk ended after the read.
    if (outcome.done || outcome.refused[0]?.failed) return 'done';
  }
  throw new Error('other chunks of the generation kept ending at the same time');
}

interface Surroundings {
  generation: CodesJob | undefined;
  campaign: GeneratedCampaign;
  now: Date;
}

function buildClosing(job: ChunkJob, taken: number, { generation, campaign, now }: Surroundings): Write[] {
  const { project_id: projectId = '' } = job;
  const isCampaignDeleted = isDeleted(campaign);
  const isShort =
    !isCampaignDeleted && generation !== undefined && taken < placeChunk(job.index, generation.steps).count;
  const chunk: Update<typeof chunkJobItem> = isShort ? failJob().remove(['dueShard']).remove(['dueAt']) : endJob(now);
  const ended: Write = { key: keyOf(job), change: requireOpenJob(chunk.set(['counted'], taken)).build() };
  if (!generation) return [ended];

  const made = taken - job.counted;
  const { chunks_open: open, chunks_failed: failed } = generation;
  const parts: { job: CodesUpdate; campaign: CampaignUpdate } = {
    job: new Update()
      .add('chunks_open', -1)
      .add('chunks_failed', isShort ? 1 : 0)
      .add('done_count', made),
    campaign: isCampaignDeleted ? new Update() : new Update().add('vouchers_count', made).add('codes_pending', -made),
  };
  const created =
    isCampaignDeleted || !campaign
      ? []
      : mergeEffects(countCreated(projectId, campaign, made, now)).map(({ write }) => write);
  // A generation that could not hand out all its chunks has ended before its chunks.
  if (open === 1 && generation.state === 'OPEN') {
    parts.job.whenStill('chunks_open', 1).whenStill('chunks_failed', failed);
    return [
      ended,
      ...endGeneration(projectId, generation, { campaign, isFailed: isShort || failed > 0, now }, parts),
      ...created,
    ];
  }
  const counted = parts.job.whenThere().set(['updated_at'], now.toISOString());
  if (open > 1) counted.whenAtLeast('chunks_open', 2);
  return [
    ended,
    { key: codesJobs(projectId, generation.id), change: counted.build() },
    ...(isCampaignDeleted || !campaign
      ? []
      : [{ key: campaigns(projectId, campaign.id), change: parts.campaign.whenThere().build() }]),
    ...created,
  ];
}
