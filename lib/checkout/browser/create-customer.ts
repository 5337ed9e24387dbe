import { type BriefCustomer, presentBriefly } from '../../customers/brief-customer.ts';
import { type CreateCustomerBody, customerData } from '../../customers/customer-body.ts';
import { findUpserted, upsertEffects } from '../../customers/upsert-customer.ts';
import type { Writing } from '../../http/context.ts';
import { occasionOf } from '../../ledger/activities/activity.ts';
import { again, retryOptimistically } from '../../table/conflicts.ts';
import { commit } from '../../table/effects.ts';
import { itemSizeTold } from '../../table/item-size.ts';
import { customerOfPage, pageRightsOf, withoutPerson } from './page-customer.ts';

/**
 * Creates a customer for a page. An existing customer stays unchanged. The reply is the same, so it does not reveal who existed before. 404
 * for an unknown id.
 */
export function createCustomerFromPage(
  context: Writing,
  { id, source_id, ...fields }: CreateCustomerBody,
): Promise<BriefCustomer> {
  const { table, project } = context;
  const named = {
    ...customerOfPage(project, { id, source_id, ...customerData(fields) }),
    pageRights: pageRightsOf(project),
  };
  return retryOptimistically(table, async () => {
    const upsert = await findUpserted(context, named, '');
    const shown = withoutPerson(presentBriefly(upsert.after));
    if (upsert.before) return shown;
    const done = await commit(table, upsertEffects(context, upsert, occasionOf(context))).catch((error: unknown) => {
      throw itemSizeTold(error, 'metadata would make the customer');
    });
    return done ? shown : again;
  });
}
