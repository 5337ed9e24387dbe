import type * as v from 'valibot';
import type { Reading } from '../../http/context.ts';
import { itemOr404 } from '../../kit/resource/item.ts';
import { listItems, wrapResources } from '../../kit/resource/operations.ts';
import type { ListQuery } from '../../kit/resource/shape.ts';
import { type Order, order, toOrder } from './resource.ts';

/** Returns the order by id or source id. 404 if it is missing. */
export async function getOrder(context: Reading, name: string): Promise<Order> {
  return toOrder(await itemOr404(context, order, name));
}

/** Lists the newest first unless the query says otherwise. */
export async function listOrders(context: Reading, query: ListQuery): Promise<v.InferOutput<typeof order.listReply>> {
  const { items, ...place } = await listItems(context, order, query);
  return wrapResources(order, items.map(toOrder), place);
}
