import { notFound, ServiceError } from '../core/errors.ts';
import type { Reading } from '../http/context.ts';
import { activityTypes, type Occasion } from '../ledger/activities/activity.ts';
import { recordActivity } from '../ledger/activities/record-activities.ts';
import type { Effect } from '../table/effects.ts';
import { read } from '../table/read.ts';
import {
  type CustomerData,
  describedAs,
  insertCustomer,
  isChanged,
  newCustomer,
  updateCustomer,
} from './change-customer.ts';
import { type CustomerItem, customerSources, customers, type Referral } from './customer.ts';
import { findCustomerById } from './find-customer.ts';
import { guessedId, sawCustomer } from './guess.ts';

/**
 * Says what a page may do to customers. `name`: it names a stored customer and changes nothing. `create`: it also creates a customer,
 * and its data counts for that customer alone. A server has no such limit. See docs/browser.md#pages.
 */
export type PageRights = 'name' | 'create';

/** A customer as others than themselves name them: an order, an event, a row of a file. */
export interface NamedCustomer extends CustomerData {
  id?: string | null | undefined;
  /** Present where a page names the customer. */
  pageRights?: PageRights | undefined;
}

export interface Upsert {
  /** As stored; `undefined`: they are new. */
  before: CustomerItem | undefined;
  after: CustomerItem;
}

/** A customer whom data means, before they are read: `id` of one that is there. */
export interface Identified {
  readonly id: string | undefined;
  readonly upsert: () => Promise<Upsert>;
}

function notCreatedByPages(place: string): ServiceError {
  const name = place.replace(/\.$/, '') || 'the body';
  return new ServiceError('client_side_disabled', {
    details: `${name} names no customer, and pages do not create one: switch client.customers on, or name a customer that exists`,
  });
}

/** Finds out in one call whom the data means, for one attempt; errors as of `findUpserted`, those of an id when it is read. */
export async function identify(
  context: Reading,
  { id, pageRights, ...data }: NamedCustomer,
  place = 'customer.',
): Promise<Identified> {
  const { source_id } = data;
  const make = async () => {
    if (pageRights === 'name') throw notCreatedByPages(place);
    return { before: undefined, after: newCustomer(data, context.now) };
  };
  const change = (before: CustomerItem) => (pageRights ? before : describedAs(before, data, place));
  const isNew = { id: undefined, upsert: make };
  const known = (id: string) => ({
    id,
    upsert: async () => {
      const before = await findCustomerById(context, id);
      if (!before) throw notFound('customer', id);
      return { before, after: change(before) };
    },
  });
  if (!source_id) return id ? known(id) : isNew;
  const guess = guessedId(context, source_id);
  const { named, claim, other, guessed } = await read(context.table, {
    named: id ? customers(context.project.id, id) : undefined,
    claim: customerSources(context.project.id, source_id),
    other: customers(context.project.id, source_id),
    guessed: guess === undefined ? [] : [customers(context.project.id, guess)],
  });
  if (named) return { id: named.id, upsert: async () => ({ before: named, after: change(named) }) };
  if (claim) {
    const { customer_id } = claim;
    sawCustomer(context, source_id, customer_id);
    return {
      id: customer_id,
      upsert: async () => {
        const before = guess === customer_id ? guessed[0] : await findCustomerById(context, customer_id);
        return before ? { before, after: change(before) } : isNew.upsert();
      },
    };
  }
  if (other) {
    throw new ServiceError('duplicate_found', {
      details: `${place}source_id is the id of another customer: name that one by ${place}id`,
      resource: { id: source_id, type: 'customer' },
    });
  }
  return isNew;
}

/**
 * Whom the data means, and what it makes of them. A known id wins over a source id; an unknown id alone is 404. An unknown source id,
 * or neither, is a new customer's. 409 where the source id is the id of another. `place`: where the data stands in the body, with a dot behind it.
 */
export async function findUpserted(context: Reading, data: NamedCustomer, place?: string): Promise<Upsert> {
  return (await identify(context, data, place)).upsert();
}

/** What else happens to the customer in the same transaction. */
interface Besides {
  referrals?: readonly Referral[];
  /** A card is made for them: of those at once, one is. */
  getsCard?: boolean;
}

/** Writes the customer, on what was read of them, and tells it: `customer.created`, or `customer.updated` where they differ. */
export function upsertEffects(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  { before, after }: Upsert,
  occasion: Occasion,
  { referrals = [], getsCard = false }: Besides = {},
): Effect[] {
  const tell = (type: string) => recordActivity(project.id, after.id, occasion, { type, data: {} });
  if (!before) {
    const item = { ...after, referred_in: [...referrals] };
    return [...insertCustomer(project, item), ...tell(activityTypes.created)];
  }
  return [
    updateCustomer(project, { before, after, referrals, getsCard }, now),
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
