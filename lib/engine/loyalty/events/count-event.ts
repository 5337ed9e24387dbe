import { type CustomerItem, customers } from '#engine/customers/customer.ts';
import { change, type Effect } from '#kernel/table/effects.ts';

/** Counts the event on its customer, in the write that counts their activity. `before` is an existing customer. */
export function countEvent(
  projectId: string,
  customerId: string,
  before: CustomerItem | undefined,
  event: string,
): Effect {
  return change(customers(projectId, customerId), (update) =>
    before?.event_counts
      ? update.addIn(['event_counts', event], 1)
      : update.whenStill('event_counts', undefined).set(['event_counts'], { [event]: 1 }),
  );
}
