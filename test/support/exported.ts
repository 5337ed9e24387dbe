import { readFile } from 'node:fs/promises';
import { exportProject } from '#addons/admin/project-file/export.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies } from './dependencies.ts';
import { withFile } from './project.ts';

export type Entry = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: entries are looked into by name, as the loader has checked them.
export type ProjectFile = { project: Entry } & Record<Exclude<string, 'project'>, any>;

/** Exports the project file by the container's clock. */
export function exported(projectId: string, { dynamodb, tableName, clock } = testDependencies()): Promise<ProjectFile> {
  return withFile('', async (path) => {
    await exportProject(new Table(dynamodb, tableName, clock()), projectId, path, { replace: true });
    return JSON.parse(await readFile(path, 'utf8'));
  });
}

const nameOf = (entry: Entry) =>
  String(
    entry.id ??
      entry.code ??
      entry.email ??
      entry.app_id ??
      entry.client_application_id ??
      entry.management_id ??
      entry.name,
  );

/** Sorts the lists, because they are sets and the table has its own order. */
export function sorted({ project, ...lists }: ProjectFile) {
  const inOrder = Object.entries<Entry[]>(lists).map(([list, entries]) => [
    list,
    entries.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
  ]);
  return { project, ...Object.fromEntries(inOrder) };
}
