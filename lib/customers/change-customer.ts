import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../core/errors.ts';
import { newTimedId } from '../core/ids.ts';
import { mergeMetadata } from '../core/merge-metadata.ts';
import type { Project } from '../http/projects/project.ts';
import { change, check, type Effect, insert } from '../table/effects.ts';
import { type CustomerItem, customerSources, customers, type Referral } from './customer.ts';
import { customerPlaces } from './customer-lists.ts';

const described = ['name', 'description', 'email', 'phone', 'birthdate'] as const;

/** All that a caller can change. */
const changing = [...described, 'birthday', 'address', 'metadata'] as const;

/** What a caller says of a customer: `null` clears, what is not there stays. */
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

/**
 * The customer as it is after what the caller says of it; address and metadata are merged key by key. `place`: where the data stands
 * in the body, with a dot behind it.
 */
export function describedAs(item: CustomerItem, data: CustomerData, place: string): CustomerItem {
  const given = described.filter((name) => data[name] !== undefined).map((name) => [name, data[name] ?? undefined]);
  return {
    ...item,
    ...Object.fromEntries(given),
    // Two names of one date: that of a project file does not outlast what is said now.
    ...(data.birthdate === undefined || data.birthdate === item.birthday ? {} : { birthday: undefined }),
    ...(data.address === undefined
      ? {}
      : { address: data.address === null ? undefined : { ...item.address, ...data.address } }),
    metadata: mergeMetadata(`${place}metadata`, item.metadata, data.metadata),
  };
}

export function newCustomer(data: CustomerData, now: Date): CustomerItem {
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
  return describedAs(blank, data, '');
}

export function isChanged(before: CustomerItem, after: CustomerItem): boolean {
  return changing.some((name) => !isDeepStrictEqual(before[name] ?? undefined, after[name] ?? undefined));
}

function beingDeleted(id: string): ServiceError {
  const details = 'id is that of a customer who is being deleted; it is free in a moment';
  return new ServiceError('duplicate_found', { details, resource: { id, type: 'customer' } });
}

/**
 * The new customer and its claim on the source id: one of those who ask at once makes it. No customer's id is the source id of
 * another, so that either leads to one customer.
 */
export function insertCustomer(project: Project, item: CustomerItem): Effect[] {
  const { source_id } = item;
  return [
    insert(customers(project.id, item.id), { ...item, ...customerPlaces(project.id, item) }, (stored) =>
      stored?.deleted_at === undefined ? undefined : beingDeleted(item.id),
    ),
    ...(source_id
      ? [
          insert(customerSources(project.id, source_id), { customer_id: item.id }),
          check(customers(project.id, source_id), (update) => update.whenStill('id', undefined)),
        ]
      : []),
  ];
}

/** Changes what is different, on the customer as they were read: events that change nothing of them don't meet. */
export function updateCustomer(
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
    /** A card is made for them in the same transaction: of those at once, one is, and the others find it. */
    getsCard: boolean;
  },
  now: Date,
): Effect {
  return change(customers(project.id, before.id), (update) => {
    const changed = isChanged(before, after);
    if (changed) {
      for (const name of changing) {
        if (isDeepStrictEqual(before[name], after[name])) continue;
        if (after[name] === undefined) update.remove([name]);
        else update.set([name], after[name]);
      }
      const updated_at = now.toISOString();
      update.set(['updated_at'], updated_at);
      for (const [name, value] of Object.entries(customerPlaces(project.id, { ...after, updated_at }))) {
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

/** A customer who stays as they are gets a card in the same transaction. */
export function getsCard(project: Project, item: CustomerItem, now: Date): Effect {
  return updateCustomer(project, { before: item, after: item, referrals: [], getsCard: true }, now);
}
