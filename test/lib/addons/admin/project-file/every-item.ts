import { testDependencies } from '../../../../support/dependencies.ts';
import { readState } from '../../../../support/table-state.ts';

/** Returns all items that a load has written for a project, with their keys, in a fixed order. */
export async function everyItemOf(projectId: string) {
  const items = [...(await readState(testDependencies())).values()];
  return items
    .filter(({ pk, project_id }) => String(pk).startsWith(`${projectId}#`) || project_id === projectId)
    .sort((a, b) => `${a.pk} ${a.sk}`.localeCompare(`${b.pk} ${b.sk}`));
}
