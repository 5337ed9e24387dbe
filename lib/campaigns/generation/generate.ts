import { createHmac } from 'node:crypto';
import { type Attributes, insertManyLimit, parseStored, type Table } from '../../dynamodb.ts';
import type { Project } from '../../projects/project.ts';
import { type Key, keys } from '../../table.ts';
import { voucherId } from '../../vouchers/voucher-id.ts';
import { type CampaignItem, campaignItem } from '../campaign.ts';
import { codeSpace, drawCodes, take } from '../code-space.ts';
import {
  chunkSize,
  type GenerationChunk,
  generationChunk,
  generationChunkItem,
  generationJobItem,
  placeOf,
} from './job.ts';

/**
 * The generation of codes, outside of any request. Each step can be delivered twice, late, or cut off at any call: what
 * it draws is the same at every run, what it inserts is refused when it is there, and what it counts is counted once.
 */

export interface Context {
  table: Table;
  project: Project;
  now: Date;
}

/** How often a step is begun before it is given up; a crash of the worker counts. */
export const maxAttempts = 20;
/** Calls on the way at once for one chunk. */
const callsAtOnce = 4;
const doneChunkLifeInSeconds = 7 * 24 * 3600;

/** Fans the job out into chunks, or has the campaign done where there is nothing to generate. */
export async function startGeneration(context: Context, campaignId: string): Promise<void> {
  const { table, project } = context;
  const key = keys.generationJob(project.id, campaignId);
  const begun = await begin(table, key);
  if (!begun) return;
  const { attempts } = parseStored(generationJobItem, begun);
  const campaign = await table.get(keys.campaign(project.id, campaignId), campaignItem);
  if (!campaign?.generation) return;
  if (attempts > maxAttempts) return giveUp(context, campaignId);

  const { chunks } = campaign.generation;
  for (let first = 0; first < chunks; first += insertManyLimit * callsAtOnce) {
    const calls = Array.from({ length: callsAtOnce }, (_, call) => first + call * insertManyLimit)
      .filter((from) => from < chunks)
      .map((from) =>
        table.insertMany(
          Array.from({ length: Math.min(insertManyLimit, chunks - from) }, (_, offset) =>
            generationChunk(project.id, campaignId, from + offset),
          ),
        ),
      );
    await Promise.all(calls);
  }
  await finishIfComplete(context, campaignId);
}

/** Generates one chunk's codes and counts them in the campaign; the last chunk moves the campaign's statuses. */
export async function generateChunk(context: Context, campaignId: string, index: number): Promise<void> {
  const { table, project, now } = context;
  const key = keys.generationChunk(project.id, campaignId, index);
  const begun = await begin(table, key, { open: true });
  if (begun) {
    const chunk = parseStored(generationChunkItem, begun);
    const campaign = await table.get(keys.campaign(project.id, campaignId), campaignItem);
    if (!campaign?.generation) return;
    const insert = chunk.attempts <= maxAttempts;
    const taken = await fillChunk(context, campaign, chunk, { insert });
    const { count } = placeOf(index, campaign.generation);
    const outcome = await table.transact([
      {
        key,
        change: {
          set: 'SET #state = :done, #expiresAt = :expiresAt',
          condition: '#state = :open',
          names: { '#state': 'state', '#expiresAt': 'expiresAt' },
          values: {
            ':done': 'DONE',
            ':open': 'OPEN',
            ':expiresAt': Math.floor(now.getTime() / 1000) + doneChunkLifeInSeconds,
          },
        },
      },
      {
        key: keys.campaign(project.id, campaignId),
        change: {
          set: 'SET #count = #count + :taken, #generation.#open = #generation.#open - :one, #generation.#failed = #generation.#failed + :failed',
          condition: 'attribute_exists(#generation)',
          names: { '#count': 'vouchers_count', '#generation': 'generation', '#open': 'open', '#failed': 'failed' },
          values: { ':taken': taken, ':one': 1, ':failed': taken < count ? 1 : 0 },
        },
      },
    ]);
    // Refused: the same chunk, delivered twice, was counted by the other delivery.
    if (!outcome.done && !outcome.refused[0]?.failed) throw new Error('the campaign of a chunk is not there');
  }
  await finishIfComplete(context, campaignId);
}

/** Counts a beginning; `undefined` where the step is not there, or done. */
async function begin(table: Table, key: Key, { open = false } = {}): Promise<Attributes | undefined> {
  const outcome = await table.change(key, {
    set: 'SET #attempts = #attempts + :one',
    condition: open ? 'attribute_exists(#attempts) AND #state = :open' : 'attribute_exists(#attempts)',
    names: { '#attempts': 'attempts', ...(open ? { '#state': 'state' } : {}) },
    values: { ':one': 1, ...(open ? { ':open': 'OPEN' } : {}) },
  });
  return outcome.done ? outcome.item : undefined;
}

/** The key of a campaign's code order: without it nobody can tell one code from others. */
function orderKey(project: Project, campaignId: string): Buffer {
  return createHmac('sha256', project.codeKey).update(campaignId).digest();
}

/**
 * Takes codes until the chunk has its count or the code space is at its end, and tells how many it has. A code that is
 * there already is the chunk's own, from an earlier run, or another's, and then the next draw takes its place. Without
 * `insert` it only counts what earlier runs have got.
 */
async function fillChunk(
  { table, project }: Context,
  campaign: CampaignItem,
  { index }: GenerationChunk,
  { insert }: { insert: boolean },
): Promise<number> {
  const outcome = codeSpace(campaign.voucher?.code_config ?? {});
  if ('faults' in outcome || !campaign.generation) return 0;
  const place = placeOf(index, campaign.generation);
  const draws = drawCodes(outcome.space, orderKey(project, campaign.id), place);
  const origin = `${campaign.id} ${index}`;

  let taken = 0;
  let drawn = 0;
  // A code space too large to be permuted may draw a code twice; the second time it would pass for taken before.
  const seen = new Set<string>();
  while (taken < place.count) {
    const codes = [...take(draws, Math.min(place.count - taken, insertManyLimit * callsAtOnce))].filter(
      (code) => !seen.has(code),
    );
    for (const code of codes) seen.add(code);
    if (codes.length === 0 || (!insert && drawn >= chunkSize * 2)) break;
    drawn += codes.length;
    const batches = Array.from({ length: Math.ceil(codes.length / insertManyLimit) }, (_, batch) =>
      codes.slice(batch * insertManyLimit, (batch + 1) * insertManyLimit),
    );
    const counts = await Promise.all(
      batches.map((batch) =>
        takeBatch(
          table,
          batch.map((code) => voucherWrite(project, campaign, code, origin)),
          insert,
        ),
      ),
    );
    taken += counts.reduce((sum, some) => sum + some, 0);
  }
  return taken;
}

interface VoucherWrite {
  key: Key;
  item: Attributes;
}

async function takeBatch(table: Table, writes: readonly VoucherWrite[], insert: boolean): Promise<number> {
  const inserted = insert ? await table.insertMany(writes) : writes.map(() => false);
  const refused = writes.filter((_, index) => !inserted[index]);
  const there = refused.length > 0 ? await table.getMany(refused.map(({ key }) => key)) : [];
  const own = refused.filter(({ item }, index) => there[index]?.origin === item.origin);
  return writes.length - refused.length + own.length;
}

/** As loaded vouchers are stored; `origin` tells by which chunk it was made. The rest is inherited at reading. */
function voucherWrite(project: Project, campaign: CampaignItem, code: string, origin: string): VoucherWrite {
  const id = voucherId(project, code);
  return {
    key: keys.voucher(project.id, id),
    item: {
      id,
      code,
      type: campaign.voucher?.type ?? 'DISCOUNT_VOUCHER',
      campaign_id: campaign.id,
      active: true,
      is_referral_code: campaign.voucher?.is_referral_code ?? false,
      redemption_quantity: campaign.voucher?.redemption?.quantity ?? undefined,
      created_at: campaign.created_at,
      origin,
    },
  };
}

/** Moves the statuses once, when no chunk is open any more: to FAILED if one of them found too few codes. */
async function finishIfComplete({ table, project }: Context, campaignId: string): Promise<void> {
  const move = (status: 'DONE' | 'FAILED', failed: '=' | '>') =>
    table.change(keys.campaign(project.id, campaignId), {
      set: 'SET #creation = :status, #vouchers = :status',
      condition: `#generation.#open = :none AND #generation.#failed ${failed} :none AND #creation = :running`,
      names: {
        '#creation': 'creation_status',
        '#vouchers': 'vouchers_generation_status',
        '#generation': 'generation',
        '#open': 'open',
        '#failed': 'failed',
      },
      values: { ':status': status, ':none': 0, ':running': 'IN_PROGRESS' },
    });
  const done = await move('DONE', '=');
  const item = !done.done && done.item ? parseStored(campaignItem, done.item) : undefined;
  if (item?.creation_status === 'IN_PROGRESS' && item.generation?.open === 0) await move('FAILED', '>');
}

/** A job that could not even be fanned out: said, not silent. */
async function giveUp({ table, project }: Context, campaignId: string): Promise<void> {
  await table.change(keys.campaign(project.id, campaignId), {
    set: 'SET #creation = :failed, #vouchers = :failed',
    condition: '#creation = :running',
    names: { '#creation': 'creation_status', '#vouchers': 'vouchers_generation_status' },
    values: { ':failed': 'FAILED', ':running': 'IN_PROGRESS' },
  });
}
