import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { count, date, dateTime, integer, keptText, metadata, nullable, record } from '#kernel/core/schema.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { customerOrderFigures, redemptionFigures, redemptionTotals } from './customer-figures.ts';

const nullableText = nullable(keptText);

/** Returns the fields of an address, each a text of this kind. */
export function addressEntries<S extends v.GenericSchema>(text: S) {
  return {
    city: nullable(text),
    state: nullable(text),
    line_1: nullable(text),
    line_2: nullable(text),
    country: nullable(text),
    postal_code: nullable(text),
  };
}

const address = v.object(addressEntries(keptText));

/** Leaves out empty metadata, because existing clients expect it to be absent. */
export function showMetadata(metadata: CustomerItem['metadata']): { metadata?: CustomerItem['metadata'] } {
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

export const addressFields = v.keyof(address).options;

/** Describes the referral that brought the customer into a programme. */
export const referral = v.object({
  campaign_id: v.nullable(v.string()),
  referrer_id: v.nullable(v.string()),
  related_object_id: v.string(),
  related_object_type: v.literal('voucher'),
  date: dateTime,
});

export type Referral = v.InferOutput<typeof referral>;

/**
 * Describes a customer that was merged into another customer. Callers may still name the other customer by these ids.
 */
export const mergedCustomer = v.object({ id: v.string(), source_id: v.optional(v.string()), action_id: v.string() });

export type MergedCustomer = v.InferOutput<typeof mergedCustomer>;

/** Returns the ids and source ids of merged customers, which lead to the customer that they were merged into. */
export function listMergedNames(merged: readonly MergedCustomer[] = []): string[] {
  return merged.flatMap(({ id, source_id }) => (source_id ? [id, source_id] : [id]));
}

/** Stores a customer. Figures of the customer's cards stay on the cards. */
export const customerItem = v.object({
  id: v.string(),
  source_id: nullableText,
  name: nullableText,
  description: nullableText,
  email: nullableText,
  phone: nullableText,
  birthday: nullable(date),
  birthdate: nullable(date),
  address: nullable(address),
  metadata: v.optional(metadata, {}),
  system_metadata: v.optional(metadata, {}),
  created_at: dateTime,
  updated_at: nullable(dateTime),
  /** Holds figures from before this service counted, which a project file brought. */
  summary: v.optional(metadata, {}),
  loyalty: v.optional(metadata, {}),
  referrals: v.optional(metadata, {}),
  /** Counts the customer's own activities. Cards count the activities about themselves. */
  activities: v.optional(count, 0),
  /** Counts the customers that this customer has referred. */
  referred_customers: v.optional(count, 0),
  /** Counts these customers by campaign, under the id of the campaign. */
  referred_by_campaign: v.optional(record(count)),
  /** Counts the customer's custom events by their names in the event schema. */
  event_counts: v.optional(record(count)),
  /** Sums the orders that count, in addition to the figures of earlier orders in a project file. */
  orders: v.optional(customerOrderFigures),
  ...redemptionFigures.entries,
  /** Lists the programmes into which the customer was referred, each once. */
  referred_in: v.optional(v.array(referral), []),
  /** Lists the customers that were merged into this customer. Their ids and source ids are claims of this customer. */
  merged: v.optional(v.array(mergedCustomer)),
  /** Increases with every change that describes the customer, so that each change applies to the version that was read. */
  revision: v.optional(count),
});

export type CustomerItem = v.InferOutput<typeof customerItem>;

export const customers = kind(kinds.customer, customerItem);

const loyaltyBefore = v.object({ campaigns: v.record(v.string(), v.unknown()) });
const figuresBefore = v.object({ referred_customers: count });

/** Returns the numbers of referred customers that a project file brought, by the name of the campaign. */
export function countEarlierReferred({ loyalty }: CustomerItem): [name: string, customers: number][] {
  const known = v.safeParse(loyaltyBefore, loyalty);
  return Object.entries(known.success ? known.output.campaigns : {}).flatMap(([name, figures]) => {
    const read = v.safeParse(figuresBefore, figures);
    return read.success && read.output.referred_customers > 0 ? [[name, read.output.referred_customers]] : [];
  });
}

const referralsBefore = v.object({ campaigns: v.array(v.looseObject({})) });

/** Returns the referrals that a project file brought, with all their fields. */
export function readEarlierReferrals({ referrals }: CustomerItem): Record<string, unknown>[] {
  return v.is(referralsBefore, referrals) ? referrals.campaigns : [];
}

/** Claims a source id for one customer, or an id of a customer that was merged into it. */
export const customerSources = kind(
  kinds.customerSource,
  v.object({ customer_id: v.string(), merged: v.optional(v.boolean()) }),
);

/** Returns the claims of a customer on the names of merged customers. */
export function listMergedClaims(projectId: string, customer_id: string, merged?: readonly MergedCustomer[]) {
  const item = { customer_id, merged: true };
  return listMergedNames(merged).map((name) => ({ key: customerSources(projectId, name), item }));
}

/** Shows a customer. Amounts are in minor currency units, and points are points of loyalty cards. */
export const customer = named(
  'Customer',
  v.object({
    object: v.literal('customer'),
    id: v.string(),
    source_id: v.nullable(v.string()),
    name: v.nullable(v.string()),
    description: v.nullable(v.string()),
    email: v.nullable(v.string()),
    phone: v.nullable(v.string()),
    birthday: v.nullable(date),
    birthdate: v.nullable(date),
    address: v.nullable(address),
    metadata: described(v.optional(metadata), 'Absent while it is empty.'),
    system_metadata: metadata,
    created_at: dateTime,
    updated_at: described(v.optional(dateTime), 'Absent until the first change.'),
    assets: described(v.optional(v.object({ cockpit_url: v.string() })), 'Only in activities.'),
    summary: v.object({
      redemptions: v.object({
        ...redemptionTotals.entries,
        gift: v.object({ redeemed_amount: integer, amount_to_go: integer }),
        loyalty_card: v.object({ redeemed_points: integer, points_to_go: integer }),
      }),
      orders: v.object({
        total_amount: integer,
        total_count: integer,
        average_amount: integer,
        last_order_amount: integer,
        last_order_date: v.optional(dateTime),
      }),
    }),
    loyalty: v.object({
      points: integer,
      referred_customers: integer,
      /** Maps names of campaigns to figures: programmes of held cards, and campaigns by which the customer referred others. */
      campaigns: record(
        v.object({ points: integer, referred_customers: integer, loyalty_tier: v.optional(v.string()) }),
      ),
    }),
    referrals: v.object({ total: integer, campaigns: v.array(v.looseObject({})) }),
  }),
);

export type Customer = v.InferOutput<typeof customer>;
