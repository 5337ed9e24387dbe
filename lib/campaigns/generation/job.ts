import * as v from 'valibot';
import type { ChunkPlace } from '../../codes/code-space.ts';
import type { Starting } from '../../context.ts';
import { actionItem, actionStarted } from '../../jobs/action.ts';
import { jobItem, newJob } from '../../jobs/job.ts';
import { count } from '../../schema.ts';
import type { Attributes } from '../../table/item.ts';
import { type Key, keys } from '../../table/keys.ts';

/** Some seconds' work for one invocation. */
export const chunkSize = 1_000;

/** The job to generate a campaign's codes. It is open until the last chunk is done. */
export const codesJobItem = v.object({
  ...actionItem.entries,
  /** Chunks that are handed out. */
  position: v.optional(count, 0),
});

/** The job to generate one part of the codes. */
export const chunkJobItem = v.object({
  ...jobItem.entries,
  campaign_id: v.string(),
  index: count,
  /** Codes that were drawn, and what of them are the chunk's. */
  position: v.optional(count, 0),
  taken: v.optional(count, 0),
  /** What the campaign's count has of them already: of a chunk that had failed before. */
  counted: v.optional(count, 0),
});

export type ChunkJob = v.InferOutput<typeof chunkJobItem>;

export function planGeneration(total: number, action_id: string) {
  const chunks = Math.ceil(total / chunkSize);
  return { total, chunks, open: chunks, failed: 0, action_id };
}

export function generationStarted(
  context: Starting,
  campaignId: string,
  { total, action_id }: ReturnType<typeof planGeneration>,
) {
  const action = { kind: 'generate-codes', type: 'CAMPAIGN.VOUCHERS_GENERATE', about: campaignId } as const;
  return actionStarted(context, { ...action, id: action_id, steps: total }, { position: 0 });
}

export function chunkJob(
  projectId: string,
  campaignId: string,
  index: number,
  now: Date,
): { key: Key; item: Attributes } {
  const job = { kind: 'generate-chunk', about: campaignId, project_id: projectId } as const;
  const fields = { campaign_id: campaignId, index, position: 0, taken: 0, counted: 0 };
  const { key, insert } = newJob(keys.generationChunk(projectId, campaignId, index), job, now, fields);
  return { key, item: insert };
}

export function placeOf(index: number, { total, chunks }: { total: number; chunks: number }): ChunkPlace {
  const first = index * chunkSize;
  return { index, chunks, total, first, count: Math.min(chunkSize, total - first) };
}
