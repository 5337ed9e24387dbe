import * as v from 'valibot';
import { childKind, type ItemKey } from '../../table/kind.ts';
import { maxStaticMembers } from './segment.ts';

/** So many customers of a static segment stand in one item. */
const partSize = 1_000;
export const maxParts = maxStaticMembers / partSize;

const partItem = v.object({ segment_id: v.string(), customers: v.array(v.string()) });

export type Part = v.InferOutput<typeof partItem>;

/** The customers of a static segment as they were named, in their order. */
export const parts = childKind({ kind: 'SEGMENT' }, 'SEGMENT_PART', partItem);

export function partKey(projectId: string, segmentId: string, index: number): ItemKey<typeof partItem> {
  return parts(projectId, segmentId, String(index).padStart(2, '0'));
}

/** Each customer once. */
export function partsOf(
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
