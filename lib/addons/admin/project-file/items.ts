import { voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { type Claim, explainDifference, type ItemWrite } from '#kernel/kit/entries/item-write.ts';
import type { FileList, ListEntry } from '#kernel/kit/entries/list.ts';
import type { EntryFields, LoadContext, Making } from '#kernel/kit/entries/traits.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import type { Table } from '#kernel/table/table.ts';
import type { CheckedFile } from './check.ts';
import { ProjectFileError } from './faults.ts';
import { IdMaker } from './ids.ts';
import { lists } from './lists.ts';
import { readEntries } from './read-entries.ts';
import { readStored } from './settle.ts';
import { findSizeFaults } from './sizes.ts';

/** Limits the entries of a call. DynamoDB accepts 100 keys in a call. */
const entriesAtOnce = 100;

export interface ItemTarget {
  table: Table;
  project: Project;
  /** The time of the project's first load. */
  firstLoadedAt: string;
  now: string;
  /** Reports an entry that cannot be written. */
  onMissing: (fault: string) => void;
}

interface Placed {
  list: FileList;
  entry: ListEntry;
  index: number;
}

type At = LoadContext['at'];

const nothing: At = () => undefined;

/** Reads all keys together. A deleted item counts as absent. */
export async function lookUp(table: Table, keys: readonly ItemKey[]): Promise<At> {
  const at = await readStored(table, keys);
  return (key) => {
    const item = at(key);
    return item?.deleted_at === undefined ? item : undefined;
  };
}

/** Yields the unique values of an entry or an item, each with its claim. */
function* uniquesOf({ unique }: FileList, item: EntryFields, projectId: string) {
  for (const { field, claim, ...rest } of unique) {
    const value = item[field] ?? undefined;
    if (value !== undefined) yield { ...rest, field, value: String(value), key: claim(projectId, String(value)) };
  }
}

function lookupsOf({ list, entry }: Placed, projectId: string, voucherIdOf: LoadContext['voucherId']): ItemKey[] {
  const [name] = entry.value.id === undefined ? uniquesOf(list, entry.value, projectId) : [];
  return [...(name ? [name.key] : []), ...entry.lookups(projectId, voucherIdOf)];
}

/**
 * Turns an entry into items, the first with its claims. `isInFile` returns whether the file has an entry with the id.
 */
export function makeItemWrites(
  { list, entry }: Pick<Placed, 'list' | 'entry'>,
  making: Making,
  isInFile: (id: string) => boolean,
): ItemWrite[] {
  const { id, place, projectId } = making;
  const claimsOf = (item: EntryFields): Claim[] =>
    [...uniquesOf(list, item, projectId)].map(({ key, field, holds, also, passes }) => ({
      key,
      item: { [holds]: id, ...(also && { [also.attribute]: item[also.field] }) },
      fixed: {
        [holds]: `${place}.${field} belongs to another ${list.called} of the project`,
        ...(also && { [also.attribute]: explainDifference(`${place}.${also.field}`) }),
      },
      // Values of a file are distinct: the entry that has this value in the table gets a different value.
      ...(passes ? { passes: (stored) => isInFile(String(stored[holds])) } : {}),
    }));
  const [first, ...others] = entry.items(making);
  if (!first) return [];
  const faults = (stored: Attributes) => {
    if (stored.deleted_at === undefined) return first.faults?.(stored) ?? [];
    return [`${place} is ${stored.bin_entry === undefined ? 'being deleted from' : 'in the bin of'} the project`];
  };
  const claiming = list.unique.length === 0 ? {} : { claims: claimsOf(first.item), claimsOf };
  return [{ ...first, ...claiming, faults }, ...others];
}

/** Returns the voucher's id from a code, or from its id in the file. */
function voucherIdIn({ voucherIds }: CheckedFile, project: Project): LoadContext['voucherId'] {
  return (code) => (voucherIds.has(code) ? code : voucherId(project, code));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Entries of this list are in the items of their owners. A file without the key leaves stored entries unchanged. */
const partsList = 'validation_rules_assignments';

/**
 * Turns checked entries into items, in the order of the file. Each walk through the file needs its own maker, because
 * generated ids depend on the number of earlier equal entries.
 */
export class ItemMaker {
  readonly #file: CheckedFile;
  readonly #target: ItemTarget;
  readonly #surroundings: Omit<LoadContext, 'at'>;
  readonly #ids: IdMaker;
  readonly #idsOfHeld: ReadonlyMap<EntryFields, string>;
  readonly #parts = new Map<string, EntryFields[]>();

  private constructor(file: CheckedFile, target: ItemTarget, atOfHeld: At) {
    const { project, now, firstLoadedAt, onMissing } = target;
    const { held, keys } = file;
    this.#file = file;
    this.#target = target;
    this.#ids = new IdMaker(project.id);
    this.#idsOfHeld = new Map(heldOf(file).map((one) => [one.entry.value, this.#idOf(one, atOfHeld)]));
    const once = keys.has(partsList) ? [] : [partsList];
    this.#surroundings = {
      projectId: project.id,
      now,
      firstLoadedAt,
      file: held,
      idOf: (list, ...names) => this.#idOfHeld(list, names),
      voucherId: voucherIdIn(file, project),
      parts: (owner, id) => ({ item: { [partsList]: this.#parts.get(`${owner} ${id}`) }, once }),
      missing: onMissing,
    };
    const parts = heldOf(file).flatMap((one) => one.entry.part(this.#making(one, atOfHeld)) ?? []);
    for (const { owner, id, value } of parts) {
      const own = this.#parts.get(`${owner} ${id}`) ?? [];
      this.#parts.set(`${owner} ${id}`, own);
      own.push(value);
    }
  }

  static async of(file: CheckedFile, target: ItemTarget): Promise<ItemMaker> {
    const { project } = target;
    const voucherIdOf = voucherIdIn(file, project);
    const keys = heldOf(file).flatMap((one) => lookupsOf(one, project.id, voucherIdOf));
    return new ItemMaker(file, target, await lookUp(target.table, keys));
  }

  /** Yields all items of a stage. Reads the file again for long lists. */
  async *itemsOf(stage: number): AsyncGenerator<ItemWrite> {
    const { path, counts, held } = this.#file;
    const ofStage = [...lists].filter(([, list]) => list.stage === stage);
    for (const [key, list] of ofStage) {
      if (list.together) yield this.#together(key, list.together);
      else for (const one of held.of(key)) yield* this.#items({ ...one, list }, nothing);
    }
    const long = new Map(ofStage.filter(([key, { number }]) => number === 'many' && counts.has(key)));
    if (long.size === 0) return;
    const { table, project } = this.#target;
    for await (const batch of splitIntoBatches(parsed(path, long), entriesAtOnce)) {
      const at = await lookUp(
        table,
        batch.flatMap((one) => lookupsOf(one, project.id, this.#surroundings.voucherId)),
      );
      for (const one of batch) yield* this.#items(one, at);
    }
  }

  #together(key: string, together: NonNullable<FileList['together']>): ItemWrite {
    const write = together(this.#file.held.all(key), { ...this.#surroundings, at: nothing });
    const faults = (stored: Attributes) => [
      ...(write.faults?.(stored) ?? []),
      ...findSizeFaults(key, write.places?.(stored)),
    ];
    return { ...write, faults };
  }

  #items(one: Placed, at: At): ItemWrite[] {
    return makeItemWrites(one, this.#making(one, at), (id) => this.#file.hasId(one.list.key, id));
  }

  #making(one: Placed, at: At): Making {
    const id = this.#idsOfHeld.get(one.entry.value) ?? this.#idOf(one, at);
    return { ...this.#surroundings, at, id, place: `${one.list.key}[${one.index}]` };
  }

  #idOfHeld(list: string, names: readonly (string | null | undefined)[]): string | undefined {
    const name = names.find((some) => some !== null && some !== undefined);
    const entry = this.#file.held.find(list, name);
    return entry && this.#idsOfHeld.get(entry);
  }

  /**
   * Returns the entry's own id, else the table's id for its unique value, else an id that is the same at every load.
   */
  #idOf({ list, entry }: Placed, at: At): string {
    const { prefix } = list;
    if (prefix === undefined) return '';
    const [name] = uniquesOf(list, entry.value, this.#target.project.id);
    return (
      textOf(entry.value.id) ??
      textOf(name && at(name.key)?.[name.holds]) ??
      (name ? this.#ids.fromName(prefix, name.value) : this.#ids.fromContent(prefix, entry.value))
    );
  }
}

function heldOf({ held }: CheckedFile): Placed[] {
  return [...lists.values()].flatMap((list) => held.of(list.key).map((one) => ({ ...one, list })));
}

/** Refuses a file that has changed since the check. */
async function* parsed(path: string, wanted: ReadonlyMap<string, FileList>): AsyncGenerator<Placed> {
  for await (const read of readEntries(path)) {
    if (read.is === 'fault') throw new ProjectFileError([read.fault], { partly: true });
    const list = read.is === 'entry' && wanted.get(read.key);
    if (!list) continue;
    const { entry, faults } = list.parse(read.value, `${read.key}[${read.index}]`);
    if (!entry) throw new ProjectFileError(faults, { partly: true });
    yield { list, entry, index: read.index };
  }
}
