import { activityTypes, type Occasion } from '../activities/activity.ts';
import { recordActivity } from '../activities/record-activities.ts';
import type { Reading } from '../context.ts';
import { notFound, ServiceError } from '../errors.ts';
import type { Effect } from '../table/effects.ts';
import {
  type CustomerData,
  describedAs,
  insertCustomer,
  isChanged,
  newCustomer,
  updateCustomer,
} from './change-customer.ts';
import type { CustomerItem, Referral } from './customer.ts';
import { findCustomerById, findCustomerBySource } from './find-customer.ts';

/** A customer as others than themselves name them: an order, an event, a row of a file. */
export interface NamedCustomer extends CustomerData {
  id?: string | null | undefined;
}

export interface Upsert {
  /** As stored; `undefined`: they are new. */
  before: CustomerItem | undefined;
  after: CustomerItem;
}

/**
 * Whom the data means, and what it makes of them. An id must be known (404), and wins; an unknown source id, or none, is a new
 * customer's. 409 where the source id is the id of another. `place`: where the data stands in the body, with a dot behind it.
 */
export async function findUpserted(
  context: Reading,
  { id, ...data }: NamedCustomer,
  place = 'customer.',
): Promise<Upsert> {
  const { source_id } = data;
  const before = id
    ? await findCustomerById(context, id)
    : source_id
      ? await findCustomerBySource(context, source_id)
      : undefined;
  if (before) return { before, after: describedAs(before, data) };
  if (id) throw notFound('customer', id);
  if (source_id && (await findCustomerById(context, source_id))) {
    throw new ServiceError('duplicate_found', {
      details: `${place}source_id is the id of another customer: name that one by ${place}id`,
      resource: { id: source_id, type: 'customer' },
    });
  }
  return { before, after: newCustomer(data, context.now) };
}

/** What else happens to the customer in the same transaction. */
interface Besides {
  referral?: Referral | undefined;
  /** A card is made for them: of those at once, one is. */
  getsCard?: boolean;
}

/** Writes the customer, on what was read of them, and tells it: `customer.created`, or `customer.updated` where they differ. */
export function upsertEffects(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  { before, after }: Upsert,
  occasion: Occasion,
  { referral, getsCard = false }: Besides = {},
): Effect[] {
  const tell = (type: string) => recordActivity(project.id, after.id, occasion, { type, data: {} });
  if (!before) {
    const item = { ...after, referred_in: referral ? [referral] : [] };
    return [...insertCustomer(project, item), ...tell(activityTypes.created)];
  }
  return [
    updateCustomer(project, { before, after, referral, getsCard }, now),
    ...(isChanged(before, after) ? tell(activityTypes.updated) : []),
  ];
}

/**
 * Creates or changes the customer whom the data means, as effects of the caller's transaction; `after` is how they then are.
 * Belongs into `retryOptimistically`: whoever changes them meanwhile makes `commit` answer false.
 */
export async function upsertCustomer(
  context: Reading,
  data: NamedCustomer,
  occasion: Occasion,
  place?: string,
): Promise<Upsert & { effects: Effect[] }> {
  const upsert = await findUpserted(context, data, place);
  return { ...upsert, effects: upsertEffects(context, upsert, occasion) };
}
