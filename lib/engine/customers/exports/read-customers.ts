import {
  customerBounds,
  type ListedPublication,
  listedPublication,
  publicationLists,
} from '#engine/vouchers/publication.ts';
import type { Showing } from '#kernel/http/context.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { parseStored } from '#kernel/table/item.ts';
import { walkList } from '#kernel/table/listing.ts';
import { readCustomers } from '../find-customer.ts';
import { presentCustomer } from '../present-customer.ts';

/** An export looks up the publications of this many customers in parallel. */
const lookedUpAtOnce = 10;

/** Returns the publications that gave the customer something. A failed publication has given nothing. */
async function readPublications({ table, project }: Showing, customerId: string): Promise<ListedPublication[]> {
  const found: ListedPublication[] = [];
  const { customer_id: list } = publicationLists;
  for await (const { listed } of walkList(table, list, [project.id], customerBounds(customerId))) {
    const one = parseStored(listedPublication, listed);
    if (one.result === 'SUCCESS' && one.customer_id === customerId) found.push(one);
  }
  return found;
}

/** Reads customers for filters and columns. */
export async function readExportedCustomers(
  context: Showing,
  ids: readonly string[],
  { withPublications }: { withPublications: boolean },
) {
  const customers = (await readCustomers(context, ids)).map((one) => presentCustomer(one, context));
  if (!withPublications) return customers;
  const known = [];
  for await (const some of splitIntoBatches(customers, lookedUpAtOnce)) {
    const published = await Promise.all(some.map(({ id }) => readPublications(context, id)));
    known.push(...some.map((one, index) => ({ ...one, publications: published[index] ?? [] })));
  }
  return known;
}
