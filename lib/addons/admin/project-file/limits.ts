import type { CounterWrite, ItemWrite } from '#kernel/kit/entries/item-write.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { type Key, keyText } from '#kernel/table/keys.ts';

/** Checks the limits of a project, over the file and the table together. */

type Stored = (key: Key) => Attributes | undefined;

type Limited = CounterWrite & Required<Pick<CounterWrite, 'limit'>>;

const isLimited = (counter: CounterWrite): counter is Limited => counter.limit !== undefined;

function listLimited({ counted = [] }: ItemWrite): Limited[] {
  return counted.filter(isLimited);
}

/** Returns the keys of the counters that limit the item. */
export function listLimitKeys(write: ItemWrite): Key[] {
  return listLimited(write).map(({ key }) => key);
}

/** Lists the limits that these items exceed together, with the names of new items. */
export function findTooMany(writes: readonly ItemWrite[], at: Stored): string[] {
  const added = writes.filter(({ key }) => !at(key)).flatMap(listLimited);
  const byCounter = Map.groupBy(added, ({ key }) => keyText(key));
  return [...byCounter.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { key, attribute, limit } = first;
    const stored = Number(at(key)?.[attribute] ?? 0);
    if (stored + same.length <= limit.most) return [];
    const names = same.map((one) => one.limit.name).join(', ');
    return [
      `${limit.list}: too_many_resources: the project has ${stored}, the file adds ${same.length}, and at most ${limit.most} are allowed: remove some of ${names}`,
    ];
  });
}
