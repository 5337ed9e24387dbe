import * as v from 'valibot';
import { described, shownAs } from '#kernel/core/documented.ts';
import { geoPointPattern } from '#kernel/core/geo-point.ts';
import { array, object } from '#kernel/core/schema.ts';

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
const position = shownAs(
  v.strictTuple([degrees(180, 'longitude'), degrees(90, 'latitude')], 'must be a longitude and a latitude'),
  {
    type: 'array',
    description: 'The longitude, from -180 to 180, and the latitude, from -90 to 90.',
    // Generators of clients read no `prefixItems`.
    items: { type: 'number', minimum: -180, maximum: 180 },
    minItems: 2,
    maxItems: 2,
  },
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
export const locationShape = v.variant('type', [circle, area]);

export type LocationShape = v.InferOutput<typeof locationShape>;
export type Rings = v.InferOutput<typeof polygon>;
