import type { Attributes } from './item.ts';
import { type Key, keyText, stripKey } from './keys.ts';

type Found = ReadonlyMap<string, Attributes>;

/** Resolves when all running code waits for I/O. By then all simultaneous reads have been requested. */
function allAsked(): Promise<void> {
  return Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)));
}

/**
 * Joins simultaneous reads of one request into one call, because a call costs more processor time than its items. Use cases need
 * not know which items other code reads.
 */
export class JoinedReads {
  #open: { keys: Map<string, Key>; found: Promise<Found> } | undefined;

  /** Returns the items of these keys, among others, by `keyText`. Calls `readAll` with each key once. */
  read(wanted: readonly Key[], readAll: (keys: readonly Key[]) => Promise<Found>): Promise<Found> {
    this.#open ??= this.#begin(readAll);
    for (const key of wanted) this.#open.keys.set(keyText(key), stripKey(key));
    return this.#open.found;
  }

  #begin(readAll: (keys: readonly Key[]) => Promise<Found>) {
    const keys = new Map<string, Key>();
    const found = allAsked().then(() => {
      this.#open = undefined;
      return readAll([...keys.values()]);
    });
    return { keys, found };
  }
}
