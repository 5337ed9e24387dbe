import { voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import type { FileList, ListEntry } from '#kernel/kit/entries/list.ts';

/** Limits entries. DynamoDB accepts 400 KB per item, and the service needs the rest. */
const maxItemBytes = 380_000;

const why = `must have at most ${maxItemBytes} bytes`;
const inOneItem = 'in one item of 400 KB';
const because = `because DynamoDB stores it ${inOneItem}`;
const together = `${why} together, because DynamoDB stores them ${inOneItem}`;

export function countJsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Yields the faults of a list that one item holds. `fields` is the item with its stored attributes. */
export function findSizeFaults(list: string, fields: unknown): string[] {
  return countJsonBytes(fields) > maxItemBytes ? [`${list} ${together}, together with the stored entries`] : [];
}

/** Fields that the loader adds to an assignment. */
const assignmentDefaults = {
  id: `asgm_${'x'.repeat(22)}`,
  created_at: '2026-01-01T00:00:00.000Z',
  object: 'validation_rules_assignment',
};

/** The most names of an owner: an id, and a name or a code. */
const namesOfAnOwner = 2;

/** Checks the sizes of items: of single entries with their parts, and of lists that one item holds. */
export class Sizes {
  readonly #together = new Map<string, number>();
  readonly #parts = new Map<string, number>();
  #largestOwner = 0;
  #largestParts = 0;
  #project: Project | undefined;

  /** Also accepts the ids of vouchers as names in this project. */
  alsoNamed(project: Project): void {
    this.#project = project;
  }

  /** Yields the faults of a single entry. */
  *see({ key, together, owner }: FileList, { value, partOf }: ListEntry): Generator<string> {
    const bytes = countJsonBytes(value);
    if (bytes > maxItemBytes) yield ` ${why}, ${because}`;
    if (together) this.#together.set(key, (this.#together.get(key) ?? 0) + bytes);
    if (owner !== undefined) this.#largestOwner = Math.max(this.#largestOwner, bytes);
    if (partOf === undefined) return;
    const sum = countJsonBytes({ ...assignmentDefaults, ...value }) + (this.#parts.get(partOf) ?? 0);
    this.#parts.set(partOf, sum);
    this.#largestParts = Math.max(this.#largestParts, sum);
  }

  /** Yields the faults of lists that one item holds. */
  get faults(): string[] {
    return [...this.#together].flatMap(([list, bytes]) => (bytes > maxItemBytes ? [`${list} ${together}`] : []));
  }

  /** Returns whether an item could be too large with its parts. Only then each must be checked. */
  get mayBeWrong(): boolean {
    return this.#largestOwner + namesOfAnOwner * this.#largestParts > maxItemBytes;
  }

  *faultsOf({ key, owner }: FileList, { names, value }: ListEntry): Generator<string> {
    if (owner === undefined || !this.mayBeWrong) return;
    const own = names.map((name) => name.value);
    const project = key === 'vouchers' ? this.#project : undefined;
    const ids = project ? own.map((code) => voucherId(project, code)) : [];
    const parts = [...own, ...ids].reduce((sum, name) => sum + (this.#parts.get(`${owner} ${name}`) ?? 0), 0);
    const bytes = parts > 0 ? countJsonBytes(value) : 0;
    if (bytes <= maxItemBytes && bytes + parts > maxItemBytes) {
      yield ` ${why} with its validation rules assignments, ${because}`;
    }
  }
}
