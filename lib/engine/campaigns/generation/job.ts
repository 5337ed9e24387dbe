import * as v from 'valibot';
import { type ChunkPlace, codeConfig } from '#engine/ledger/codes/code-space.ts';
import { count, dateTime, metadata } from '#kernel/core/schema.ts';
import type { Starting } from '#kernel/http/context.ts';
import { actionItem, newActionId, startAction } from '#kernel/kit/jobs/action.ts';
import { jobItem, newJob } from '#kernel/kit/jobs/job.ts';
import { type Effect, insert } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Update } from '#kernel/table/update.ts';

/** One invocation generates this many codes in a few seconds. */
export const chunkSize = 1_000;

/** Sets fields of the codes of one generation that their campaign does not set. */
const ownFields = v.object({
  active: v.optional(v.boolean()),
  category_id: v.optional(v.string()),
  metadata: v.optional(metadata),
  additional_info: v.optional(v.string()),
  start_date: v.optional(dateTime),
  expiration_date: v.optional(dateTime),
  /** `null` means no limit. */
  redemption_quantity: v.optional(v.nullable(count)),
});

export type OwnFields = v.InferOutput<typeof ownFields>;

/** Describes the job that generates codes of a campaign, one for each request. It is open until the last chunk is done. */
export const codesJobItem = v.object({
  ...actionItem.entries,
  /** Counts chunks that were handed out. */
  position: v.optional(count, 0),
  /** Counts chunks that have not ended, and chunks that failed. */
  chunks_open: count,
  chunks_failed: count,
  /** True if the generation belongs to the creation of the campaign. */
  is_creation: v.boolean(),
  /** Replaces the configuration of the campaign. */
  code_config: v.optional(codeConfig),
  own: v.optional(ownFields, {}),
});

export type CodesJob = v.InferOutput<typeof codesJobItem>;

/** A change of a generation. */
export type CodesUpdate = Update<typeof codesJobItem>;

export const codesJobs = kind(kinds.job, codesJobItem);

/** Describes the job that generates one part of the codes. */
export const chunkJobItem = v.object({
  ...jobItem.entries,
  campaign_id: v.string(),
  /** Names the action that the chunk is a part of. */
  generation_id: v.string(),
  index: count,
  /** Counts the codes that were drawn, and the drawn codes that became the chunk's own. */
  position: v.optional(count, 0),
  taken: v.optional(count, 0),
  /** Counts the chunk's codes that the campaign already counts, from a run that failed. */
  counted: v.optional(count, 0),
});

/** Gives each chunk its own partition, so that chunks come through different shards of the stream. */
const chunkJobs = kind<typeof chunkJobItem, [generationId: string, chunk: string]>(kinds.job, chunkJobItem);

export type ChunkJob = v.InferOutput<typeof chunkJobItem>;

export function countChunks(total: number): number {
  return Math.ceil(total / chunkSize);
}

interface Plan {
  total: number;
  is_creation: boolean;
  code_config?: CodesJob['code_config'];
  own?: OwnFields;
}

/** Returns the job of a new generation. The caller counts one more open generation at the campaign. */
export function startGeneration(
  context: Starting,
  campaignId: string,
  { total, ...fields }: Plan,
): { id: string; effect: Effect } {
  const id = newActionId(context.now);
  const action = { kind: 'generate-codes', type: 'CAMPAIGN.VOUCHERS_GENERATE', about: campaignId } as const;
  const counts = { position: 0, chunks_open: countChunks(total), chunks_failed: 0 };
  const job = startAction(context, { ...action, id, steps: total }, { ...counts, ...fields });
  return { id, effect: insert(job.key, job.insert) };
}

export function newChunkJob(
  projectId: string,
  { id, about }: Pick<CodesJob, 'id' | 'about'>,
  index: number,
  now: Date,
): { key: Key; item: Attributes } {
  const job = { kind: 'generate-chunk', about, project_id: projectId } as const;
  const fields = { campaign_id: about, generation_id: id, index, position: 0, taken: 0, counted: 0 };
  const { key, insert } = newJob(chunkJobs(projectId, id, String(index)), job, now, fields);
  return { key, item: insert };
}

export function placeChunk(index: number, total: number): ChunkPlace {
  const first = index * chunkSize;
  return { index, chunks: countChunks(total), total, first, count: Math.min(chunkSize, total - first) };
}
