import type * as v from 'valibot';
import { notFound } from '#kernel/core/errors.ts';
import { count } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { cursorQuery, moreEntries, pageQuery, presentMore, unknownCursor } from '#kernel/http/page.ts';
import { compileFilter } from '#kernel/kit/filters/filter.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { parseStored } from '#kernel/table/item.ts';
import { readFilteredPage } from '#kernel/table/list-page.ts';
import { sortKey, walkList } from '#kernel/table/listing.ts';
import { read, readItemsOf } from '#kernel/table/read.ts';
import { order } from './orders/resource.ts';
import { orderReturn, type ReturnItem, type ReturnReply } from './returns/resource.ts';
import { showReturn } from './returns/show-return.ts';

/** Lists and reads the returns of an order. */

export const returnsListed = listed({
  key: 'returns',
  element: orderReturn.reply,
  paging: { ...pageQuery, ...cursorQuery },
  orders: ['created_at'],
  byDefault: '-created_at',
  filters: orderReturn.filters ?? {},
  place: { total: count, ...moreEntries },
});

type Query = v.InferOutput<typeof returnsListed.query>;

const { listing } = orderReturn.ofEach ?? {};

async function returnOr404({ table, project }: Reading, orderId: string, id: string): Promise<ReturnItem> {
  const { found } = await read(table, { found: orderReturn.many(project.id, id) });
  if (found?.order_id !== orderId) throw notFound('order_return', id);
  return found;
}

/** Lists the returns of an order, the newest first unless the query says otherwise. 404 for an unknown order. */
export async function listReturns(context: Reading, orderName: string, query: Query) {
  const { table, project, now } = context;
  const { id: orderId } = await itemOr404(context, order, orderName);
  const { filters, starting_after_id: behind } = query;
  const place = behind === undefined ? undefined : await returnOr404(context, orderId, behind).catch(() => undefined);
  if (behind !== undefined && !place) throw unknownCursor('return');
  const meets = filters ? compileFilter(orderReturn.filters ?? {}, filters, undefined) : undefined;
  if (!listing) throw new Error('returns have no list');
  const { page, total, next } = await readFilteredPage(
    (range) => walkList(table, listing, [project.id, orderId], range),
    {
      ...returnsListed.wanted(query),
      ...(place ? { behind: sortKey(place.created_at, place.id), offset: 0 } : {}),
      matches: meets
        ? async (batch) => {
            const items = await readItemsOf(table, orderReturn.many, batch);
            return items.map((item) => item !== undefined && meets(item, now));
          }
        : undefined,
    },
  );
  const items = await readItemsOf(table, orderReturn.many, page);
  const shown = items.flatMap((item) => (item ? [presentResource(orderReturn, item)] : []));
  const last = next && items.at(-1)?.id;
  return returnsListed.show(shown, { total, ...presentMore(last) });
}

/** Returns a return with its order. 404 if the order has no such return. */
export async function getReturn(context: Reading, orderName: string, id: string): Promise<ReturnReply> {
  const item = await itemOr404(context, order, orderName);
  return showReturn(await returnOr404(context, item.id, id), parseStored(order.stored, item));
}
