import { applyData } from '#engine/customers/change-customer.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { readCustomerData } from '#engine/customers/customer-body.ts';
import { findCustomerById, findCustomerItem } from '#engine/customers/find-customer.ts';
import type { Upsert } from '#engine/customers/upsert-customer.ts';
import { addSpan, parseDuration } from '#kernel/core/calendar.ts';
import { type ErrorKey, notFound } from '#kernel/core/errors.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { findItem } from '#kernel/kit/resource/item.ts';
import { parseStored } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import { defaultStackingRules } from '../engine/stacking-rules.ts';
import { type OrderItem, order } from '../orders/resource.ts';
import { findOthers, type Others } from '../redemptions/others-on-order.ts';
import { leftOfRedemption } from '../redemptions/part-of-redemption.ts';
import { type RedemptionItem, redemptions } from '../redemptions/redemption.ts';
import { makeWritesBehind } from '../redemptions/writes-behind.ts';
import { stackingRules, stackingRulesByVersion } from '../stacking-rules/stored.ts';
import type { AskedRollback } from './rollback-body.ts';

/** Reads everything for a rollback. */

export type RollbackMode = 'WITH_ORDER' | 'WITHOUT_ORDER';

/** The subject of a rollback. */
export interface RollbackSubject {
  readonly original: RedemptionItem;
  readonly children: readonly RedemptionItem[];
  readonly order: OrderItem | undefined;
  readonly customer: Upsert | undefined;
  readonly mode: RollbackMode;
  /** Redemptions that stay on the order. */
  readonly others: Others;
}

/** Returns the customer before and after the request's changes, or nothing if they were deleted. */
function customerOf(
  context: Writing,
  item: CustomerItem | undefined,
  { customer: sent }: AskedRollback,
): Upsert | undefined {
  if (!item) return undefined;
  const { id: _, source_id: __, ...fields } = sent ?? {};
  return { before: item, after: applyData(context, item, readCustomerData(fields), 'customer.') };
}

/** Reads the children of a redemption. Records that an interrupted redemption has not written yet are written first. */
export async function readChildRedemptions(
  context: Writing,
  parentId: string,
  ids: readonly string[],
): Promise<RedemptionItem[]> {
  const keys = ids.map((id) => redemptions(context.project.id, id));
  const { found } = await read(context.table, { found: keys });
  const children = found.filter((child) => child !== undefined);
  if (children.length === ids.length) return children;
  await makeWritesBehind(context, parentId);
  const { written } = await read(context.table, { written: keys });
  return written.filter((child) => child !== undefined);
}

export async function readSubject(
  context: Writing,
  original: RedemptionItem,
  asked: AskedRollback,
): Promise<RollbackSubject> {
  const { table, project } = context;
  const { customer_id, order: redeemed, redemptions: ids = [] } = original;
  const [children, customer, orderItem, [rules]] = await Promise.all([
    readChildRedemptions(context, original.id, ids),
    customer_id === undefined ? undefined : findCustomerById(context, customer_id),
    redeemed?.id ? findItem(context, order, { id: redeemed.id }) : undefined,
    stackingRulesByVersion.read(table, [stackingRules(project.id)]),
  ]);
  const item = orderItem && parseStored(order.stored, orderItem);
  // A redemption that a merge has not moved yet is rolled back for the customer that is left.
  const led = customer && customer.id !== customer_id ? { customer_id: customer.id } : {};
  return {
    original: { ...leftOfRedemption(project.id, original, item?.returned), ...led },
    children: children.map((child) => ({ ...leftOfRedemption(project.id, child, item?.returned), ...led })),
    order: item,
    customer: customerOf(context, customer, asked),
    mode: (rules ?? defaultStackingRules).redeemables_rollback_order_mode,
    others: await findOthers(context, original, item),
  };
}

/** Limits the time in which a redemption can be rolled back. */
const longest = parseDuration('P3M');

/** Reasons why a redemption cannot be rolled back. */
export interface RollbackRefusal {
  readonly key: ErrorKey;
  readonly details: string;
}

function isTooOld({ date }: RedemptionItem, now: Date): boolean {
  return addSpan(new Date(date), longest).getTime() < now.getTime();
}

function ofOrder({ order }: RedemptionItem, { order: sent }: AskedRollback): RollbackRefusal | undefined {
  const differs =
    (sent?.id && sent.id !== order?.id) || (sent?.source_id && !sent.id && sent.source_id !== order?.source_id);
  return differs ? { key: 'invalid_order', details: 'order is not the order of the redemption' } : undefined;
}

/** Returns a refusal if the request names another customer than the redemption's. 404 for an unknown id. */
async function ofCustomer(
  context: Reading,
  { customer_id }: RedemptionItem,
  { customer }: AskedRollback,
): Promise<RollbackRefusal | undefined> {
  const name = customer?.id ?? customer?.source_id;
  if (!name) return undefined;
  const found = await findCustomerItem(context, name);
  if (!found && customer?.id) throw notFound('customer', name);
  const own = found && customer_id ? await findCustomerById(context, customer_id) : undefined;
  if (found && (found.id === customer_id || found.id === own?.id)) return undefined;
  return { key: 'invalid_customer', details: 'customer is not the customer of the redemption' };
}

/** Checks in this order: the type, the state, and whether it is the meant redemption. `alone` refuses the parent of several. */
export async function findRollbackRefusal(
  context: Reading,
  item: RedemptionItem,
  asked: AskedRollback,
  { alone }: { alone: boolean },
): Promise<RollbackRefusal | undefined> {
  const { id, object, result, status, redemption, redemptions } = item;
  const invalid = (details: string): RollbackRefusal => ({ key: 'invalid_redemption', details });
  if (object === 'redemption_rollback') return invalid(`${id} is a rollback: name the redemption itself`);
  if (redemption !== undefined) {
    return { key: 'invalid_redemption_parent', details: `${id} is one of several: roll back ${redemption}` };
  }
  if (alone && redemptions) {
    return invalid(`${id} has several redemptions: roll it back by POST /v1/redemptions/${id}/rollbacks`);
  }
  if (result === 'FAILURE') return invalid(`${id} is a failed redemption, which changed nothing`);
  if (status === 'ROLLED_BACK') return { key: 'already_rolled_back', details: `${id} was rolled back before` };
  if (isTooOld(item, context.now)) return invalid(`${id} is older than 3 months`);
  return ofOrder(item, asked) ?? ofCustomer(context, item, asked);
}
