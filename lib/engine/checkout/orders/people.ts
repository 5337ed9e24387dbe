import type * as v from 'valibot';
import { readCustomerData } from '#engine/customers/customer-body.ts';
import { findCustomerById, findCustomerItem } from '#engine/customers/find-customer.ts';
import { type BrowserRights, findUpserted, type Upsert } from '#engine/customers/upsert-customer.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { listItems, wrapResources } from '#kernel/kit/resource/operations.ts';
import type { ListQuery } from '#kernel/kit/resource/shape.ts';
import type { OrderBody } from './order-body.ts';
import { type Order, type OrderItem, order, toOrder } from './resource.ts';

/** The customer and the referrer of an order, before and after the request. */
export interface People {
  customer: Upsert | undefined;
  referrer: Upsert | undefined;
}

type Role = keyof People;

/**
 * Returns the sent customer, else the customer with the sent id, else the order's. `browserRights` is present for a
 * page.
 */
export async function findOrderPerson(
  context: Reading,
  role: Role,
  before: OrderItem | undefined,
  body: OrderBody,
  browserRights?: BrowserRights,
): Promise<Upsert | undefined> {
  const [sent, sentId, known] = [body[role], body[`${role}_id`], before?.[`${role}_id`]];
  if (sent) {
    const { id, source_id, ...fields } = sent;
    const own = id || source_id ? { id, source_id } : { id: sentId ?? known };
    return findUpserted(context, { ...own, browserRights, ...readCustomerData(fields) }, `${role}.`);
  }
  if (sentId === null || (sentId === undefined && !known)) return undefined;
  const item = sentId ? await findCustomerItem(context, sentId) : await findCustomerById(context, known ?? '');
  if (sentId && !item) throw notFound('customer', sentId);
  return item && { before: item, after: item };
}

function isOne({ after: one }: Upsert, { after: other }: Upsert): boolean {
  return one.id === other.id || Boolean(one.source_id && one.source_id === other.source_id);
}

/** Throws 400 `invalid_payload` if the customer is their own referrer. */
export function checkPeople({ customer, referrer }: People): void {
  if (customer && referrer && isOne(customer, referrer)) {
    throw new ServiceError('invalid_payload', { details: 'referrer must not be the customer' });
  }
}

/** Finds both. 404 for an unknown id, and 400 if the customer is their own referrer. */
export async function findPeople(context: Reading, before: OrderItem | undefined, body: OrderBody): Promise<People> {
  const [customer, referrer] = await Promise.all([
    findOrderPerson(context, 'customer', before, body),
    findOrderPerson(context, 'referrer', before, body),
  ]);
  checkPeople({ customer, referrer });
  return { customer, referrer };
}

/** Returns the order's ids of both. The id of a deleted customer stays. */
export function readPeopleIds(people: People, before: OrderItem | undefined, body: OrderBody) {
  const idOf = (role: Role) =>
    people[role]?.after.id ?? (body[`${role}_id`] === null ? undefined : (before?.[`${role}_id`] ?? undefined));
  return { customer_id: idOf('customer'), referrer_id: idOf('referrer') };
}

/** Returns the order by id or source id. 404 if it is missing. */
export async function getOrder(context: Reading, name: string): Promise<Order> {
  return toOrder(await itemOr404(context, order, name));
}

/** Lists the newest first unless the query says otherwise. */
export async function listOrders(context: Reading, query: ListQuery): Promise<v.InferOutput<typeof order.listReply>> {
  const { items, ...place } = await listItems(context, order, query);
  return wrapResources(order, items.map(toOrder), place);
}
