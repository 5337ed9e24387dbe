import { randomInt } from 'node:crypto';
import { type Insertion, insertManyLimit } from '#kernel/table/command.ts';
import { pause } from '#kernel/table/conflicts.ts';
import type { Table } from '#kernel/table/table.ts';
import type { InsertFlow } from './insert-flow.ts';

/** After this number of attempts without an insert, the worker leaves the table alone for a while. */
const maxRoundsInVain = 8;
const longestPauseInMs = 2_000;

interface Limits {
  flow: InsertFlow;
  isTimeUp: () => boolean;
}

/**
 * Inserts as many items as the flow allows, each until DynamoDB has capacity for it. Returns for each whether it is
 * new. `undefined` means that capacity is lacking now: some items may be inserted.
 */
export async function insertAll(
  table: Table,
  items: readonly Insertion[],
  { flow, isTimeUp }: Limits,
): Promise<boolean[] | undefined> {
  const inserted = items.map(() => false);
  let open = items.map((item, index) => ({ item, index }));
  for (let inVain = 0; open.length > 0; ) {
    const now = open.slice(0, flow.callsAtOnce * insertManyLimit);
    const batches = Array.from({ length: Math.ceil(now.length / insertManyLimit) }, (_, batch) =>
      table.insertOnce(now.slice(batch * insertManyLimit, (batch + 1) * insertManyLimit).map(({ item }) => item)),
    );
    const answers = (await Promise.all(batches)).flat();
    for (const [position, { index }] of now.entries()) inserted[index] = answers[position] === 'new';
    const busy = now.filter((_, position) => answers[position] === 'busy');
    open = [...busy, ...open.slice(now.length)];
    if (busy.length === 0) {
      flow.wereTaken();
      inVain = 0;
      continue;
    }
    flow.lackedCapacity();
    inVain = busy.length < now.length ? 0 : inVain + 1;
    if (inVain > maxRoundsInVain || isTimeUp()) return undefined;
    await pause(randomInt(1, Math.min(longestPauseInMs, 2 ** inVain * 50)));
  }
  return inserted;
}
