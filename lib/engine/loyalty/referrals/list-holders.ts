import type * as v from 'valibot';
import { refereeItem, referees } from '#engine/vouchers/referee.ts';
import { readIdTime } from '#kernel/core/ids.ts';
import { count } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, unknownCursor } from '#kernel/http/page.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter } from '#kernel/kit/filters/filter.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { parseStored } from '#kernel/table/item.ts';
import { readFilteredPage } from '#kernel/table/list-page.ts';
import type { Range } from '#kernel/table/listing.ts';
import {
  findReferrer,
  holder,
  type NamedCode,
  presentHolder,
  type ReferralHolding,
  referralCodeOr404,
} from './holder.ts';

const filterFields: FilterFields<ReferralHolding> = {
  id: 'text',
  created_at: 'date',
  holder_role: { type: 'text', at: ({ role }: ReferralHolding) => role },
  customer_id: 'text',
};

export const holdersListed = listed({
  key: 'data',
  element: holder,
  paging: { ...limitQuery, ...cursorQuery },
  orders: ['id'],
  byDefault: '-id',
  orderWords: '`id` lists the first holder first. `-id` lists the last holder first.',
  filters: filterFields,
  place: { total: count, ...moreEntries },
});

/** Yields referees in their order, and the referrer among them, usually first. */
async function* inOrder(
  all: AsyncIterable<ReferralHolding>,
  referrer: ReferralHolding | undefined,
  { behind, descending = false }: Range,
): AsyncGenerator<ReferralHolding> {
  const comesFirst = (one: ReferralHolding, id: string) => (descending ? one.id > id : one.id < id);
  const isWanted = (one: ReferralHolding) => behind === undefined || (one.id !== behind && !comesFirst(one, behind));
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
export async function listHolders(
  context: Showing,
  named: NamedCode,
  query: v.InferOutput<typeof holdersListed.query>,
) {
  const { table, project, now } = context;
  const { starting_after_id: behind, filters } = query;
  if (behind !== undefined && !readIdTime('redeemable_holder', behind)) throw unknownCursor('holder');
  const code = await referralCodeOr404(context, named);
  const referrer = await findReferrer(context, code);
  const wanted = holdersListed.wanted(query);
  async function* all(): AsyncGenerator<ReferralHolding> {
    for await (const page of table.pages({ ...referees.all(project.id, code.item.id), descending: wanted.descending }))
      for (const item of page) yield { ...parseStored(refereeItem, item), role: 'REFEREE' };
  }
  const matches = filters && compileFilter(filterFields, filters);
  const { page, total, next } = await readFilteredPage((range) => inOrder(all(), referrer, range), {
    ...wanted,
    behind,
    matches: matches && ((batch: readonly ReferralHolding[]) => batch.map((one) => matches(one, now))),
  });
  const data = page.map((one) => presentHolder(one, code));
  return holdersListed.show(data, { total, ...presentMore(next?.id) });
}
