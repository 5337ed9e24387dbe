import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { type Area, type Areas, noAreas } from '#kernel/core/geo-point.ts';
import { dateTime, identifier, listEnvelope } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { filterQuery } from '#kernel/kit/filters/filter.ts';
import { required, resource } from '#kernel/kit/resource/resource.ts';
import type { Item } from '#kernel/kit/resource/shape.ts';
import { Kept, readFamily } from '#kernel/table/kept.ts';
import { read } from '#kernel/table/read.ts';
import { type LocationShape, locationShape } from './shape.ts';

/** A project has at most this many locations, so that one query reads them all. */
export const maxLocations = 200;

/** Defines the shape as `outline`, because the table keeps a mark in the attribute `shape` of each item. */
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

/** A place on the map. Locations are loaded by project files, because the public interface only reads them. */
export const location = {
  ...plain,
  filters,
  reply,
  listQuery: v.object({ ...plain.listQuery.entries, filters: v.optional(filterQuery<Item>(filters)) }),
  listReply: v.object({ ...listEnvelope(reply).entries, has_more: v.boolean() }),
};

/** Containers also keep the absence of a location. */
const keptShapes = new Kept<{ readonly outline?: LocationShape }>();

const compiled = new WeakMap<LocationShape, Area>();

/** Compiles a shape once. Loads the geometry with the first shape, because most checkouts never need it. */
async function areaOf(shape: LocationShape): Promise<Area> {
  const known = compiled.get(shape);
  if (known) return known;
  const { compileArea } = await import('./area.ts');
  const area = compileArea(shape);
  compiled.set(shape, area);
  return area;
}

/**
 * Reads the areas of locations, in a single call. Containers keep what they have read. Reads nothing without ids.
 */
export async function readAreas(
  context: Pick<Reading, 'table' | 'project' | 'now'>,
  ids: Iterable<string>,
): Promise<Areas> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return noAreas;
  const { table, project } = context;
  const kept = readFamily(context, 'segments');
  const readOne = async (id: string) => {
    const { found } = await read(table, { found: location.few(project.id, id) });
    return found ? { outline: found.outline } : {};
  };
  const entries = wanted.map(async (id) => {
    const { outline } = await keptShapes.get(kept, id, () => readOne(id));
    return outline ? [[id, await areaOf(outline)] as const] : [];
  });
  return new Map((await Promise.all(entries)).flat());
}
