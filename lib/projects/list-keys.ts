import * as v from 'valibot';
import { notFound } from '../errors.ts';
import { parseStored } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { findProject } from './project.ts';

const pointer = v.object({ id: v.string() });

interface KeyList<S> {
  /** Of the pointers, by which a project finds its keys: the keys stand under their ids alone. */
  partition: string;
  keyOf: (id: string) => Key;
  item: S;
}

/** The keys of one kind by which the project's callers are known. */
export async function listKeys<S extends v.GenericSchema<unknown, { project_id: string }>>(
  table: Table,
  projectId: string,
  { partition, keyOf, item }: KeyList<S>,
): Promise<v.InferOutput<S>[]> {
  if (!(await findProject(table, projectId))) throw notFound('project', projectId);
  const ids = (await table.query({ partition })).map((found) => parseStored(pointer, found).id);
  const found = await table.getMany(ids.map(keyOf));
  // A load that lost a key to another project has left its pointer.
  return found
    .flatMap((stored) => (stored ? [parseStored(item, stored)] : []))
    .filter(({ project_id }) => project_id === projectId);
}
