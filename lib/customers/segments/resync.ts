import type { Reading } from '../../http/context.ts';
import { all } from '../../kit/resource/plain.ts';
import { change, commitApart } from '../../table/effects.ts';
import { segmentJob } from './jobs.ts';
import { maxParts, partKey } from './parts.ts';
import { segment } from './segment.ts';

/** Counts what a resync has begun. */
export interface Resync {
  /** Whether every customer is looked at again for all segments with a filter. */
  readonly customers: boolean;
  /** Static segments whose members are put again. */
  readonly staticSegments: number;
}

/**
 * Does again what messages about segments asked for, where messages were lost. A job lets every customer be looked at: one look is
 * about all segments. Parts of static segments are written once more, so that the stream tells of them.
 */
export async function resyncSegments(context: Reading): Promise<Resync> {
  const { table, project, now } = context;
  const segments = await all(context, segment);
  // A job for a segment that turns active would keep its members only.
  const followed = segments.find(({ type, turning }) => type === 'auto-update' && turning === undefined);
  if (followed) await commitApart(table, [segmentJob(project.id, 'sync-segment', followed.id, now, now.getTime())]);
  const fixed = segments.filter(({ type }) => type === 'static');
  for (const { id } of fixed) {
    const keys = Array.from({ length: maxParts }, (_, index) => partKey(project.id, id, index));
    const found = (await table.getMany(keys)).flatMap((item, index) => (item && keys[index] ? [keys[index]] : []));
    if (found.length === 0) continue;
    await commitApart(
      table,
      found.map((key) => change(key, (part) => part.whenThere().set(['resynced_at'], now.toISOString()))),
    );
  }
  return { customers: followed !== undefined, staticSegments: fixed.length };
}
