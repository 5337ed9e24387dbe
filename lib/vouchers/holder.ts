import * as v from 'valibot';
import type { Reading } from '../http/context.ts';
import { kind } from '../table/kind.ts';
import { kinds } from '../table/kind-names.ts';
import { read } from '../table/read.ts';

/** Knows the facts about a holder that vouchers need. The room of customers imports vouchers and knows the rest. */

export const holders = kind(kinds.customer, v.object({ id: v.string(), source_id: v.nullish(v.string()) }));
export const holderSources = kind(kinds.customerSource, v.object({ customer_id: v.string() }));

/** Returns the id of the customer with this id or source id. The id wins. */
export async function findHolderId(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  idOrSourceId: string,
): Promise<string | undefined> {
  const { byId, source } = await read(table, {
    byId: holders(project.id, idOrSourceId),
    source: holderSources(project.id, idOrSourceId),
  });
  if (byId || !source) return byId?.id;
  return (await read(table, { holder: holders(project.id, source.customer_id) })).holder?.id;
}
