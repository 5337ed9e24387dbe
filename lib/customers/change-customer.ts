import { isDeepStrictEqual } from 'node:util';
import type { Write } from '../dynamodb.ts';
import { newId } from '../ids.ts';
import type { Project } from '../projects/project.ts';
import { keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import type { CustomerItem, Referral } from './customer.ts';

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

/** The customer as it is after what the caller says of it; address and metadata are merged key by key. */
export function describedAs(item: CustomerItem, data: CustomerData): CustomerItem {
  const given = described.filter((name) => data[name] !== undefined).map((name) => [name, data[name] ?? undefined]);
  return {
    ...item,
    ...Object.fromEntries(given),
    // Two names of one date: that of a project file does not outlast what is said now.
    ...(data.birthdate === undefined || data.birthdate === item.birthday ? {} : { birthday: undefined }),
    ...(data.address === undefined
      ? {}
      : { address: data.address === null ? undefined : { ...item.address, ...data.address } }),
    metadata: data.metadata === null ? {} : { ...item.metadata, ...data.metadata },
  };
}

export function newCustomer(data: CustomerData, now: Date): CustomerItem {
  const blank: CustomerItem = {
    id: newId('customer'),
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
  return describedAs(blank, data);
}

export function isChanged(before: CustomerItem, after: CustomerItem): boolean {
  return changing.some((name) => !isDeepStrictEqual(before[name] ?? undefined, after[name] ?? undefined));
}

/** The new customer and its claim on the source id: one of those who ask at once makes it. */
export function insertCustomer(project: Project, item: CustomerItem, activities: number): Write[] {
  const { source_id } = item;
  return [
    { key: keys.customer(project.id, item.id), insert: { ...item, activities } },
    ...(source_id ? [{ key: keys.customerSource(project.id, source_id), insert: { customer_id: item.id } }] : []),
  ];
}

/**
 * Changes what is different, on the customer as he was read; his activities are only counted up, so that events of one
 * customer do not get in each other's way.
 */
export function updateCustomer(
  project: Project,
  {
    before,
    after,
    referral,
    activities,
  }: {
    before: CustomerItem;
    after: CustomerItem;
    referral: Referral | undefined;
    activities: number;
  },
  now: Date,
): Write {
  const update = new UpdateExpression().whenThere().add('activities', activities);
  const changed = isChanged(before, after);
  if (changed) {
    for (const name of changing) {
      if (isDeepStrictEqual(before[name], after[name])) continue;
      if (after[name] === undefined) update.remove([name]);
      else update.set([name], after[name]);
    }
    update.set(['updated_at'], now.toISOString());
  }
  if (referral) update.set(['referred_in'], [...before.referred_in, referral]);
  if (changed || referral) update.whenStill('revision', before.revision).add('revision', 1);
  return { key: keys.customer(project.id, before.id), change: update.build() };
}
