import type * as v from 'valibot';
import type { Reading } from '../http/context.ts';
import { KeptValues, readKeptFamily } from '../table/kept-families.ts';
import { read } from '../table/read.ts';
import { validationRule } from './resource.ts';

type Stored = v.InferOutput<typeof validationRule.stored>;

/** Keeps a missing rule as an empty list. */
const keptDocuments = new KeptValues<readonly Stored[]>();

/** Reads existing validation rules in one call. Containers keep them. */
export async function readDocuments(
  context: Pick<Reading, 'table' | 'project' | 'now'>,
  ids: readonly string[],
): Promise<Stored[]> {
  if (ids.length === 0) return [];
  const { table, project } = context;
  const kept = readKeptFamily(context, 'terms');
  const readOne = async (id: string) => {
    const { found } = await read(table, { found: validationRule.few(project.id, id) });
    return found ? [found] : [];
  };
  return (await Promise.all(ids.map((id) => keptDocuments.get(kept, id, () => readOne(id))))).flat();
}
