import { ServiceError } from '../../core/errors.ts';
import { commit, type Effect, maxWrites } from '../../table/effects.ts';
import { explainItemSize } from '../../table/item-size.ts';
import type { Table } from '../../table/table.ts';

/**
 * Commits the effects of an occasion with its points. 400 `invalid_campaign` if they exceed a transaction, and 400 `invalid_payload` if an
 * item gets too large. `by` and `size` name the cause.
 */
export function commitEarnings(
  table: Table,
  effects: readonly Effect[],
  { by, size }: { by: string; size: string },
): Promise<boolean> {
  const tooMany = (items: number) =>
    new ServiceError('invalid_campaign', {
      details: `${by} would change ${items} items at once, of which ${maxWrites} can be`,
    });
  return commit(table, effects, tooMany).catch((error: unknown) => {
    throw explainItemSize(error, size);
  });
}
