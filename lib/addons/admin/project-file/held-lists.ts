import type { FileList, ListEntry } from '#kernel/kit/entries/list.ts';
import type { EntryFields, HeldEntries } from '#kernel/kit/entries/traits.ts';

/** Holds the entries of lists with `few`, in the order of the file. */
export class HeldLists implements HeldEntries {
  readonly #entries = new Map<string, { entry: ListEntry; index: number }[]>();
  readonly #byName = new Map<string, ReadonlyMap<string, EntryFields>>();

  add({ key }: FileList, entry: ListEntry, index: number): void {
    const entries = this.#entries.get(key) ?? [];
    this.#entries.set(key, entries);
    entries.push({ entry, index });
  }

  /** Returns the entries of a list. `index` is the place in the file, which counts faulty entries as well. */
  of(list: string): readonly { entry: ListEntry; index: number }[] {
    return this.#entries.get(list) ?? [];
  }

  all(list: string): readonly EntryFields[] {
    return this.of(list).map(({ entry }) => entry.value);
  }

  /** Indexes the names at the first call, after all entries were added. */
  find(list: string, name: string | null | undefined): EntryFields | undefined {
    const known = this.#byName.get(list) ?? this.#named(list);
    this.#byName.set(list, known);
    return known.get(name ?? '');
  }

  #named(list: string): ReadonlyMap<string, EntryFields> {
    const named = this.of(list).flatMap(({ entry }) => entry.names.map((name) => ({ ...name, entry: entry.value })));
    const [others, ids] = [named.filter(({ field }) => field !== 'id'), named.filter(({ field }) => field === 'id')];
    return new Map([...others, ...ids].map(({ value, entry }) => [value, entry]));
  }
}
