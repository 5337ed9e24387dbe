import { type BriefCustomer, presentBriefly } from '#engine/customers/brief-customer.ts';
import { type CreateCustomerBody, readCustomerData } from '#engine/customers/customer-body.ts';
import { findUpserted, writeUpsert } from '#engine/customers/upsert-customer.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import type { Writing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { hidePerson, limitCustomer, readBrowserRights } from './customer-rights.ts';

/**
 * Creates a customer for a page. An existing customer stays unchanged. The reply is the same, so it does not reveal
 * which customers exist. 404 for an unknown id.
 */
export function createCustomerFromBrowser(
  context: Writing,
  { id, source_id, ...fields }: CreateCustomerBody,
): Promise<BriefCustomer> {
  const { table, project } = context;
  const named = {
    ...limitCustomer(project, { id, source_id, ...readCustomerData(fields) }),
    browserRights: readBrowserRights(project),
  };
  return retryOptimistically(table, async () => {
    const upsert = await findUpserted(context, named, '');
    const shown = hidePerson(presentBriefly(upsert.after));
    if (upsert.before) return shown;
    const done = await commit(table, writeUpsert(context, upsert, readOccasion(context))).catch((error: unknown) => {
      throw explainItemSize(error, 'metadata would make the customer');
    });
    return done ? shown : again;
  });
}
