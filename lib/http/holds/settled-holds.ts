import { type Key, keyText } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';

/** Limits the remembered holds of one item, and the items of one container. The oldest is forgotten first, and lapses. */
const maxIds = 50;
const maxItems = 1_000;

/** The committed holds by item, by the container's client of the table. */
const memories = new WeakMap<object, Map<string, string[]>>();

function memoryOf({ container }: Pick<Table, 'container'>): Map<string, string[]> {
  const memory = memories.get(container) ?? new Map<string, string[]>();
  memories.set(container, memory);
  return memory;
}

/** Names an item among the items of all tables of the container. */
export const nameTableItem = ({ name }: Pick<Table, 'name'>, key: Key) => `${name}\n${keyText(key)}`;

type Place = Pick<Table, 'container' | 'name'>;

/** Remembers holds that the container's next hold removes from the item. Their counts stay. */
export function rememberHolds(table: Place, key: Key, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const memory = memoryOf(table);
  const name = nameTableItem(table, key);
  const all = [...new Set([...(memory.get(name) ?? []), ...ids])].slice(-maxIds);
  memory.delete(name);
  memory.set(name, all);
  const [first] = memory.keys();
  if (memory.size > maxItems && first !== undefined) memory.delete(first);
}

/** Returns the remembered holds of the item, and forgets them. The caller must remove them. */
export function recallHolds(table: Place, key: Key): string[] {
  const memory = memoryOf(table);
  const name = nameTableItem(table, key);
  const ids = memory.get(name) ?? [];
  memory.delete(name);
  return ids;
}
