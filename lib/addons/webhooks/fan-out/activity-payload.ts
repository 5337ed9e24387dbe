import { completeActivities } from '#engine/checkout/activities/complete-activities.ts';
import { parseActivities } from '#engine/customers/activity-walk.ts';
import { readCustomers } from '#engine/customers/find-customer.ts';
import { presentCustomerOfActivity } from '#engine/customers/present-customer.ts';
import { customerActivities } from '#engine/ledger/activities/record-activities.ts';
import type { Showing } from '#kernel/http/context.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { readListParent } from '#kernel/table/listing.ts';
import { rewardedBy } from '../events/find-events.ts';

/** Builds the payload of an activity: the customer and the objects of its type, as lists of activities show them. */
export async function buildActivityPayload(
  context: Showing,
  item: Attributes,
  type: string,
): Promise<Record<string, unknown>> {
  const wanted = rewardedBy[type] ?? type;
  const told = parseActivities(item).find((one) => one.type === wanted);
  const customerId = readListParent(customerActivities, item) ?? '';
  const [owner] = await readCustomers(context, [customerId]);
  if (!told) throw new Error(`an item has no activity ${type}`);
  if (!owner) return { ...told.data.data, customer: { id: customerId, object: 'customer' } };
  const [completed] = await completeActivities(context, owner.item, [told]);
  return { ...completed?.data.data, customer: presentCustomerOfActivity(owner, context) };
}
