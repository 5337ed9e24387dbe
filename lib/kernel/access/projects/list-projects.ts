import { parseStored } from '#kernel/table/item.ts';
import type { Table } from '#kernel/table/table.ts';
import { listedProject, listedProjects, projectItem, projectsById } from './project.ts';

export interface ProjectSummary {
  id: string;
  name: string;
  created_at: string;
}

/** Lists the ids of projects, also of some that do not exist yet or any longer. */
export async function listProjectIds(table: Table): Promise<string[]> {
  return (await table.query(listedProjects.all)).map((item) => parseStored(listedProject, item).project_id);
}

/** Lists projects by id. */
export async function listProjects(table: Table): Promise<ProjectSummary[]> {
  const ids = await listProjectIds(table);
  const items = await table.getMany(ids.map((id) => projectsById(id)));
  // A load that was cut off at its first step has listed a project that does not exist yet.
  return items.flatMap((item) => {
    if (!item) return [];
    const { id, name, created_at } = parseStored(projectItem, item);
    return [{ id, name, created_at }];
  });
}
