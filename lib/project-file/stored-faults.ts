import type { Table } from '../dynamodb.ts';
import { inBatches } from './batches.ts';
import { conflictsOf, type ItemWrite } from './item-write.ts';

/** With a claim each, as many keys as DynamoDB takes in one BatchGetItem. */
const writesAtOnce = 50;

/** What items of the file and the table can't both have; goes through them as they come, a batch at a time. */
export async function storedFaults(
  table: Table,
  writes: AsyncIterable<ItemWrite> | Iterable<ItemWrite>,
): Promise<string[]> {
  const faults: string[] = [];
  for await (const batch of inBatches(writes, writesAtOnce)) {
    const guarded = batch
      .flatMap((write) => (write.claim ? [write.claim, write] : [write]))
      .filter(({ fixed, kept }) => fixed ?? kept);
    const stored = await table.getMany(guarded.map(({ key }) => key));
    faults.push(...guarded.flatMap((write, index) => (stored[index] ? conflictsOf(write, stored[index]) : [])));
  }
  return faults;
}
