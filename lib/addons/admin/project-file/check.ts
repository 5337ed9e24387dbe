import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { hasVoucherIdForm, voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { canonicalCode } from '#kernel/core/canonical-code.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import { type FileList, type ListEntry, placeFault } from '#kernel/kit/entries/list.ts';
import { readFileSchemas, withFileSchemas } from '../metadata-schemas/entries.ts';
import { ProjectFileError } from './faults.ts';
import { FormulaNotes } from './formula-notes.ts';
import { HeldLists } from './held-lists.ts';
import { type FileProject, findUnknownFaults, lists, project as projectSchema } from './lists.ts';
import { FileMetadataCheck } from './metadata-check.ts';
import { NameBook } from './name-book.ts';
import { readEntries, singles } from './read-entries.ts';
import { Sizes } from './sizes.ts';
import type { StoredProject } from './stored-project.ts';
import { Sums } from './sums.ts';
import { findCodesAlike, walkVouchers, walkWantedEntries } from './walks.ts';

export interface CheckedFile {
  path: string;
  /** The SHA-256 of the file. */
  hash: string;
  project: FileProject;
  /** The top-level keys, including empty lists. */
  keys: ReadonlySet<string>;
  /** Entries of lists with `few`. Long lists are read again when they are written. */
  held: HeldLists;
  /** Returns whether the list has an entry with this id. Known only for lists whose entries may exchange unique values. */
  hasId: (list: string, id: string) => boolean;
  counts: ReadonlyMap<string, number>;
  firstVoucherCode: string | undefined;
  /** Formulas that have no value. */
  notes: readonly string[];
  /** Ids by which assignments name vouchers of the file, instead of codes. */
  voucherIds: ReadonlySet<string>;
  /** The stored project. */
  stored: StoredProject | undefined;
}

/**
 * Checks the whole file and throws all its faults together. Memory holds digests of names, never the entries of long
 * lists. `storedProject` reads the project from the table.
 */
export async function checkFile(
  path: string,
  storedProject: (id: string) => Promise<StoredProject | undefined>,
): Promise<CheckedFile> {
  const check = new Check();
  const hash = createHash('sha256');
  for await (const found of readEntries(path, (bytes) => hash.update(bytes))) {
    if (found.is === 'fault') check.faults.push(found.fault);
    else if (found.is === 'key') check.seeKey(found.key);
    else if (found.is === 'value') check.seeValue(found.key, found.value);
    else check.see(lists.get(found.key), found.index, found.value);
  }
  check.finish();
  const { project, faults, names, held, keys, counts, firstVoucherCode } = check;
  const stored = project && (await storedProject(project.id));
  check.metadata = new FileMetadataCheck(withFileSchemas(stored?.schemas ?? {}, readFileSchemas(held, '')));
  faults.push(...check.metadataFaults());
  const caseSensitiveCodes = project?.case_sensitive_codes ?? stored?.project.caseSensitiveCodes ?? true;
  if (!caseSensitiveCodes || check.hasUncommonCodes)
    for await (const fault of findCodesAlike(path, caseSensitiveCodes)) faults.push(fault);
  const voucherIds = stored ? await giveVoucherIds(path, check, stored) : new Set<string>();
  if (check.mayBeWrong) for await (const fault of check.faultsBetween(path)) faults.push(fault);
  if (!project || faults.length > 0) throw new ProjectFileError(faults);
  names.keepOnly([...lists.values()].filter(({ unique }) => unique.some(({ passes }) => passes)).map(({ key }) => key));
  const hasId = (list: string, value: string) => names.indexOf(list, 'id', value) !== undefined;
  return {
    path,
    hash: hash.digest('base64url'),
    project,
    keys,
    held,
    hasId,
    counts,
    firstVoucherCode,
    notes: check.formulas.all,
    voucherIds,
    stored,
  };
}

/**
 * Collects the facts of one walk through a file. Memory cannot hold the place of every entry, so this walk only finds contradictions.
 * `faultsBetween` walks again for their places.
 */
class Check {
  readonly faults: string[] = [];
  readonly names = new NameBook();
  readonly sizes = new Sizes();
  readonly formulas = new FormulaNotes();
  readonly held = new HeldLists();
  readonly keys = new Set<string>();
  readonly counts = new Map<string, number>();
  /** Values by which entries name vouchers, and which may be ids. Only pasted replies contain such values. */
  readonly voucherIds = new Set<string>();
  project: FileProject | undefined;
  firstVoucherCode: string | undefined;
  /** True if a code has blanks, dashes or invisible characters with which others may be confused. */
  hasUncommonCodes = false;
  /** Known after the first walk, because a file may have its schemas after other lists. */
  metadata = new FileMetadataCheck({});
  readonly #sums = new Sums();
  /** Distinct parts of long lists' entries that held entries may contradict (`alike`). They are few, however long the lists are. */
  readonly #claims = new Map<string, NonNullable<ListEntry['against']>['faults']>();

  seeKey(key: string): void {
    if (this.keys.has(key)) this.faults.push(`${key} is in the file twice`);
    else if (!singles.includes(key) && !lists.has(key)) this.faults.push(`${key} is not a key of a project file`);
    this.keys.add(key);
  }

  seeValue(key: string, value: unknown): void {
    if (key !== 'project') return;
    this.faults.push(...findUnknownFaults(key, value, key));
    const result = v.safeParse(projectSchema, value);
    if (result.success) this.project = result.output;
    else this.faults.push(...describeIssues(result.issues, '').map((fault) => placeFault(key, fault)));
  }

  see(list: FileList | undefined, index: number, value: unknown): void {
    if (!list) return;
    const { key } = list;
    const place = `${key}[${index}]`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    const { entry, faults } = list.parse(value, place);
    this.faults.push(...faults, ...findUnknownFaults(key, value, place));
    if (!entry) return;
    this.formulas.see(value, place);
    for (const fault of this.sizes.see(list, entry)) this.faults.push(placeFault(place, fault));
    if (key === 'vouchers') {
      const { value: code = '' } = entry.names[0] ?? {};
      if (index === 0) this.firstVoucherCode = code;
      this.hasUncommonCodes ||= canonicalCode(code) !== code;
    }
    for (const { field, value } of entry.names) {
      const first = this.names.give(key, field, value, index);
      if (first !== undefined) this.faults.push(`${place}.${field} repeats ${key}[${first}].${field}`);
    }
    this.names.see(entry);
    for (const id of voucherIdsIn(entry)) this.voucherIds.add(id);
    this.#sums.see(entry);
    if (list.number === 'few') this.held.add(list, entry, index);
    else if (entry.against) this.#claims.set(entry.against.text, entry.against.faults);
  }

  /** Checks rules that need all entries. */
  finish(): void {
    for (const { key, apart, most = Number.POSITIVE_INFINITY } of lists.values()) {
      const entries = this.counts.get(key) ?? 0;
      if (entries > most) this.faults.push(`${key} has ${entries} entries, and a project has at most ${most}`);
      const [field = '', otherField = ''] = apart ?? [];
      for (const [index, other] of this.names.clashes(key, field, otherField)) {
        this.faults.push(`${key}[${index}].${field} is the ${otherField} of ${key}[${other}]`);
      }
      for (const { entry, index } of this.held.of(key)) {
        const faults = [...(entry.against?.faults(this.held) ?? [])];
        this.faults.push(...faults.map((fault) => placeFault(`${key}[${index}]`, fault)));
      }
    }
    this.faults.push(...this.sizes.faults);
    if (!this.keys.has('project')) this.faults.push('project is required');
  }

  /** Checks the metadata of held entries. */
  metadataFaults(): string[] {
    return [...lists.keys()].flatMap((key) =>
      this.held.of(key).flatMap(({ entry, index }) => {
        const faults = this.metadata.faultsOf(key, entry.value, this.held);
        return faults.map((fault) => placeFault(`${key}[${index}]`, fault));
      }),
    );
  }

  /** Returns whether entries of long lists have metadata that a schema may refuse. */
  get #hasLongMetadata(): boolean {
    return [...lists.values()].some(
      ({ key, number }) => number === 'many' && this.counts.has(key) && this.metadata.concerns(key),
    );
  }

  get mayBeWrong(): boolean {
    const isContradicted = () => [...this.#claims.values()].some((faults) => [...faults(this.held)].length > 0);
    return (
      this.names.mayBeWrong ||
      this.sizes.mayBeWrong ||
      this.#sums.mayBeWrong ||
      this.#hasLongMetadata ||
      isContradicted()
    );
  }

  async *faultsBetween(path: string): AsyncGenerator<string> {
    for await (const { key, index, list, value } of walkWantedEntries(path, lists)) {
      const place = `${key}[${index}]`;
      const { entry } = list.parse(value, place);
      if (!entry) continue;
      const faults = [
        ...this.names.faultsOf(entry),
        ...this.sizes.faultsOf(list, entry),
        ...(list.number === 'many' ? (entry.against?.faults(this.held) ?? []) : []),
        ...this.#sums.faultsOf(entry),
        ...(list.number === 'many' ? this.metadata.faultsOf(key, entry.value, this.held) : []),
      ];
      yield* faults.map((fault) => placeFault(place, fault));
    }
  }
}

function voucherIdsIn({ references }: ListEntry): string[] {
  const named = references.flat().filter(({ list, by }) => list === 'vouchers' && by?.includes('id'));
  return named.map(({ value }) => value).filter(hasVoucherIdForm);
}

/**
 * Finds vouchers that entries name by id, as pasted replies do. Ids derive from the project's secret, so they are only known for a
 * stored project. Memory keeps the ids that entries use.
 */
async function giveVoucherIds(path: string, { voucherIds, names, sizes }: Check, { project }: StoredProject) {
  const wanted = new Set([...voucherIds].filter((id) => names.indexOf('vouchers', 'code', id) === undefined));
  const found = new Set<string>();
  if (wanted.size === 0) return found;
  for await (const { index, list, value } of walkVouchers(path)) {
    const code = list.parse(value, '').entry?.names[0]?.value;
    const id = code === undefined ? undefined : voucherId(project, code);
    if (id === undefined || !wanted.has(id)) continue;
    names.give('vouchers', 'id', id, index);
    found.add(id);
  }
  if (found.size > 0) sizes.alsoNamed(project);
  return found;
}
