import { testDependencies } from '../../../support/dependencies.ts';
import { readState } from '../../../support/table-state.ts';

/** All that a load has left of a project, its keys included, in an order of their own. */
export async function everyItemOf(projectId: string) {
  const items = [...(await readState(testDependencies())).values()];
  return items
    .filter(({ pk, project_id }) => String(pk).startsWith(`${projectId}#`) || project_id === projectId)
    .sort((a, b) => `${a.pk} ${a.sk}`.localeCompare(`${b.pk} ${b.sk}`));
}
