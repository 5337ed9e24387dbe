import { isDeepStrictEqual } from 'node:util';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { isScopeGranted } from '#kernel/access/scopes.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { newPrefixedId } from '#kernel/core/ids.ts';
import { mergeMetadata } from '#kernel/core/merge-metadata.ts';
import type { Writing } from '#kernel/http/context.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { parseStored } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import { type Order, type OrderItem, order } from './orders/resource.ts';
import { planReturn, type ReturnPlan } from './returns/plan-return.ts';
import { orderReturn, type ReturnItem, type ReturnReply, returnClaims } from './returns/resource.ts';
import { type AskedReturn, type ReturnBody, readAskedReturn } from './returns/return-body.ts';
import { returnEffects } from './returns/return-effects.ts';
import { showPlan, showReturn } from './returns/show-return.ts';
import { commitWithChildren } from './rollbacks/rollback.ts';

/** Takes units of an order back: money, credits and points go back, earned points are taken, and uses return when nothing is kept. */

/** Returns the first return with the shop's own id. 409 `return_exists` if that was another request. */
async function findFirst(
  { table, project }: Writing,
  item: OrderItem,
  { source_id }: AskedReturn,
  asked: string,
): Promise<ReturnReply | undefined> {
  if (source_id === undefined) return undefined;
  const { claim } = await read(table, { claim: returnClaims(project.id, item.id, source_id) });
  if (!claim) return undefined;
  if (!isDeepStrictEqual(JSON.parse(claim.asked), JSON.parse(asked))) {
    throw new ServiceError('return_exists', {
      details: `source_id belongs to the return ${claim.return_id} of the order, which had another body: send another source_id`,
      resource: { id: claim.return_id, type: 'order_return' },
    });
  }
  const { found } = await read(table, { found: orderReturn.many(project.id, claim.return_id) });
  return found && showReturn(found, item);
}

/** Refuses tokens that may change orders, but no redemptions. */
function checkScope({ caller }: Writing, { payments, rolledBack }: ReturnPlan): void {
  const { scopes } = caller;
  if (!scopes || isScopeGranted(scopes, 'redemptions') || payments.length + rolledBack.length === 0) return;
  throw new ServiceError('insufficient_scope', {
    details:
      'the token must have the scope api or redemptions besides orders, because the return gives credits or points back, or rolls a redemption back',
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="redemptions"' },
  });
}

function newReturn(context: Writing, plan: ReturnPlan, asked: AskedReturn): ReturnItem {
  const { project, now } = context;
  const { source_id, reason } = asked;
  return {
    id: newPrefixedId(orderReturn.idPrefix, now),
    created_at: now.toISOString(),
    order_id: plan.order.id,
    ...(source_id === undefined ? {} : { source_id }),
    ...(reason ? { reason } : {}),
    ...showPlan(plan),
    metadata: mergeMetadata(
      { place: 'metadata', schema: project.schemas('order_return'), isNew: true },
      {},
      asked.metadata,
    ),
  };
}

async function attempt(
  context: Writing,
  name: string,
  asked: AskedReturn,
  { isDry, text }: { isDry: boolean; text: string },
): Promise<ReturnReply | Again> {
  const item = parseStored(order.stored, await itemOr404(context, order, name));
  const first = await findFirst(context, item, asked, text);
  if (first) return first;
  const plan = await planReturn(context, item, asked);
  checkScope(context, plan);
  const made = newReturn(context, plan, asked);
  if (isDry) {
    const { id: _, ...shown } = showReturn(made, plan.next);
    return shown;
  }
  // Another request has canceled the order.
  if (asked.isWhole && item.status === 'CANCELED' && plan.refund.lines.length === 0) return showReturn(made, item);
  const occasion = readOccasion(context);
  const writes = await returnEffects(context, plan, made, { occasion, asked: text });
  if (writes === again) return again;
  const { next, ...all } = writes;
  const done = await commitWithChildren(context, made.id, all);
  return done ? showReturn(made, next) : again;
}

/** Returns units of an order, once for each `source_id`. A dry run is calculated alike, and writes nothing. */
export function returnOrder(context: Writing, name: string, body: ReturnBody): Promise<ReturnReply> {
  const asked = readAskedReturn(body);
  const how = { isDry: body.dry_run ?? false, text: JSON.stringify(asked) };
  return retryOptimistically(context.table, () => attempt(context, name, asked, how));
}

/** Returns all that is left of an order, with the default options, and answers the order. */
export async function returnWhole(context: Writing, id: string): Promise<Order> {
  const asked: AskedReturn = { ...readAskedReturn({}), reason: 'CANCELED', isWhole: true };
  const how = { isDry: false, text: '' };
  const { order: after } = await retryOptimistically(context.table, () => attempt(context, id, asked, how));
  return after;
}
