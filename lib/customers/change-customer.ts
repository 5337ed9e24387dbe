import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../core/errors.ts';
import { newTimedId } from '../core/ids.ts';
import { mergeMetadata } from '../core/merge-metadata.ts';
import { checkBySchema } from '../core/metadata/check.ts';
import type { Reading } from '../http/context.ts';
import type { Project } from '../http/projects/project.ts';
import { change, check, type Effect, insert } from '../table/effects.ts';
import { type CustomerItem, customerSources, customers, type Referral } from './customer.ts';
import { placeCustomer } from './customer-lists.ts';

const described = ['name', 'description', 'email', 'phone', 'birthdate'] as const;

/** Callers can change these fields. */
const changing = [...described, 'birthday', 'address', 'metadata'] as const;

/** Holds the data of a customer that a caller sends. `null` clears a field, and a missing field stays. */
export interface CustomerData {
  source_id?: string | null | undefined;
  name?: string | null | undefined;
  description?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  birthdate?: string | null | undefined;
  address?: CustomerItem['address'];
  metadata?: Record<string, unknown> | null | undefined;
}

type Place = Pick<Reading, 'project' | 'now'>;

/** Returns the customer with the sent data, merged key by key. `place` is the data's place in the body, with a dot behind it. */
export function applyData({ project }: Place, item: CustomerItem, data: CustomerData, place: string): CustomerItem {
  const given = described.filter((name) => data[name] !== undefined).map((name) => [name, data[name] ?? undefined]);
  return {
    ...item,
    ...Object.fromEntries(given),
    // Both names mean one date. A date from a project file gives way to the sent date.
    ...(data.birthdate === undefined || data.birthdate === item.birthday ? {} : { birthday: undefined }),
    ...(data.address === undefined
      ? {}
      : { address: data.address === null ? undefined : { ...item.address, ...data.address } }),
    metadata: mergeMetadata(
      { place: `${place}metadata`, schema: project.schemas('customer') },
      item.metadata,
      data.metadata,
    ),
  };
}

export function newCustomer(context: Place, data: CustomerData, place = ''): CustomerItem {
  const { now } = context;
  const blank: CustomerItem = {
    id: newTimedId('customer', now),
    source_id: data.source_id,
    metadata: {},
    system_metadata: {},
    created_at: now.toISOString(),
    summary: {},
    loyalty: {},
    referrals: {},
    activities: 0,
    referred_customers: 0,
    referred_in: [],
  };
  return applyData(context, blank, data, place);
}

export function isCustomerChanged(before: CustomerItem, after: CustomerItem): boolean {
  return changing.some((name) => !isDeepStrictEqual(before[name] ?? undefined, after[name] ?? undefined));
}

function refuseDeleted(id: string): ServiceError {
  const details = 'a customer that is being deleted has this id: try again in a moment';
  return new ServiceError('duplicate_found', { details, resource: { id, type: 'customer' } });
}

/**
 * Inserts the new customer with its claim on the source id, so that one of several concurrent requests creates it. No
 * customer's id is the source id of another customer, so that each name leads to one customer.
 */
export function insertCustomer(project: Project, item: CustomerItem): Effect[] {
  const { source_id } = item;
  // Only a customer that is stored must have required keys. Validations make customers for themselves.
  checkBySchema(project.schemas('customer'), item.metadata, { place: 'customer.metadata' });
  return [
    insert(customers(project.id, item.id), { ...item, ...placeCustomer(project.id, item) }, (stored) =>
      stored?.deleted_at === undefined ? undefined : refuseDeleted(item.id),
    ),
    ...(source_id
      ? [
          insert(customerSources(project.id, source_id), { customer_id: item.id }),
          check(customers(project.id, source_id), (update) => update.whenStill('id', undefined)),
        ]
      : []),
  ];
}

/** Changes the fields that differ, if the customer has not changed since it was read. Events that change no field do not conflict. */
export function changeCustomer(
  project: Project,
  {
    before,
    after,
    referrals,
    getsCard,
  }: {
    before: CustomerItem;
    after: CustomerItem;
    referrals: readonly Referral[];
    /** Says that the same transaction makes a card. One of several concurrent requests makes it, and the others find it. */
    getsCard: boolean;
  },
  now: Date,
): Effect {
  return change(customers(project.id, before.id), (update) => {
    const changed = isCustomerChanged(before, after);
    if (changed) {
      for (const name of changing) {
        if (isDeepStrictEqual(before[name], after[name])) continue;
        if (after[name] === undefined) update.remove([name]);
        else update.set([name], after[name]);
      }
      const updated_at = now.toISOString();
      update.set(['updated_at'], updated_at);
      for (const [name, value] of Object.entries(placeCustomer(project.id, { ...after, updated_at }))) {
        if (value === undefined) update.remove([name]);
        else update.set([name], value);
      }
    }
    const isReferred = referrals.length > 0;
    if (isReferred) update.set(['referred_in'], [...before.referred_in, ...referrals]);
    if (changed || isReferred || getsCard) update.whenStill('revision', before.revision).add('revision', 1);
    return update.whenThere();
  });
}

/** Guards a card that the same transaction makes for an unchanged customer. */
export function guardNewCard(project: Project, item: CustomerItem, now: Date): Effect {
  return changeCustomer(project, { before: item, after: item, referrals: [], getsCard: true }, now);
}
