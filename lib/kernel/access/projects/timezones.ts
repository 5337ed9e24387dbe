import * as v from 'valibot';
import { read } from '#kernel/table/read.ts';
import type { Table } from '#kernel/table/table.ts';
import { projectsById } from './project.ts';

/** Reads the time zones of projects, for workers that count days and need nothing else of a project. */

const zone = v.object({ timezone: v.optional(v.string(), 'UTC') });

/** Matches the partition keys of projects, as an IAM pattern. */
export const timezoneKeys = `*#${projectsById.kind}`;

/** Returns the zone of each project, in one call. A missing or deleted project counts in UTC. */
export async function readTimezones(
  table: Pick<Table, 'getMany'>,
  projectIds: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(projectIds)];
  const { zones } = await read(table, { zones: ids.map((id) => ({ ...projectsById(id), schema: zone })) });
  return new Map(ids.map((id, index) => [id, zones[index]?.timezone ?? 'UTC']));
}
