import type { Reading } from '#kernel/http/context.ts';
import { readFew } from '#kernel/kit/resource/operations.ts';
import { change, commitApart } from '#kernel/table/effects.ts';
import { startSegmentJob } from './jobs.ts';
import { maxSegmentParts, partKey } from './member-parts.ts';
import { segment } from './segment.ts';

/** Describes the work that a resync has started. */
interface Resync {
  /** True if every customer is evaluated again for all segments with a filter. */
  readonly customers: boolean;
  /** Counts the static segments whose members are written again. */
  readonly staticSegments: number;
}

/**
 * Repeats the work of lost messages about segments. A single job evaluates every customer for all segments. Parts of
 * static segments are written again, so that the stream reports them.
 */
export async function resyncSegments(context: Reading): Promise<Resync> {
  const { table, project, now } = context;
  const segments = await readFew(context, segment);
  // A job for a segment that is becoming active would only store its members.
  const followed = segments.find(({ type, turning }) => type === 'auto-update' && turning === undefined);
  if (followed)
    await commitApart(table, [startSegmentJob(project.id, 'sync-segment', followed.id, now, now.getTime())]);
  const fixed = segments.filter(({ type }) => type === 'static');
  for (const { id } of fixed) {
    const keys = Array.from({ length: maxSegmentParts }, (_, index) => partKey(project.id, id, index));
    const found = (await table.getMany(keys)).flatMap((item, index) => (item && keys[index] ? [keys[index]] : []));
    if (found.length === 0) continue;
    await commitApart(
      table,
      found.map((key) => change(key, (part) => part.whenThere().set(['resynced_at'], now.toISOString()))),
    );
  }
  return { customers: followed !== undefined, staticSegments: fixed.length };
}
