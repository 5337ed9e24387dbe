import { type RedemptionItem, redemptions } from '#engine/checkout/redemptions/redemption.ts';
import { isCounterOfPerson } from '#engine/rules/counter.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Addition, additionKey } from '#kernel/table/addition.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commitApart, type Effect, remove } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import type { Update } from '#kernel/table/update.ts';

interface HeldCounter {
  readonly count: number;
  readonly locks_revision?: number;
}

/**
 * Subtracts a use from a counter of a person. The counter is removed with its last use, and its key with the hash. A
 * rolled back use no longer counts.
 */
export function takeBack(added: Addition, stored: Attributes | undefined, { status }: RedemptionItem): Effect[] {
  if (!stored) return [];
  const left = Number(stored.count ?? 0) - (status === 'SUCCEEDED' ? (added.by.count ?? 0) : 0);
  const key = additionKey(added);
  if (left <= 0) {
    return [
      remove(key, (update: Update<HeldCounter>) =>
        update.whenThere().whenStill('count', stored.count).whenStill('locks_revision', stored.locks_revision),
      ),
    ];
  }
  return [
    change(key, (update: Update<HeldCounter>) =>
      update.whenThere().whenStill('count', stored.count).set(['count'], left),
    ),
  ];
}

/** Erases the hash of the person from a redemption and its counters. Uses of other customers of the person stay counted. */
export async function erasePersonCounters({ table, project }: Reading, redemptionId: string): Promise<true> {
  const key = redemptions(project.id, redemptionId);
  return retryOptimistically(table, async () => {
    const { item } = await read(table, { item: key });
    const own = item?.taken?.filter(isCounterOfPerson) ?? [];
    if (!item || own.length === 0) return true;
    const stored = await table.getMany(own.map(additionKey));
    const others = item.taken?.filter((one) => !isCounterOfPerson(one));
    const effects = own.flatMap((one, index) => takeBack(one, stored[index], item));
    const erased = change(key, (update) =>
      update.whenThere().whenStill('status', item.status).whenStill('taken', item.taken).set(['taken'], others),
    );
    return (await commitApart(table, [erased, ...effects])) || again;
  });
}
