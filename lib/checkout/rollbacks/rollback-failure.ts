import { ServiceError } from '../../core/errors.ts';
import { customers } from '../../customers/customer.ts';
import type { Writing } from '../../http/context.ts';
import { occasionOf } from '../../ledger/activities/activity.ts';
import { again, retryOptimistically } from '../../table/conflicts.ts';
import { commitApart } from '../../table/effects.ts';
import { read } from '../../table/read.ts';
import { customerFigures, keepRecords } from '../redemptions/figures.ts';
import type { RedemptionItem } from '../redemptions/redemption.ts';
import { rollbackActivity } from '../redemptions/tell.ts';
import type { AskedRollback } from './rollback-body.ts';
import type { Refusal } from './rollback-checks.ts';
import { failedRollback } from './rollback-items.ts';

/** Stores, counts and records a failed rollback. Returns the error that names it. */
export async function noteFailure(
  context: Writing,
  original: RedemptionItem,
  asked: AskedRollback,
  { key, details }: Refusal,
): Promise<ServiceError> {
  const { table, project } = context;
  const occasion = occasionOf(context);
  const failed = failedRollback(context, original, asked, key);
  await retryOptimistically(table, async () => {
    const customerId = failed.customer_id;
    const keyOf = customerId === undefined ? undefined : customers(project.id, customerId);
    const { customer } = await read(table, { customer: keyOf });
    const ofCustomer = customer
      ? [...customerFigures(project.id, customer.id, [failed]), ...rollbackActivity(project.id, failed, occasion)]
      : [];
    const done = await commitApart(table, [...keepRecords(project.id, [failed]), ...ofCustomer]);
    return done || again;
  });
  return new ServiceError(key, { details, resource: { id: failed.id, type: 'redemption_rollback' } });
}
