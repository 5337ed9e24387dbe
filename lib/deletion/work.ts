import type { Reading } from '../context.ts';
import { jobDone, jobFailedAndListed, whileOpen } from '../jobs/job.ts';
import type { Outcome, Work } from '../jobs/run.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { commitApart, type Effect, remove } from '../table/effects.ts';
import { parseStored } from '../table/item.ts';
import { keyOf } from '../table/keys.ts';
import type { ItemKey } from '../table/kind.ts';
import { deletionJobItem, type Parent } from './tombstone.ts';

/** How the children of one kind of parent go. */
export interface Cascade {
  readonly key: (projectId: string, id: string) => ItemKey;
  /** The children that are still there, in batches of which each is one transaction. */
  readonly children: (context: Reading, id: string) => AsyncIterable<Effect[]>;
}

/** Takes children away, then the parent. What is gone is found no more, so it may be cut off anywhere and run by two at once. */
export function deletionWork(cascades: Readonly<Record<Parent, Cascade>>): Work {
  return {
    run: async (context, stored): Promise<Outcome> => {
      const { table, now, isTimeUp } = context;
      const job = parseStored(deletionJobItem, stored);
      const { key, children } = cascades[job.parent];
      const project = await context.project();
      return retryOptimistically(table, async () => {
        for await (const batch of children({ table, project, now }, job.about)) {
          if (isTimeUp()) return 'next';
          if (!(await commitApart(table, batch))) return undefined;
        }
        await commitApart(table, [remove(key(project.id, job.about), (update) => update)]);
        await table.change(keyOf(job), whileOpen(jobDone(now)).build());
        return 'done';
      });
    },
    giveUp: async ({ table, now }, job) => {
      await table.change(keyOf(job), whileOpen(jobFailedAndListed(now)).build());
    },
  };
}
