import { guardNewCard } from '#engine/customers/change-customer.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { findHeldCards } from '#engine/customers/find-customer.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { segmentEntered } from '#engine/ledger/earning-events.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { gainEffects } from './card-earnings.ts';
import { Programmes } from './earning-programmes.ts';
import { computeHeldGains, settleGains } from './gains.ts';

/**
 * Returns the points for entering a segment, for the transaction that adds the customer. One of several simultaneous requests wins.
 * `again` means that cards had to be settled first, and all must be read again.
 */
export async function earnByEntering(
  context: Reading,
  customer: CustomerItem,
  segment: { readonly id: string; readonly name: string },
  occasion: Occasion,
): Promise<Effect[] | Again> {
  const { project, now } = context;
  const programmes = new Programmes(context);
  if ((await programmes.rewarding(segmentEntered)).length === 0) return [];
  const { id: customerId, metadata: customerMetadata, birthdate: customerBirthdate } = customer;
  const held = await findHeldCards(context, customerId);
  const occurrence = {
    event: segmentEntered,
    subjectId: segment.id,
    segment: { id: segment.id, name: segment.name },
    metadata: {},
    customerMetadata,
    customerBirthdate,
    customerId,
    held,
  };
  const gains = await computeHeldGains(context, programmes, occurrence);
  if (await settleGains(context, gains)) return again;
  return [
    ...(gains.some(({ isNew }) => isNew) ? [guardNewCard(project, customer, now)] : []),
    ...gains.flatMap((gain) => gainEffects(context, gain, occurrence, occasion)),
  ];
}
