import { readOccasion } from '#engine/ledger/activities/activity.ts';
import type { Writing } from '#kernel/http/context.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { applyData, isCustomerChanged } from './change-customer.ts';
import type { Customer } from './customer.ts';
import { type CreateCustomerBody, readCustomerData, type UpdateCustomerBody } from './customer-body.ts';
import { type FoundCustomer, findCustomer } from './find-customer.ts';
import { presentCustomer } from './present-customer.ts';
import { findUpserted, type Upsert, writeUpsert } from './upsert-customer.ts';

/** Writes the customer. The reply also shows the cards in `found`. */
async function save(
  context: Writing,
  { before, after }: Upsert,
  found: Pick<FoundCustomer, 'cards' | 'programmes' | 'referringNames'>,
): Promise<Customer | Again> {
  const { table, now } = context;
  const done = await commit(table, writeUpsert(context, { before, after }, readOccasion(context))).catch(
    (error: unknown) => {
      throw explainItemSize(error, 'metadata would make the customer');
    },
  );
  const updated = before && isCustomerChanged(before, after) ? { updated_at: now.toISOString() } : {};
  return done ? presentCustomer({ ...found, item: { ...after, ...updated } }, context) : again;
}

const holdsNothing = { cards: [], programmes: new Map(), referringNames: new Map() };

/**
 * Updates the customer with the id or the source id, or creates a new customer. Answers 404 for an unknown id, and 409
 * for a source id that is another customer's id. One of several concurrent requests creates the customer, and the
 * others update it.
 */
export function createCustomer(context: Writing, body: CreateCustomerBody): Promise<Customer> {
  const { id, source_id, ...fields } = body;
  return retryOptimistically(context.table, async () => {
    const upsert = await findUpserted(context, { id, source_id, ...readCustomerData(fields) }, '');
    return upsert.before ? saveFound(context, upsert.before.id, fields) : save(context, upsert, holdsNothing);
  });
}

async function saveFound(context: Writing, idOrSourceId: string, fields: UpdateCustomerBody) {
  const found = await findCustomer(context, idOrSourceId);
  return save(
    context,
    { before: found.item, after: applyData(context, found.item, readCustomerData(fields), '') },
    found,
  );
}

/** Updates the customer with this id or source id, or answers 404. */
export function updateCustomer(context: Writing, idOrSourceId: string, body: UpdateCustomerBody): Promise<Customer> {
  return retryOptimistically(context.table, () => saveFound(context, idOrSourceId, body));
}
