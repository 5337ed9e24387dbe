import type { Reading } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { check, commitApart, type Effect, removeFenced } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { Update } from '#kernel/table/update.ts';
import { finishJob } from '../jobs/endings.ts';
import type { RunOutcome, Work } from '../jobs/run.ts';
import { childDeletionItem, type DeletedParent } from './tombstone.ts';

/** Removes the children of one kind of parent. */
export interface Cascade {
  readonly key: (projectId: string, id: string) => ItemKey;
  /** Yields the remaining children in batches. Each batch is one transaction. */
  readonly children: (context: Reading, id: string) => AsyncIterable<Effect[]>;
}

/**
 * Removes children, then the parent. It may be cut off anywhere, and two workers may run it simultaneously, because
 * removed children are not found again. Each batch requires the tombstone of this deletion: a voucher that is made
 * again has the same key.
 */
export function createDeletionWork(cascades: Readonly<Record<DeletedParent, Cascade>>): Work {
  return {
    run: async (context, stored): Promise<RunOutcome> => {
      const { table, now, isTimeUp } = context;
      const job = parseStored(childDeletionItem, stored);
      const { key: keyIn, children } = cascades[job.parent];
      const project = await context.project();
      const key = keyIn(project.id, job.about);
      const isOwn = (update: Update<typeof childDeletionItem>) => update.whenStill('deletion', job.deletion);
      const end = async () => {
        await finishJob({ table, now }, job);
        return 'done' as const;
      };
      return retryOptimistically(table, async () => {
        const [tombstone] = await table.getMany([key], { deletedToo: true });
        if (tombstone?.deleted_at === undefined || tombstone.deletion !== job.deletion) return end();
        for await (const batch of children({ table, project, now }, job.about)) {
          if (isTimeUp()) return 'next';
          if (!(await commitApart(table, [check(key, isOwn), ...batch]))) return again;
        }
        if (!job.keepsTombstone && !(await commitApart(table, [removeFenced(key, isOwn, now)]))) return again;
        return end();
      });
    },
  };
}
