import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { describeIssues, unstorable } from '../schema.ts';
import { looksLikeVoucherId, voucherId } from '../vouchers/voucher-id.ts';
import {
  type Entry,
  isListKey,
  isLongList,
  type ListKey,
  lists,
  project as projectSchema,
  type ShortList,
} from './entries.ts';
import { ProjectFileError } from './faults.ts';
import { NameBook } from './name-book.ts';
import { readEntries } from './read-entries.ts';
import { type Reference, referenceRules, targets } from './references.ts';
import { jsonBytes, maxItemBytes, Sizes, tooLarge, tooLargeTogether, tooLargeWithAssignments } from './sizes.ts';
import type { StoredProject } from './stored-project.ts';

export type ShortLists = { [K in ShortList]: Entry<K>[] };

export interface CheckedFile {
  path: string;
  /** SHA-256 of its bytes. */
  hash: string;
  project: v.InferOutput<typeof projectSchema>;
  /** The keys that stand in it, with entries or without. */
  keys: ReadonlySet<string>;
  /** The lists that a project has few entries of; the long ones are read again when they are written. */
  short: ShortLists;
  counts: ReadonlyMap<ListKey, number>;
  firstVoucherCode: string | undefined;
  /** Ids, not codes, by which assignments name vouchers of the file. */
  voucherIds: ReadonlySet<string>;
  /** The project as the table has it already. */
  stored: StoredProject | undefined;
}

function emptyShortLists(): ShortLists {
  return {
    app_keys: [],
    management_keys: [],
    roles: [],
    users: [],
    brands: [],
    categories: [],
    validation_rules: [],
    campaigns: [],
    validation_rules_assignments: [],
    promotion_tiers: [],
    loyalty_tiers: [],
    earning_rules: [],
    rewards: [],
    reward_assignments: [],
    event_schema: [],
  };
}

/** An entry becomes an item, of which its fields are the attributes. */
const entryDepth = -1;

/** Parses an entry of one list; faults are told as lines that begin with its place. */
export function parseEntry<K extends ListKey>(
  key: K,
  value: unknown,
  place: string,
): { entry?: Entry<K>; faults: string[] } {
  const schema: v.GenericSchema<unknown, Entry<K>> = lists[key];
  const result = v.safeParse(schema, value);
  if (result.success) {
    const fault = unstorable(result.output, entryDepth);
    return fault === undefined ? { entry: result.output, faults: [] } : { faults: [`${place} ${fault}`] };
  }
  return {
    faults: describeIssues(result.issues, '').map((fault) => place + (/^[[ ]/.test(fault) ? fault : `.${fault}`)),
  };
}

/**
 * Reads the whole file and tells every fault of it; holds digests of the names of the long lists, never their entries.
 * `storedProject` tells of the project what the table has.
 */
export async function checkFile(
  path: string,
  storedProject: (id: string) => Promise<StoredProject | undefined>,
): Promise<CheckedFile> {
  const read = await readOnce(path);
  const { faults, names, sizes, short, project } = read;
  const stored = project && (await storedProject(project.id));
  const voucherIds = await giveVoucherIds(path, short, names, stored);
  if (!names.settled || sizes.mayBeTooLarge) {
    for await (const fault of faultsBetweenEntries(path, names, sizes, voucherIds.size > 0 ? stored : undefined)) {
      faults.push(fault);
    }
  }
  if (!project || faults.length > 0) throw new ProjectFileError(faults);
  const { hash, keys, counts, firstVoucherCode } = read;
  return { path, hash, project, keys, short, counts, firstVoucherCode, voucherIds, stored };
}

/** What each entry says by itself, and what all of them are called. */
async function readOnce(path: string) {
  const faults: string[] = [];
  const names = new NameBook();
  const sizes = new Sizes();
  const short = emptyShortLists();
  const keys = new Set<string>();
  const counts = new Map<ListKey, number>();
  const hash = createHash('sha256');
  let project: CheckedFile['project'] | undefined;
  let firstVoucherCode: string | undefined;

  function checkEntry<K extends ListKey>(key: K, index: number, value: unknown): Entry<K> | undefined {
    const place = `${key}[${index}]`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const { entry, faults: wrong } = parseEntry(key, value, place);
    faults.push(...wrong);
    if (entry === undefined) return undefined;
    const bytes = jsonBytes(entry);
    if (bytes > maxItemBytes) faults.push(`${place} ${tooLarge}`);
    else sizes.add(key, bytes);
    const rules = referenceRules[key];
    const own = rules.names(entry);
    if (key === 'vouchers' && index === 0) firstVoucherCode = own[0]?.value;
    for (const { field, value } of own) {
      const first = names.give(key, field, value, index);
      if (first !== undefined) faults.push(`${place}.${field} repeats that of ${key}[${first}]`);
    }
    for (const group of rules.references(entry)) names.refer(group);
    return entry;
  }

  function keepEntry<K extends ShortList>(key: K, index: number, value: unknown): void {
    const entry = checkEntry(key, index, value);
    if (entry !== undefined) short[key].push(entry);
  }

  function checkProject(value: unknown): CheckedFile['project'] | undefined {
    const result = v.safeParse(projectSchema, value);
    if (result.success) return result.output;
    const own = describeIssues(result.issues, '');
    faults.push(...own.map((fault) => `project${fault.startsWith(' ') ? '' : '.'}${fault}`));
    return undefined;
  }

  for await (const found of readEntries(path, (bytes) => hash.update(bytes))) {
    if (found.is === 'fault') {
      faults.push(found.fault);
    } else if (found.is === 'key') {
      if (keys.has(found.key)) faults.push(`${found.key} stands in the file twice`);
      else if (found.key !== 'project' && !isListKey(found.key))
        faults.push(`${found.key} is no key of a project file`);
      keys.add(found.key);
    } else if (found.is === 'value') {
      project = checkProject(found.value);
    } else if (isListKey(found.key)) {
      if (isLongList(found.key)) checkEntry(found.key, found.index, found.value);
      else keepEntry(found.key, found.index, found.value);
    }
  }

  for (const entry of short.validation_rules_assignments) sizes.addAssignment(entry);
  for (const list of sizes.listsTooLarge) faults.push(`${list} ${tooLargeTogether}`);
  if (!keys.has('project')) faults.push('project is required');
  return { faults, names, sizes, short, keys, counts, project, firstVoucherCode, hash: hash.digest('base64url') };
}

/**
 * A pasted assignment names its voucher by the id, which depends on the project's secret: only once the project is
 * stored can the ids of the file's vouchers be known, and only those that are asked for are kept.
 */
async function giveVoucherIds(
  path: string,
  { validation_rules_assignments }: ShortLists,
  names: NameBook,
  stored: StoredProject | undefined,
): Promise<Set<string>> {
  const wanted = new Set(
    validation_rules_assignments.flatMap(({ related_object_type: type, related_object_id: id }) =>
      type === 'voucher' && looksLikeVoucherId(id) && names.find({ target: 'voucher', value: id }) === undefined
        ? [id]
        : [],
    ),
  );
  const found = new Set<string>();
  if (!stored || wanted.size === 0) return found;
  for await (const read of readEntries(path)) {
    if (read.is !== 'entry' || read.key !== 'vouchers') continue;
    const { entry } = parseEntry('vouchers', read.value, '');
    const id = entry && voucherId(stored.project, entry.code);
    if (id === undefined || !wanted.has(id)) continue;
    names.give('vouchers', 'id', id, read.index);
    found.add(id);
  }
  return found;
}

/**
 * Goes through the file once more, for what is wrong between its entries: the first time only told that something is,
 * for to keep the place of every reference would take more than the heap of a small machine.
 */
async function* faultsBetweenEntries(
  path: string,
  names: NameBook,
  sizes: Sizes,
  stored: StoredProject | undefined,
): AsyncGenerator<string> {
  function* faultsOf<K extends ListKey>(key: K, index: number, value: unknown): Generator<string> {
    const place = `${key}[${index}]`;
    const { entry } = parseEntry(key, value, place);
    if (entry === undefined) return;
    const rules = referenceRules[key];
    for (const group of rules.references(entry)) {
      for (const fault of referenceFaults(group, names)) yield `${place}.${fault}`;
    }
    const own = rules.names(entry).map(({ value }) => value);
    const ids = stored && key === 'vouchers' ? own.map((code) => voucherId(stored.project, code)) : [];
    const assignments = sizes.ofAssignments(key, [...own, ...ids]);
    const bytes = assignments > 0 ? jsonBytes(entry) : 0;
    if (bytes <= maxItemBytes && bytes + assignments > maxItemBytes) yield `${place} ${tooLargeWithAssignments}`;
  }

  for await (const read of readEntries(path)) {
    if (read.is === 'entry' && isListKey(read.key)) yield* faultsOf(read.key, read.index, read.value);
  }
}

function referenceFaults(group: readonly Reference[], names: NameBook): string[] {
  const found = group.map((reference) => ({ ...reference, index: names.find(reference) }));
  const dangling = found.filter(({ index }) => index === undefined);
  if (dangling.length > 0) {
    return dangling.map(({ field, target }) => `${field} names no ${targets[target].called} of this file`);
  }
  const [first, ...others] = found;
  return others
    .filter(({ index }) => index !== first?.index)
    .map(({ field, target }) => `${field} names another ${targets[target].called} than its ${first?.field}`);
}
