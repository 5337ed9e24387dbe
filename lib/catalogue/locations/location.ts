import * as v from 'valibot';
import { named } from '../../core/documented.ts';
import { dateTime, identifier, listEnvelope } from '../../core/schema.ts';
import { filterQuery } from '../../kit/filters/filter.ts';
import { required, resource } from '../../kit/resource/resource.ts';
import type { Item } from '../../kit/resource/shape.ts';
import { locationShape } from './shape.ts';

/** A project has at most this many locations, so that one query reads them all. */
export const maxLocations = 200;

/** `outline` is the shape. The table keeps a mark of its own in the attribute `shape` of each item. */
const plain = resource('location', {
  prefix: 'loc',
  number: 'few',
  fields: {
    name: required(identifier, 'The name that operators see.'),
    outline: required(
      locationShape,
      'A `circle` has a center and a radius. A `polygon` has a Polygon or a MultiPolygon of GeoJSON, whose rings neither cross nor touch.',
    ),
  },
  orders: ['created_at', 'updated_at'],
  dated: true,
  family: 'segments',
  fileKey: 'locations',
});

/** Names the fields that filter the list of locations. */
const filters = { name: 'text', created_at: 'date', updated_at: 'date' } as const;

const reply = named(
  'Location',
  v.object({
    id: v.string(),
    name: identifier,
    shape: plain.stored.entries.outline,
    created_at: dateTime,
    updated_at: v.nullable(dateTime),
    object: v.literal('location'),
  }),
);

/** A place on the map. Locations come by project files, because the public interface only reads them. */
export const location = {
  ...plain,
  filters,
  reply,
  listQuery: v.object({ ...plain.listQuery.entries, filters: v.optional(filterQuery<Item>(filters)) }),
  listReply: v.object({ ...listEnvelope(reply).entries, has_more: v.boolean() }),
};
