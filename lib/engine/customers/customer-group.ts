import type { Showing } from '#kernel/http/context.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { BatchFilter } from '#kernel/table/list-page.ts';
import type { Entry, Listing, Owner } from '#kernel/table/listing.ts';
import { read } from '#kernel/table/read.ts';
import { type ListedCustomer, listedCustomer, showListedCustomer } from './change-customer.ts';
import { customers } from './customer.ts';
import { type FoundCustomer, readCustomers } from './find-customer.ts';

/** Describes a group of customers that is not defined by the lists alone. */
export interface CustomerGroup {
  /** Names a list of the whole group in the order of creation, if one is kept. */
  readonly kept?: { readonly list: Listing; readonly owner: Owner };
  /** Otherwise returns the ids of the customers that belong to the group. */
  readonly takes?: (found: readonly FoundCustomer[]) => ReadonlySet<string>;
}

/** A request reads at most this many customers for data that no list has. */
export const maxRead = 1_000;
const batchSize = 100;

export const parseListedCustomer = ({ listed }: Entry): ListedCustomer => parseStored(listedCustomer, listed);

/** Reads customers, and yields their entries with the fields of the customers' own lists. */
export async function* readAsListed({ table, project }: Showing, all: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  for await (const batch of splitIntoBatches(all, batchSize)) {
    const keys = batch.map((entry) => customers(project.id, parseListedCustomer(entry).id));
    const { found } = await read(table, { found: keys });
    for (const [index, item] of found.entries()) {
      const entry = batch[index];
      if (entry && item) yield { ...entry, listed: showListedCustomer(item) };
    }
  }
}

/** Yields only the first entries of a list. */
export async function* takeFirst(all: AsyncIterable<Entry>, most: number): AsyncGenerator<Entry> {
  let left = most;
  for await (const entry of all) {
    if (left-- === 0) return;
    yield entry;
  }
}

type Test = BatchFilter<Entry> | undefined;

/** Reads the customers that the lists don't rule out, and tests whether the group has them. */
export function testGroup(context: Showing, matches: Test, takes: CustomerGroup['takes']): Test {
  if (!takes) return matches;
  return async (batch) => {
    const isOpen = matches ? await matches(batch) : batch.map(() => true);
    const ids = batch.map((entry) => parseListedCustomer(entry).id);
    const found = await readCustomers(
      context,
      ids.filter((_, index) => isOpen[index]),
    );
    const taken = takes(found);
    return ids.map((id) => taken.has(id));
  };
}
