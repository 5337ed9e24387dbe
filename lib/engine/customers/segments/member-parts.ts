import * as v from 'valibot';
import { dateTime } from '#kernel/core/schema.ts';
import { childKind, type ItemKey } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { maxStaticMembers } from './segment.ts';

/** One item holds at most this many customers of a static segment. */
const partSize = 1_000;
export const maxSegmentParts = maxStaticMembers / partSize;

const partItem = v.object({
  segment_id: v.string(),
  customers: v.array(v.string()),
  /**
   * The time at which all members were last compared. A change of this time makes the stream's worker compare them
   * again.
   */
  resynced_at: v.optional(dateTime),
});

type Part = v.InferOutput<typeof partItem>;

/** Stores the customers of a static segment in the order in which they were named. */
export const parts = childKind({ kind: kinds.segment }, kinds.segmentPart, partItem);

export function partKey(projectId: string, segmentId: string, index: number): ItemKey<typeof partItem> {
  return parts(projectId, segmentId, String(index).padStart(2, '0'));
}

/** Divides the named customers into parts, each customer once. */
export function divideIntoParts(
  projectId: string,
  segment_id: string,
  named: readonly string[],
): { key: ItemKey; item: Part }[] {
  const ids = [...new Set(named)];
  return Array.from({ length: Math.ceil(ids.length / partSize) }, (_, index) => ({
    key: partKey(projectId, segment_id, index),
    item: { segment_id, customers: ids.slice(index * partSize, (index + 1) * partSize) },
  }));
}
