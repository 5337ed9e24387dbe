import { activityTypes, type Occasion } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import {
  applyData,
  type CustomerData,
  changeCustomer,
  insertCustomer,
  isCustomerChanged,
  newCustomer,
} from './change-customer.ts';
import { type CustomerItem, customerSources, customers, type Referral } from './customer.ts';
import { findCustomerById, guessCustomer, rememberCustomer } from './find-customer.ts';

/**
 * Defines what a browser may do to customers. With `name`, it names a stored customer and changes nothing. With
 * `create`, it also creates a customer, and its data counts for that customer alone. A server has no such limit. See
 * docs/browser.md#pages.
 */
export type BrowserRights = 'name' | 'create';

/** Describes a customer that others name: an order, an event, or a row of a file. */
export interface NamedCustomer extends CustomerData {
  id?: string | null | undefined;
  /** Is present if a browser names the customer. */
  browserRights?: BrowserRights | undefined;
}

export interface Upsert {
  /** Holds the stored customer. `undefined` means that the customer is new. */
  before: CustomerItem | undefined;
  after: CustomerItem;
}

/**
 * Holds the customer that data names, before it is read. `id` is the id of an existing customer. If that customer was
 * merged, `upsert` finds the customer that it was merged into.
 */
export interface Identified {
  readonly id: string | undefined;
  readonly upsert: () => Promise<Upsert>;
}

function refuseCreation(place: string): ServiceError {
  const name = place.replace(/\.$/, '') || 'the body';
  return new ServiceError('client_side_disabled', {
    details: `${name} names no existing customer, and browsers must not create customers: name an existing customer, or switch on the project's setting client.customers`,
  });
}

/** Finds in a single call which customer the data names, for one attempt. Errors about an id follow when it is read. */
export async function identifyCustomer(
  context: Reading,
  { id, browserRights, ...data }: NamedCustomer,
  place = 'customer.',
): Promise<Identified> {
  const { source_id } = data;
  const make = async () => {
    if (browserRights === 'name') throw refuseCreation(place);
    return { before: undefined, after: newCustomer(context, data, place) };
  };
  const change = (before: CustomerItem) => (browserRights ? before : applyData(context, before, data, place));
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
  const guess = guessCustomer(context, source_id);
  const { named, former, claim, other, guessed } = await read(context.table, {
    named: id ? customers(context.project.id, id) : undefined,
    former: id ? customerSources(context.project.id, id) : undefined,
    claim: customerSources(context.project.id, source_id),
    other: customers(context.project.id, source_id),
    guessed: guess === undefined ? [] : [customers(context.project.id, guess)],
  });
  if (named) return { id: named.id, upsert: async () => ({ before: named, after: change(named) }) };
  if (former?.merged) return known(former.customer_id);
  if (claim) {
    const { customer_id } = claim;
    rememberCustomer(context, source_id, customer_id);
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
      details: `${place}source_id is the id of another customer: name that customer by ${place}id`,
      resource: { id: source_id, type: 'customer' },
    });
  }
  return isNew;
}

/**
 * Finds the customer that the data names, and applies the data. A known id wins over a source id, and an unknown id
 * alone is 404. An unknown source id, or neither, makes a new customer. Answers 409 if the source id is another
 * customer's id. `place` is the place of the data in the body, followed by a dot.
 */
export async function findUpserted(context: Reading, data: NamedCustomer, place?: string): Promise<Upsert> {
  return (await identifyCustomer(context, data, place)).upsert();
}

/** Holds the other changes of the customer in the same transaction. */
interface Besides {
  referrals?: readonly Referral[];
  /** True if the transaction makes a card. One of several concurrent requests makes it. */
  getsCard?: boolean;
}

/** Writes the customer over the version that was read, and records `customer.created`, or `customer.updated` after a change. */
export function writeUpsert(
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
    changeCustomer(project, { before, after, referrals, getsCard }, now),
    ...(isCustomerChanged(before, after) ? tell(activityTypes.updated) : []),
  ];
}

/**
 * Creates or changes the customer that the data names, as effects of the caller's transaction. `after` is the customer after
 * it. Call it in `retryOptimistically`, because a concurrent change makes `commit` return false.
 */
export async function upsertCustomer(
  context: Reading,
  data: NamedCustomer,
  occasion: Occasion,
  place?: string,
): Promise<Upsert & { effects: Effect[] }> {
  const upsert = await findUpserted(context, data, place);
  return { ...upsert, effects: writeUpsert(context, upsert, occasion) };
}
