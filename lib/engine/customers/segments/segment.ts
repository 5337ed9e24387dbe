import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import { normaliseEmail } from '#kernel/core/email-address.ts';
import { array, count, dateTime, identifier, listEnvelope, text } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { filterDocument, filterQuery } from '#kernel/kit/filters/filter.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import { childKind, itemMarks, projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import { addressFields, type Customer, customerSources, customers } from '../customer.ts';
import { redemptionTotalNames } from '../customer-figures.ts';

/** Holds a customer for a segment's filter: the customer's reply, and the numbers of sent events by name. */
export type SegmentSubject = Customer & { readonly events: Readonly<Record<string, number>> };

const address = addressFields.map((name) => `address.${name}`);
const texts = ['id', 'source_id', 'name', 'description', 'phone', ...address];
const dates = ['birthday', 'birthdate', 'created_at', 'updated_at', 'summary.orders.last_order_date'];
const redeemed = [
  ...redemptionTotalNames,
  'gift.redeemed_amount',
  'gift.amount_to_go',
  'loyalty_card.redeemed_points',
  'loyalty_card.points_to_go',
].map((name) => `summary.redemptions.${name}`);
const ordered = ['total_amount', 'total_count', 'average_amount', 'last_order_amount'].map(
  (name) => `summary.orders.${name}`,
);
const numbers = [
  ...redeemed,
  ...ordered,
  'loyalty.points',
  'loyalty.referred_customers',
  'loyalty.campaigns.*.points',
  'loyalty.campaigns.*.referred_customers',
  'referrals.total',
];

const typed = <T extends string>(names: readonly string[], type: T) =>
  Object.fromEntries(names.map((name) => [name, type]));

/** Names every scalar of a customer's reply, counts of events, and points by campaign. See docs/segments.md#segments. */
export const segmentFields: FilterFields<SegmentSubject> = {
  ...typed(texts, 'text'),
  email: { type: 'text', at: ({ email }: SegmentSubject) => email, form: normaliseEmail },
  ...typed(dates, 'date'),
  ...typed(numbers, 'number'),
  'loyalty.campaigns.*.loyalty_tier': 'text',
  'loyalty_points.campaigns.*.points': {
    type: 'number',
    at: ({ loyalty: { campaigns } }, name) => (Object.hasOwn(campaigns, name) ? campaigns[name]?.points : undefined),
  },
  'events.*.count': { type: 'number', at: ({ events }, name) => (Object.hasOwn(events, name) ? events[name] : 0) },
  'metadata.*': 'any',
  'system_metadata.*': 'any',
};

/** A static segment has at most this many members. See docs/segments.md#segments. */
export const maxStaticMembers = 20_000;

/** A project has at most this many segments with a filter. Each change of a customer evaluates all of them. */
export const maxFiltered = 100;

const segmentType = v.picklist(['auto-update', 'passive', 'static']);

const filter = filterDocument(segmentFields);

const name = required(identifier, 'The name that operators see.');

const plain = resource('segment', {
  prefix: 'seg',
  number: 'few',
  fields: {
    name,
    type: required(
      segmentType,
      'A `static` segment has a fixed list of customers. A `passive` segment has all customers that pass the filter. ' +
        'An `auto-update` segment has the same customers, and records their entries and exits. ' +
        'An earning rule that names a passive segment turns it into an auto-update segment.',
    ),
    filter: optional(filter, 'The filter that customers must pass. A static segment has none.'),
  },
  fileKey: 'segments',
});

/**
 * Stores a segment. `turning` is the time at which a passive segment began to become active. It is absent once a job
 * has stored all members. `turned_at` is the same time, and remains.
 */
const stored = v.object({
  ...plain.stored.entries,
  turning: v.optional(dateTime),
  turned_at: v.optional(dateTime),
});

/** Increases with each segment that gets a filter, so that concurrent requests cannot both use the last place. */
export const segmentGuards = projectKind(kinds.segmentsGuard, v.object({ revision: count }));

const reply = named(
  'Segment',
  v.object({
    id: v.string(),
    name: identifier,
    created_at: dateTime,
    updated_at: v.nullable(dateTime),
    type: segmentType,
    filter: v.nullable(filter),
    object: v.literal('segment'),
  }),
);

const createBody = v.variant('type', [
  v.object({
    type: v.literal('static'),
    name: name.schema,
    customers: array(identifier, maxStaticMembers, 'customers'),
  }),
  v.object({ type: v.picklist(['auto-update', 'passive']), name: name.schema, filter }),
]);

const updateBody = v.object({
  name: v.optional(name.schema),
  filter: v.optional(filter),
  type: described(
    v.optional(v.literal('passive', 'must be passive: the type of a segment cannot change')),
    'The type, if it is sent, must be `passive`.',
  ),
});

const listReply = v.object({ ...listEnvelope(reply).entries, has_more: v.boolean() });

/** Names the fields that filter the list of segments. */
export const segmentListFields = { id: 'text', name: 'text', type: 'text', created_at: 'date' } as const;

const listQuery = v.object({
  ...plain.listQuery.entries,
  ids: described(v.optional(v.array(text)), 'Only segments with these ids.'),
  filters: v.optional(filterQuery<Segment>(segmentListFields)),
});

/** Describes a segment once. */
export const segment = {
  ...plain,
  stored,
  few: childKind<typeof stored, []>({ kind: kinds.segments }, kinds.segment, stored, { family: 'segments' }),
  reply,
  listReply,
  listQuery,
  createBody,
  updateBody,
  empty: { updated_at: null, filter: null },
};

export type Segment = v.InferOutput<typeof stored>;
export type CreateSegment = v.InferOutput<typeof createBody>;
export type UpdateSegment = v.InferOutput<typeof updateBody>;

/** Shows the segments that a customer is in. */
export const segmentsOfCustomer = listEnvelope(
  v.object({ id: v.string(), name: v.string(), object: v.literal('segment') }),
);

const memberItem = v.object({ customer_id: v.string(), segment_id: v.string(), type: segmentType });

type Member = v.InferOutput<typeof memberItem>;

/** Stores the segments that keep a customer, by a list or after a recorded entry. The customer's deletion deletes them. */
export const members = childKind({ kind: kinds.customer }, kinds.segmentMember, memberItem);

/**
 * Lists the members of a segment in the order in which they became customers. It accepts 4,000 new members a second.
 */
export const membersOfSegment = listing(listIndexes.first, 'SEGMENT_MEMBERS', { shards: 4, counted: true });

/** The list holds these fields of a member. */
export const listedMember = v.object({ id: v.string(), created_at: v.string() });

export function memberKey(projectId: string, { customer_id, segment_id }: Pick<Member, 'customer_id' | 'segment_id'>) {
  return members(projectId, customer_id, segment_id);
}

/** Returns the attributes of a membership. `created_at` is the creation of the customer. */
export function memberAttributes(projectId: string, member: Member, created_at: string) {
  const { customer_id: id, segment_id } = member;
  return {
    ...member,
    ...placeInList(membersOfSegment, [projectId, segment_id], [created_at, id]),
    listed: { id, created_at },
  };
}

/** Reads the customers that exist, each once, also by the ids of customers that were merged into them. */
async function readLed({ table, project }: Pick<Reading, 'table' | 'project'>, ids: readonly string[]) {
  const { known } = await read(table, { known: ids.map((id) => customers(project.id, id)) });
  const missing = ids.filter((_, index) => !known[index]);
  const { claims } = await read(table, { claims: missing.map((id) => customerSources(project.id, id)) });
  const led = claims.flatMap((claim) => (claim?.merged ? [customers(project.id, claim.customer_id)] : []));
  const { others } = await read(table, { others: led });
  const all = [...known, ...others].filter((one) => one !== undefined);
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/** Puts the customers that exist into a static segment, whether or not they are in it. */
export async function putMembers(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  { id: segment_id, type }: Pick<Segment, 'id' | 'type'>,
  customerIds: readonly string[],
): Promise<Effect[]> {
  const known = await readLed({ table, project }, customerIds);
  return known.flatMap((customer) => {
    const member = { customer_id: customer.id, segment_id, type };
    const key = memberKey(project.id, member);
    const attributes = { ...memberAttributes(project.id, member, customer.created_at), ...itemMarks(key) };
    return change(key, (update) => update.setAll(attributes));
  });
}

/** Reads the memberships of a customer. */
export function readMembers({ table, project }: Pick<Reading, 'table' | 'project'>, customerId: string) {
  return readChildren(table, members, project.id, customerId);
}
