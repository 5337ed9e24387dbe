import { findCustomerById } from '#engine/customers/find-customer.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { again, ignoreBusyTable, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commitApart } from '#kernel/table/effects.ts';
import { countCustomerFigures, keepRecords } from '../redemptions/figures.ts';
import type { RedemptionItem } from '../redemptions/redemption.ts';
import { recordRollback } from '../redemptions/redemption-activities.ts';
import type { AskedRollback } from './rollback-body.ts';
import type { RollbackRefusal } from './rollback-checks.ts';
import { buildFailedRollback } from './rollback-items.ts';

/** Stores, counts and records a failed rollback. Returns the error that names it, also if the table was too busy for the record. */
export async function noteRollbackFailure(
  context: Writing,
  original: RedemptionItem,
  asked: AskedRollback,
  { key, details }: RollbackRefusal,
): Promise<ServiceError> {
  const { table, project } = context;
  const occasion = readOccasion(context);
  const failed = buildFailedRollback(context, original, asked, key);
  const note = retryOptimistically(table, async () => {
    const customerId = failed.customer_id;
    const customer = customerId === undefined ? undefined : await findCustomerById(context, customerId);
    const kept = customer ? { ...failed, customer_id: customer.id } : failed;
    const ofCustomer = customer
      ? [...countCustomerFigures(project.id, customer.id, [kept]), ...recordRollback(project.id, kept, occasion)]
      : [];
    const done = await commitApart(table, [...keepRecords(project.id, [kept]), ...ofCustomer]);
    return done || again;
  });
  const isKept = await ignoreBusyTable(note);
  return new ServiceError(key, {
    details,
    ...(isKept ? { resource: { id: failed.id, type: 'redemption_rollback' } } : {}),
  });
}
