import * as v from 'valibot';
import { notFound } from '#kernel/core/errors.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { type ChildKind, childKind } from '#kernel/table/kind.ts';
import type { Table } from '#kernel/table/table.ts';
import { findProject } from './project.ts';

const pointer = v.object({ id: v.string() });

/** Declares pointers from a project to its keys of a kind. The keys themselves are stored by id alone. */
export function pointerKind(kind: string): ChildKind<typeof pointer, []> {
  return childKind<typeof pointer, []>({ kind: `${kind}S` }, kind, pointer);
}

interface KeyList<S> {
  pointers: ChildKind<typeof pointer, []>;
  keyOf: (id: string) => Key;
  item: S;
}

/** Lists the project's keys of one kind. */
export async function listKeys<S extends v.GenericSchema<unknown, { project_id?: string | undefined }>>(
  table: Table,
  projectId: string,
  { pointers, keyOf, item }: KeyList<S>,
): Promise<v.InferOutput<S>[]> {
  if (!(await findProject(table, projectId))) throw notFound('project', projectId);
  const ids = (await table.query(pointers.all(projectId))).map((found) => parseStored(pointer, found).id);
  const found = await table.getMany(ids.map(keyOf));
  // A load that lost a key to another project has left its pointer.
  return found
    .flatMap((stored) => (stored ? [parseStored(item, stored)] : []))
    .filter(({ project_id }) => project_id === projectId);
}
