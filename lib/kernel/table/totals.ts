import * as v from 'valibot';
import { integer } from '#kernel/core/schema.ts';
import { kind } from './kind.ts';
import { kinds } from './kind-names.ts';
import { type Listing, listName, type Owner } from './listing.ts';
import type { Table } from './table.ts';

/** Stores the length of a list. The stream counts it about a second late, and exactly once writes rest. */
const totalItem = v.object({
  /** Can be negative if elements are removed that were never counted. */
  total: v.optional(integer, 0),
});

const totalKind = kind(kinds.total, totalItem);

/** Returns the key of a list's total. `name` is the result of `listName`. */
export function totalKey(name: string) {
  const [projectId = ''] = name.split('#');
  return totalKind(projectId, name);
}

/** Returns the length of a list: exact for short lists, else the stream's count. */
export async function readTotal(
  table: Pick<Table, 'get'>,
  list: Listing,
  owner: Owner,
  { length }: { length: number | undefined },
): Promise<number> {
  if (length !== undefined) return length;
  const stored = await table.get(totalKey(listName(list, owner)), totalItem);
  return Math.max(0, stored?.total ?? 0);
}
