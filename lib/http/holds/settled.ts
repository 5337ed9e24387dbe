import { type Key, keyText } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';

/** Of one item, and items of one container; what was remembered first goes first, and lapses. */
const maxIds = 50;
const maxItems = 1_000;

/** By the table's client, of which a container has one: holds whose transaction is through, by item. */
const memories = new WeakMap<object, Map<string, string[]>>();

function memoryOf({ container }: Pick<Table, 'container'>): Map<string, string[]> {
  const memory = memories.get(container) ?? new Map<string, string[]>();
  memories.set(container, memory);
  return memory;
}

/** Of an item, among those of all tables that the container serves. */
export const nameOf = ({ name }: Pick<Table, 'name'>, key: Key) => `${name}\n${keyText(key)}`;

type Place = Pick<Table, 'container' | 'name'>;

/** Remembers holds that are to be taken off the item, and whose counts stay. */
export function remember(table: Place, key: Key, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const memory = memoryOf(table);
  const name = nameOf(table, key);
  const all = [...new Set([...(memory.get(name) ?? []), ...ids])].slice(-maxIds);
  memory.delete(name);
  memory.set(name, all);
  const [first] = memory.keys();
  if (memory.size > maxItems && first !== undefined) memory.delete(first);
}

/** Those of the item, which are whose who asks from now on. */
export function recall(table: Place, key: Key): string[] {
  const memory = memoryOf(table);
  const name = nameOf(table, key);
  const ids = memory.get(name) ?? [];
  memory.delete(name);
  return ids;
}
