import { applyData } from '../../customers/change-customer.ts';
import { type CustomerItem, customers } from '../../customers/customer.ts';
import { readCustomerData } from '../../customers/customer-body.ts';
import type { Upsert } from '../../customers/upsert-customer.ts';
import type { Writing } from '../../http/context.ts';
import { findItem } from '../../kit/resource/item.ts';
import { parseStored } from '../../table/item.ts';
import { read } from '../../table/read.ts';
import { defaultStackingRules } from '../engine/stacking-rules.ts';
import { type OrderItem, order } from '../orders/resource.ts';
import { makeWritesBehind } from '../redemptions/make-writes.ts';
import { findOthers, type Others } from '../redemptions/others-on-order.ts';
import { type RedemptionItem, redemptions } from '../redemptions/redemption.ts';
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
async function readChildren(context: Writing, parentId: string, ids: readonly string[]): Promise<RedemptionItem[]> {
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
  const [children, { customer }, orderItem, rules] = await Promise.all([
    readChildren(context, original.id, ids),
    read(table, {
      customer: customer_id === undefined ? undefined : customers(project.id, customer_id),
    }),
    redeemed?.id ? findItem(context, order, { id: redeemed.id }) : undefined,
    stackingRulesByVersion.read(table, [stackingRules(project.id)]),
  ]);
  const item = orderItem && parseStored(order.stored, orderItem);
  return {
    original,
    children,
    order: item,
    customer: customerOf(context, customer, asked),
    mode: (rules.found[0] ?? defaultStackingRules).redeemables_rollback_order_mode,
    others: await findOthers(context, original, item),
  };
}
