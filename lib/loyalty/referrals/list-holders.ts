import type * as v from 'valibot';
import { timeOfId } from '../../core/ids.ts';
import { count } from '../../core/schema.ts';
import type { Showing } from '../../http/context.ts';
import { cursorQuery, limitQuery, more, moreEntries, unknownCursor } from '../../http/page.ts';
import type { Fields } from '../../kit/filters/fields.ts';
import { compileFilter } from '../../kit/filters/filter.ts';
import { listed } from '../../kit/lists/listed.ts';
import { parseStored } from '../../table/item.ts';
import { filteredPage } from '../../table/list-page.ts';
import type { Range } from '../../table/listing.ts';
import { refereeItem, referees } from '../../vouchers/referee.ts';
import { type Holding, holder, type Named, presentHolder, referralCodeOr404, referrerOf } from './holder.ts';

const filterFields: Fields<Holding> = {
  id: 'text',
  created_at: 'date',
  holder_role: { type: 'text', at: ({ role }: Holding) => role },
  customer_id: 'text',
};

export const holdersListed = listed({
  key: 'data',
  element: holder,
  paging: { ...limitQuery, ...cursorQuery },
  orders: ['id'],
  byDefault: '-id',
  orderWords: 'The first holder first, or with a dash the last.',
  filters: filterFields,
  place: { total: count, ...moreEntries },
});

/** Yields referees in their order, and the referrer among them, usually first. */
async function* inOrder(
  all: AsyncIterable<Holding>,
  referrer: Holding | undefined,
  { behind, descending = false }: Range,
): AsyncGenerator<Holding> {
  const comesFirst = (one: Holding, id: string) => (descending ? one.id > id : one.id < id);
  const isWanted = (one: Holding) => behind === undefined || (one.id !== behind && !comesFirst(one, behind));
  let open = referrer;
  for await (const one of all) {
    if (open && comesFirst(open, one.id)) {
      if (isWanted(open)) yield open;
      open = undefined;
    }
    if (isWanted(one)) yield one;
  }
  if (open && isWanted(open)) yield open;
}

/** Returns a page of the holders of a referral code: its referrer and its referees. */
export async function listHolders(context: Showing, named: Named, query: v.InferOutput<typeof holdersListed.query>) {
  const { table, project, now } = context;
  const { starting_after_id: behind, filters } = query;
  if (behind !== undefined && !timeOfId('redeemable_holder', behind)) throw unknownCursor('holder');
  const code = await referralCodeOr404(context, named);
  const referrer = await referrerOf(context, code);
  const wanted = holdersListed.wanted(query);
  async function* all(): AsyncGenerator<Holding> {
    for await (const page of table.pages({ ...referees.all(project.id, code.item.id), descending: wanted.descending }))
      for (const item of page) yield { ...parseStored(refereeItem, item), role: 'REFEREE' };
  }
  const matches = filters && compileFilter(filterFields, filters);
  const { page, total, next } = await filteredPage((range) => inOrder(all(), referrer, range), {
    ...wanted,
    behind,
    matches: matches && ((batch: readonly Holding[]) => batch.map((one) => matches(one, now))),
  });
  const data = page.map((one) => presentHolder(one, code));
  return holdersListed.show(data, { total, ...more(next?.id) });
}
