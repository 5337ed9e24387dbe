import type { Write } from './command.ts';
import type { Key } from './keys.ts';

/**
 * Kinds whose ids the service makes or an operator chooses. Keys of other kinds may contain codes, names or e-mail
 * addresses.
 */
const resources: ReadonlySet<string> = new Set([
  'ASSIGNED_REWARD',
  'BRAND',
  'CAMPAIGN',
  'CATEGORY',
  'CUSTOMER',
  'EARNING_RULE',
  'LOYALTY_TIER',
  'ORDER',
  'ORDER_RETURN',
  'PENDING_POINTS',
  'PRODUCT',
  'PRODUCTS_COLLECTION',
  'PROMOTION_STACK',
  'PROMOTION_TIER',
  'PUBLICATION',
  'REDEMPTION',
  'REWARD',
  'REWARD_ASSIGNMENT',
  'ROLE',
  'SEGMENT',
  'SKU',
  'STACKING_RULES',
  'VALIDATION_RULES',
  'VALIDATION_RULES_ASSIGNMENT',
  'VOUCHER',
]);

/** Limits the names in a line of the log. */
const maxNamed = 20;

function nameOf({ pk, sk }: Key): string | undefined {
  const [kind = '', childId] = sk.split('#');
  const id = childId ?? pk.split('#')[2];
  if (!resources.has(kind)) return undefined;
  return id === undefined ? kind : `${kind} ${id}`;
}

/** Remembers the items that one request writes, by kind and id, for its line of the log. */
export class WrittenItems {
  readonly #committed = new Set<string>();
  readonly #changed = new Set<string>();

  noteCommitted(writes: readonly Write[]): void {
    for (const write of writes) if (!('check' in write)) this.#note(this.#committed, write.key);
  }

  /** Notes a single change. It may be a hold, which a refused request gives back. */
  noteChanged(key: Key): void {
    this.#note(this.#changed, key);
  }

  #note(names: Set<string>, key: Key): void {
    const name = nameOf(key);
    if (name !== undefined) names.add(name);
  }

  /** Returns the first names, and the number of all. */
  told({ isRefused }: { isRefused: boolean }): { names: readonly string[]; count: number } {
    const names = [...new Set([...this.#committed, ...(isRefused ? [] : this.#changed)])];
    return { names: names.slice(0, maxNamed), count: names.length };
  }
}
