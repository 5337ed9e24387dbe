import * as v from 'valibot';
import type { Attributes, Write } from '../../dynamodb.ts';
import { projectId } from '../../projects/project.ts';
import { count } from '../../schema.ts';
import { type Key, keys } from '../../table.ts';
import type { ChunkPlace } from '../code-space.ts';

/** Some seconds' work for one invocation, and 40 batches of 25: the most that a crash makes the worker repeat. */
export const chunkSize = 1_000;

/** The order to generate a campaign's codes; its own record in the stream is what sets the worker to it. */
export const generationJobItem = v.object({
  project_id: projectId,
  campaign_id: v.string(),
  attempts: v.optional(count, 0),
});

/** One part of the codes. `DONE`: counted in the campaign, with as many codes as it found free. */
export const generationChunkItem = v.object({
  project_id: projectId,
  campaign_id: v.string(),
  index: count,
  state: v.picklist(['OPEN', 'DONE']),
  attempts: v.optional(count, 0),
});

export type GenerationChunk = v.InferOutput<typeof generationChunkItem>;

export function planGeneration(total: number) {
  const chunks = Math.ceil(total / chunkSize);
  return { total, chunks, open: chunks, failed: 0 };
}

export function generationJob(projectId: string, campaignId: string): Write {
  return {
    key: keys.generationJob(projectId, campaignId),
    insert: { project_id: projectId, campaign_id: campaignId, attempts: 0 },
  };
}

export function generationChunk(projectId: string, campaignId: string, index: number): { key: Key; item: Attributes } {
  return {
    key: keys.generationChunk(projectId, campaignId, index),
    item: { project_id: projectId, campaign_id: campaignId, index, state: 'OPEN', attempts: 0 },
  };
}

export function placeOf(index: number, { total, chunks }: { total: number; chunks: number }): ChunkPlace {
  const first = index * chunkSize;
  return { index, chunks, total, first, count: Math.min(chunkSize, total - first) };
}
