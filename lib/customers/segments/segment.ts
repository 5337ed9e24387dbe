import * as v from 'valibot';
import { described, named } from '../../core/documented.ts';
import { array, count, dateTime, identifier, listEnvelope, text } from '../../core/schema.ts';
import { filterDocument, filterQuery } from '../../kit/filters/filter.ts';
import { optional, required, resource } from '../../kit/resource/resource.ts';
import { childKind, projectKind } from '../../table/kind.ts';
import { kinds } from '../../table/kind-names.ts';
import { segmentFields } from './fields.ts';

/** A static segment has at most this many members. See docs/segments.md#segments. */
export const maxStaticMembers = 20_000;

/** A project has at most this many segments with a filter. Each change of a customer evaluates all of them. */
export const maxFiltered = 100;

export const segmentType = v.picklist(['auto-update', 'passive', 'static']);

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
 * Stores a segment. `turning` is the time when a passive segment began to turn active. It is absent once a job has kept all members.
 * `turned_at` is the same time, and stays.
 */
const stored = v.object({
  ...plain.stored.entries,
  turning: v.optional(dateTime),
  turned_at: v.optional(dateTime),
});

/** Increases with each segment that gets a filter, so that concurrent requests cannot take the same last place. */
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
