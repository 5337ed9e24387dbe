import type { Attributes } from './item.ts';
import { indexed, type Key } from './keys.ts';
import type { Update } from './update.ts';

/** The attributes by which an item stands in the list of what is due. */
export function dueAttributes(key: Key, at: string): Attributes {
  return { dueShard: indexed.dueShardOf(key), dueAt: at };
}

/** Puts the item into that list at another time; without one, takes it out. */
export function becomesDue(update: Update, key: Key, at: string | undefined): Update {
  if (at === undefined) return update.remove(['dueShard']).remove(['dueAt']);
  return update.set(['dueShard'], indexed.dueShardOf(key)).set(['dueAt'], at);
}
