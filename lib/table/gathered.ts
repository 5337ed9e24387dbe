import type { Attributes } from './item.ts';
import { bare, type Key, keyText } from './keys.ts';

type Found = ReadonlyMap<string, Attributes>;

/** Once everything that goes on now has come to wait for something outside: all that is asked for together has been. */
function allAsked(): Promise<void> {
  return Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)));
}

/**
 * Reads of one request that are under way at once become one call: each costs more of the processor than its items do. A use case
 * asks for what it needs where it needs it, and need not know what others ask for.
 */
export class Gathered {
  #open: { keys: Map<string, Key>; found: Promise<Found> } | undefined;

  /** What was found of these keys and of others, by `keyText`. `readAll` is called with each key once. */
  read(wanted: readonly Key[], readAll: (keys: readonly Key[]) => Promise<Found>): Promise<Found> {
    this.#open ??= this.#begin(readAll);
    for (const key of wanted) this.#open.keys.set(keyText(key), bare(key));
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
