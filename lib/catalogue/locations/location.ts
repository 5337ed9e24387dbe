import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import { distance } from '@turf/distance';
import * as v from 'valibot';
import { described, named } from '../../core/documented.ts';
import { type Area, type Areas, type GeoPoint, geoPointPattern, noAreas, parseGeoPoint } from '../../core/geo-point.ts';
import { array, dateTime, identifier, listEnvelope, object } from '../../core/schema.ts';
import type { Reading } from '../../http/context.ts';
import { filterQuery } from '../../kit/filters/filter.ts';
import { required, resource } from '../../kit/resource/resource.ts';
import type { Item } from '../../kit/resource/shape.ts';
import { KeptValues, readKeptFamily } from '../../table/kept-families.ts';
import { read } from '../../table/read.ts';
import { unwrapRings } from './unwrap-rings.ts';

/** Finding crossings compares all edges of a polygon with each other, so their number is limited. */
export const maxPositions = 1_000;
const maxPolygons = 100;

const degrees = (most: number, name: string) =>
  v.pipe(
    v.number(),
    v.minValue(-most, `must be a ${name} from -${most} to ${most}`),
    v.maxValue(most, `must be a ${name} from -${most} to ${most}`),
  );

/** Longitude before latitude (RFC 7946, 3.1.1). */
const position = v.strictTuple(
  [degrees(180, 'longitude'), degrees(90, 'latitude')],
  'must be a longitude and a latitude',
);
const ring = array(position, maxPositions, 'positions');
const polygon = array(ring, maxPositions, 'rings');

const radiusPattern = /^(\d{1,5}(?:\.\d{1,6})?) (?:km|m|mi)$/;

const circle = object({
  type: v.literal('circle'),
  format: described(v.literal('distance'), 'How the shape is written: by a distance.'),
  distance: described(
    object({
      center: described(
        v.pipe(v.string(), v.regex(geoPointPattern, 'must be geo:LATITUDE,LONGITUDE, such as geo:60.3971,5.3244')),
        'The center, as `geo:LATITUDE,LONGITUDE`.',
      ),
      radius: described(
        v.pipe(v.string(), v.regex(radiusPattern, 'must be a number and km, m or mi, such as 1.54 km')),
        'The greatest distance from the center, with `km`, `m` or `mi`.',
      ),
    }),
    'The circle.',
  ),
});

const geojson = v.variant('type', [
  object({
    type: v.literal('Polygon'),
    coordinates: described(polygon, 'The rings: the outer edge, then the holes.'),
  }),
  object({
    type: v.literal('MultiPolygon'),
    coordinates: described(array(polygon, maxPolygons, 'polygons'), 'The polygons, each with its rings.'),
  }),
]);

const area = object({
  type: v.literal('polygon'),
  format: described(v.literal('geojson'), 'How the shape is written: as GeoJSON.'),
  geojson: described(geojson, 'The polygon or polygons, in GeoJSON.'),
});

/** The shape of a location: a circle around a point, or polygons of GeoJSON (RFC 7946) without a crossing. */
const locationShape = v.variant('type', [circle, area]);

export type LocationShape = v.InferOutput<typeof locationShape>;
export type Rings = v.InferOutput<typeof polygon>;

const metersPer: Readonly<Record<string, number>> = { m: 1, km: 1_000, mi: 1_609.344 };

/** Rounding moves a computed distance by less than this. */
const roundingInMeters = 1e-6;

function compileCircle({ center, radius }: { center: string; radius: string }): Area {
  const middle = parseGeoPoint(center);
  if (!middle) return () => false;
  const [length, unit = ''] = radius.split(' ');
  const most = Number(length) * (metersPer[unit] ?? 0) + roundingInMeters;
  const positionOf = ({ latitude, longitude }: GeoPoint) => [longitude, latitude];
  return (point) => distance(positionOf(middle), positionOf(point), { units: 'meters' }) <= most;
}

/** Compiles the test whether a point lies in a shape. A point on the edge lies in it. A hole's edge belongs to the polygon. */
export function compileArea(shape: LocationShape): Area {
  if (shape.type === 'circle') return compileCircle(shape.distance);
  const { geojson } = shape;
  const polygons = geojson.type === 'Polygon' ? [geojson.coordinates] : geojson.coordinates;
  const area = { type: 'MultiPolygon' as const, coordinates: polygons.map(unwrapRings) };
  // Unwrapped longitudes reach beyond 180 degrees, so a point is tried on the turns before and after its own.
  return ({ latitude, longitude }) =>
    [0, 360, -360].some((turn) => booleanPointInPolygon([longitude + turn, latitude], area));
}

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

/** Containers keep the absence of a location, too. */
const keptShapes = new KeptValues<{ readonly outline?: LocationShape }>();

const compiled = new WeakMap<LocationShape, Area>();

/** Compiles a shape once. Loads the geometry with the first shape, because most checkouts never need it. */
async function areaOf(shape: LocationShape): Promise<Area> {
  const known = compiled.get(shape);
  if (known) return known;
  const { compileArea } = await import('./location.ts');
  const area = compileArea(shape);
  compiled.set(shape, area);
  return area;
}

/** Reads the areas of locations, in one call. Containers keep what they have read. Reads nothing if there is no id. */
export async function readAreas(
  context: Pick<Reading, 'table' | 'project' | 'now'>,
  ids: Iterable<string>,
): Promise<Areas> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return noAreas;
  const { table, project } = context;
  const kept = readKeptFamily(context, 'segments');
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
