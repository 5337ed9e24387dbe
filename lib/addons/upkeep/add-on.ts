import type { FileRight } from '#kernel/core/files/access.ts';
import { fileAreas } from '#kernel/core/files/files.ts';
import { addOn, lazyWork } from '#kernel/kit/add-on.ts';
import { isMove } from '#kernel/kit/jobs/changes.ts';
import type { JobDependencies, Works } from '#kernel/kit/jobs/run.ts';
import type { DueReport } from './due.ts';

/** Rights of the worker that archives old records, erases persons from files, and deletes projects. Its exports need no others. */
const worksOnFiles: readonly FileRight[] = [
  ...(['put exports', 'read exports', 'remove exports', 'put parts', 'read parts', 'remove parts'] as const),
  ...(['read events', 'remove events', 'read rows', 'remove rows', 'remove uploads'] as const),
  'remove reports',
  ...(['put archives', 'read archives', 'remove archives'] as const),
  ...fileAreas.map((area): FileRight => `list ${area}`),
];

/** Follows a move between tiers, or a change that may move a customer into or out of a segment. */
const changed: Works['changed'] = async (key, dependencies) => {
  if (isMove(key)) return (await import('./tier-moves.ts')).followMove(key, dependencies);
  const [{ followChange }, { earnByEntering }] = await Promise.all([
    import('#engine/customers/segments/follow.ts'),
    import('#engine/loyalty/earning/entered-segment.ts'),
  ]);
  await followChange(key, dependencies, earnByEntering);
};

/** Due work, deletions, erasure, retention, and merging of customers. */
export const upkeepAddOn = addOn({
  name: 'upkeep',
  needed: 'points expire, holds are returned and persons are erased by its work alone',
  operations: ['/v1/trash-bin/{binEntryId}'],
  jobs: () => ({
    changed,
    'delete-children': lazyWork(async () => (await import('./deletions.ts')).deletions),
    'merge-customers': lazyWork(async () => (await import('./merging/work.ts')).mergeCustomers),
    'erase-person': lazyWork(async () => (await import('./erasure/work.ts')).erasePerson),
    'remove-old': lazyWork(async () => (await import('./retention/work.ts')).removeOld),
  }),
  hourly: async (dependencies: JobDependencies, works: Works, isTimeUp?: () => boolean): Promise<DueReport> =>
    (await import('./due.ts')).settleDueItems(dependencies, works, isTimeUp),
  stack: { queues: [], files: { exports: worksOnFiles } },
  options: [],
});
