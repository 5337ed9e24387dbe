import { addSpan, parseDuration } from '../../core/calendar.ts';
import { type ErrorKey, notFound } from '../../core/errors.ts';
import { findCustomerItem } from '../../customers/find-customer.ts';
import type { Reading } from '../../http/context.ts';
import type { RedemptionItem } from '../redemptions/redemption.ts';
import type { AskedRollback } from './rollback-body.ts';

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
  if (found && found.id === customer_id) return undefined;
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
