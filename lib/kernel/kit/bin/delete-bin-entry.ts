import { notFound } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, type Effect, remove } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { type BinEntryItem, type BinnedType, binEntries } from './bin-entry.ts';

/** Removes a kind of deleted resource permanently, and frees its name. */
export type Purge = (context: Reading, entry: BinEntryItem) => Promise<Effect[]>;

/** Deletes an entry. 404 if it does not exist. */
export async function deleteBinEntry(
  context: Reading,
  id: string,
  purges: Readonly<Partial<Record<BinnedType, Purge>>>,
): Promise<void> {
  const { table, project } = context;
  const key = binEntries(project.id, id);
  await retryOptimistically(table, async () => {
    const { entry } = await read(table, { entry: key });
    if (!entry) throw notFound('bin_entry', id);
    const purge = purges[entry.resource_type];
    if (!purge) throw new Error(`nothing of type ${entry.resource_type} can be in the bin`);
    const effects = await purge(context, entry);
    return (await commit(table, [remove(key, (update) => update.whenThere()), ...effects])) || again;
  });
}
