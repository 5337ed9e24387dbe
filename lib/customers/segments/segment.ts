import * as v from 'valibot';
import { described, named } from '../../core/documented.ts';
import { array, count, dateTime, identifier, listOf, text } from '../../core/schema.ts';
import { filterDocument, filterQuery } from '../../kit/filters/filter.ts';
import { optional, required, resource } from '../../kit/resource/resource.ts';
import { childKind, projectKind } from '../../table/kind.ts';
import { segmentFields } from './fields.ts';

/** Of a static segment. See docs/segments.md#segments. */
export const maxStaticMembers = 20_000;

/** Segments of a project that have a filter: each is evaluated for each customer who changes. */
export const maxFiltered = 100;

export const segmentType = v.picklist(['auto-update', 'passive', 'static']);

const filter = filterDocument(segmentFields);

const name = required(identifier, 'What operators call it.');

const plain = resource('segment', {
  prefix: 'seg',
  number: 'few',
  fields: {
    name,
    type: required(
      segmentType,
      '`static`: a fixed list; `passive`: whoever meets the filter; `auto-update`: the same, and who comes and goes is told. ' +
        'An earning rule that names a passive one turns it auto-update.',
    ),
    filter: optional(filter, 'Who is in it; of a static one nothing.'),
  },
  fileKey: 'segments',
});

/** `turning`: since when a passive one turns active. It is absent once a job has kept all who were in it. */
const stored = v.object({ ...plain.stored.entries, turning: v.optional(dateTime) });

/** Goes up with each segment that gets a filter, so that no two who see room for one more take the same. */
export const guards = projectKind('SEGMENTS_GUARD', v.object({ revision: count }));

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

const listReply = v.object({ ...listOf(reply).entries, has_more: v.boolean() });

/** What the list can be filtered by. */
export const listFields = { id: 'text', name: 'text', type: 'text', created_at: 'date' } as const;

const listQuery = v.object({
  ...plain.listQuery.entries,
  ids: described(v.optional(v.array(text)), 'Only these.'),
  filters: v.optional(filterQuery<Segment>(listFields)),
});

/** A segment as it is described once. */
export const segment = {
  ...plain,
  stored,
  few: childKind<typeof stored, []>({ kind: 'SEGMENTS' }, 'SEGMENT', stored, { family: 'segments' }),
  reply,
  listReply,
  listQuery,
  createBody,
  empty: { updated_at: null, filter: null },
};

export type Segment = v.InferOutput<typeof stored>;
export type CreateSegment = v.InferOutput<typeof createBody>;

/** The segments that a customer is in. */
export const segmentsOfCustomer = listOf(v.object({ id: v.string(), name: v.string(), object: v.literal('segment') }));
