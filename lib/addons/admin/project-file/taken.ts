import type { ItemWrite } from '#kernel/kit/entries/item-write.ts';
import type { Attributes } from '#kernel/table/item.ts';

/** Attributes that belong to the table, wherever the figures come from. */
const ofTheTable: ReadonlySet<string> = new Set([
  ...['created_at', 'type', 'project_id', 'dueShard', 'dueAt', 'opening_balance'],
]);

/** Returns whether an item was changed here after the change that the file has. */
function isNewer(stored: Attributes, item: Attributes): boolean {
  return String(stored.updated_at ?? '') > String(item.updated_at ?? stored.updated_at ?? '');
}

/** Returns the attributes that the file sets on a stored item. */
export function taken(
  { item, once = [], places, moved }: ItemWrite,
  stored: Attributes,
  follows: boolean,
): [string, unknown][] {
  const isFollowing = follows && !isNewer(stored, item);
  const isTaken = (name: string, value: unknown) =>
    !once.includes(name) || (isFollowing && value !== undefined && !ofTheTable.has(name));
  const said = Object.entries(item).filter(([name, value]) => isTaken(name, value));
  const own = { ...Object.fromEntries(said), ...(isFollowing ? moved?.(stored) : {}) };
  return [...Object.entries(own), ...Object.entries(places?.({ ...stored, ...own }) ?? {})];
}
