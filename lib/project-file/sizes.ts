import type { Entry, ListKey } from './entries.ts';

/** DynamoDB takes 400 KB an item; what the service adds to an entry fits into the rest. */
export const maxItemBytes = 380_000;

const why = `must have at most ${maxItemBytes} bytes`;
const because = 'for DynamoDB keeps it in one item of 400 KB';

export const tooLarge = `${why}, ${because}`;
export const tooLargeWithAssignments = `${why} with its validation rules assignments, ${because}`;
export const tooLargeTogether = `${why} together, for DynamoDB keeps them in one item of 400 KB`;

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** What the loader gives to an assignment that does not bring it. */
const assignmentDefaults = {
  id: `asgm_${'x'.repeat(22)}`,
  created_at: '2026-01-01T00:00:00.000Z',
  object: 'validation_rules_assignment',
};

/** An id, and a name or a code. */
const namesOfAnOwner = 2;

type Assignment = Entry<'validation_rules_assignments'>;

/**
 * How large items get that hold more than their own entry: validation rules assignments stand in what they are about,
 * all categories in one item, and the whole event schema.
 */
export class Sizes {
  readonly #together = new Map<ListKey, number>([
    ['categories', 0],
    ['event_schema', 0],
  ]);
  readonly #assignments = new Map<string, number>();
  #largestOwner = 0;
  #largestAssignments = 0;

  add(list: ListKey, bytes: number): void {
    const sum = this.#together.get(list);
    if (sum !== undefined) this.#together.set(list, sum + bytes);
    if (isOwner(list)) this.#largestOwner = Math.max(this.#largestOwner, bytes);
  }

  addAssignment({ related_object_type: type, related_object_id: id, ...rest }: Assignment): void {
    const bytes = jsonBytes({ ...assignmentDefaults, ...rest, related_object_type: type, related_object_id: id });
    const sum = bytes + (this.#assignments.get(`${type} ${id}`) ?? 0);
    this.#assignments.set(`${type} ${id}`, sum);
    this.#largestAssignments = Math.max(this.#largestAssignments, sum);
  }

  /** Lists that one item holds whole, and that don't fit. */
  get listsTooLarge(): ListKey[] {
    return [...this.#together].flatMap(([list, bytes]) => (bytes > maxItemBytes ? [list] : []));
  }

  /** Whether some item could be too large with its assignments; only then need each be looked at. */
  get mayBeTooLarge(): boolean {
    return this.#largestOwner + namesOfAnOwner * this.#largestAssignments > maxItemBytes;
  }

  /** The bytes of the assignments of an entry that may be named by any of these. */
  ofAssignments(list: ListKey, names: readonly string[]): number {
    const type = isOwner(list) ? owners[list] : undefined;
    return names.reduce((sum, name) => sum + (this.#assignments.get(`${type} ${name}`) ?? 0), 0);
  }
}

const owners = { campaigns: 'campaign', vouchers: 'voucher', promotion_tiers: 'promotion_tier' } as const;

function isOwner(list: ListKey): list is keyof typeof owners {
  return Object.hasOwn(owners, list);
}
