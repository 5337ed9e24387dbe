import { change, type Effect, remove } from './effects.ts';
import type { ItemKey } from './kind.ts';
import { kinds } from './kind-names.ts';
import { copyKeys } from './version-copies.ts';

/** Returns the writes of `versionWrites` as effects. */
export function versionChanges(key: ItemKey, version: string | undefined): Effect[] {
  return copyKeys(key).map((copy) =>
    change({ ...key, ...copy, kind: kinds.version }, (update) => update.set(['version'], version)),
  );
}

/** Removes the version together with its item. */
export function versionRemovals(key: ItemKey): Effect[] {
  return copyKeys(key).map((copy) => remove({ ...key, ...copy, kind: kinds.version }, (update) => update));
}
