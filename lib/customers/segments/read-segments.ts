import type { Reading } from '../../http/context.ts';
import { KeptValues, keptOf } from '../../table/kept.ts';
import { read } from '../../table/read.ts';
import { type Segment, segment } from './segment.ts';

/** A segment that does not exist is kept as none. */
const keptSegments = new KeptValues<readonly Segment[]>();

/** Reads the segments that exist, in one call, of which containers keep what they have read. */
export async function readSegments(
  context: Pick<Reading, 'table' | 'project' | 'now'>,
  ids: readonly string[],
): Promise<Segment[]> {
  if (ids.length === 0) return [];
  const { table, project } = context;
  const kept = keptOf(context, 'segments');
  const readOne = async (id: string) => {
    const { found } = await read(table, { found: segment.few(project.id, id) });
    return found ? [found] : [];
  };
  return (await Promise.all(ids.map((id) => keptSegments.get(kept, id, () => readOne(id))))).flat();
}
