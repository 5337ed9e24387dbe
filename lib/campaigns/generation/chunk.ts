import { createHmac } from 'node:crypto';
import { codeSpace, drawCodes, take } from '../../codes/code-space.ts';
import { voucherId } from '../../codes/voucher-id.ts';
import { voucherPlaces } from '../../codes/voucher-lists.ts';
import { actions } from '../../jobs/action.ts';
import { maxCallsAtOnce } from '../../jobs/flow.ts';
import { insertAll } from '../../jobs/insert-all.ts';
import { jobDone, jobFailed, jobFailedAndListed, whileOpen } from '../../jobs/job.ts';
import type { JobContext, Outcome, Work } from '../../jobs/run.ts';
import { cards } from '../../ledger/card.ts';
import type { Project } from '../../projects/project.ts';
import { type Insertion, insertManyLimit, type Write } from '../../table/command.ts';
import { parseStored } from '../../table/item.ts';
import { type Key, keyOf } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { Update } from '../../table/update.ts';
import { type CampaignItem, campaignItem, campaigns } from '../campaign.ts';
import { statuses } from './codes.ts';
import { type ChunkJob, chunkJobItem, placeOf } from './job.ts';

type Generation = NonNullable<CampaignItem['generation']>;
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
    const chunk = await readChunk(table, project, job);
    if (!chunk) return closeWithoutCampaign(context, keyOf(job));
    let at: Progress = job;
    const { count } = chunk.place;
    const draws = chunk.drawFrom(at.position);
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
      }
      at = next;
    }
    await close(context, project, job, at.taken);
    return 'done';
  },

  giveUp: async (context, stored) => {
    const { table } = context;
    const job = parseStored(chunkJobItem, stored);
    const project = await context.project();
    const chunk = await readChunk(table, project, job);
    if (!chunk) {
      await closeWithoutCampaign(context, keyOf(job));
      return;
    }
    const ahead = [...take(chunk.drawFrom(job.position), Math.min(mostAhead, chunk.place.count - job.taken))];
    const own = await ownOf(
      table,
      ahead.map((code, offset) => chunk.write(code, job.position + offset)),
    );
    await close(context, project, job, job.taken + own);
  },
};

/** The key of a campaign's code order, without which codes are unpredictable. */
function orderKey(project: Project, campaignId: string): Buffer {
  return createHmac('sha256', project.codeKey).update(campaignId).digest();
}

/** `undefined` where the campaign is gone. */
async function readChunk(table: Table, project: Project, { campaign_id, index }: ChunkJob) {
  const campaign = await table.get(campaigns(project.id, campaign_id), campaignItem);
  if (!campaign?.generation) return undefined;
  const outcome = codeSpace(campaign.voucher?.code_config ?? {});
  if ('faults' in outcome) throw new Error('the code configuration of a campaign is not valid');
  const { space } = outcome;
  const place = placeOf(index, campaign.generation);
  return {
    place,
    drawFrom: (position: number) => drawCodes(space, orderKey(project, campaign.id), place, position),
    write: (code: string, draw: number) => voucherWrite(project, campaign, code, `${campaign.id} ${index} ${draw}`),
  };
}

/**
 * Stored like loaded vouchers; the rest is inherited at reading. `origin` names the draw that made it, so that a repeated draw
 * recognises its own code.
 */
function voucherWrite(project: Project, campaign: CampaignItem, code: string, origin: string): Insertion {
  const id = voucherId(project, code);
  const made = {
    id,
    code,
    type: campaign.voucher?.type ?? 'DISCOUNT_VOUCHER',
    campaign_id: campaign.id,
    active: true,
    is_referral_code: campaign.voucher?.is_referral_code ?? false,
    redemption_quantity: campaign.voucher?.redemption?.quantity ?? undefined,
    created_at: campaign.created_at,
    origin,
  };
  return { key: cards(project.id, id), item: { ...made, ...voucherPlaces(project.id, made) } };
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

async function closeWithoutCampaign({ table, now }: JobContext, key: Key): Promise<Outcome> {
  await table.change(key, whileOpen(jobDone(now)).build());
  return 'done';
}

/** Chunks end at the same time only so often. */
const maxRounds = 100;

/** Ends the chunk and counts its codes; the last one moves the campaign's statuses and ends its job in the same write. */
async function close(context: JobContext, project: Project, job: ChunkJob, taken: number): Promise<void> {
  const { table } = context;
  const campaignKey = campaigns(project.id, job.campaign_id);
  for (let round = 0; round < maxRounds; round++) {
    const campaign = await table.get(campaignKey, campaignItem);
    if (!campaign?.generation) {
      await closeWithoutCampaign(context, keyOf(job));
      return;
    }
    const outcome = await table.transact(closing(context, job, taken, campaign, campaign.generation));
    // Refused by the chunk: another run has ended it. By the campaign: another chunk was ended meanwhile.
    if (outcome.done || outcome.refused[0]?.failed) return;
  }
  throw new Error('the chunks of a campaign kept ending');
}

function closing(
  { now }: JobContext,
  job: ChunkJob,
  taken: number,
  campaign: CampaignItem,
  { chunks, total, open, failed, action_id }: Generation,
): Write[] {
  const isShort = taken < placeOf(job.index, { chunks, total }).count;
  const chunk = whileOpen(isShort ? jobFailed().remove(['dueShard']).remove(['dueAt']) : jobDone(now));
  const made = taken - job.counted;
  const counted = (counts: Update, action: Update): Write[] => [
    { key: keyOf(job), change: chunk.set(['counted'], taken).build() },
    {
      key: campaigns(job.project_id ?? '', job.campaign_id),
      change: counts
        .add('vouchers_count', made)
        .addIn(['generation', 'open'], -1)
        .addIn(['generation', 'failed'], isShort ? 1 : 0)
        .build(),
    },
    {
      key: actions(job.project_id ?? '', action_id),
      change: action.whenThere().set(['updated_at'], now.toISOString()).add('done_count', made).build(),
    },
  ];
  // A campaign whose codes could not all be handed out has ended before its chunks.
  const isLast = open === 1 && campaign.creation_status === 'IN_PROGRESS';
  if (!isLast) return counted(new Update().whenIn(['generation', 'open'], open === 1 ? '=' : '>', 1), new Update());
  const status = isShort || failed > 0 ? 'FAILED' : 'DONE';
  const ofLast = statuses(status).whenIn(['generation', 'open'], '=', 1).whenIn(['generation', 'failed'], '=', failed);
  return counted(ofLast, status === 'FAILED' ? jobFailedAndListed(now) : jobDone(now));
}
