import type { Attributes } from './item.ts';
import { indexed, type Key } from './keys.ts';
import type { Update } from './update.ts';

/** Returns the attributes that put an item into the list of due items. */
export function dueAttributes(key: Key, at: string): Attributes {
  return { dueShard: indexed.dueShardOf(key), dueAt: at };
}

/** Puts the item into the list of due items at another time, or removes it from the list. */
export function setDue<U extends Update<{ dueAt?: string }>>(update: U, key: Key, at: string | undefined): U {
  if (at === undefined) return update.remove(['dueShard']).remove(['dueAt']);
  return update.set(['dueShard'], indexed.dueShardOf(key)).set(['dueAt'], at);
}
