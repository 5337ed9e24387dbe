import { occasionOf } from '../activities/activity.ts';
import type { Writing } from '../context.ts';
import { customers } from '../customers/customer.ts';
import { ServiceError } from '../errors.ts';
import { retryOptimistically } from '../table/conflicts.ts';
import { commitApart } from '../table/effects.ts';
import { read } from '../table/read.ts';
import { customerFigures, keepRecords } from './figures.ts';
import type { RedemptionItem } from './redemption.ts';
import type { AskedRollback } from './rollback-body.ts';
import type { Refusal } from './rollback-checks.ts';
import { failedRollback } from './rollback-items.ts';
import { rollbackActivity } from './tell.ts';

/** Lists a rollback that is refused as one that failed, counts and tells it; answers the error that names it. */
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
    return done || undefined;
  });
  return new ServiceError(key, { details, resource: { id: failed.id, type: 'redemption_rollback' } });
}
