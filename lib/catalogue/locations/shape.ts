import { kinks } from '@turf/kinks';
import * as v from 'valibot';
import { described } from '../../core/documented.ts';
import { array, object } from '../../core/schema.ts';

/** Finding crossings compares all edges of a polygon with each other, so their number is limited. */
const maxPositions = 1_000;
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

type Ring = v.InferOutput<typeof ring>;
type Rings = v.InferOutput<typeof polygon>;

/** A latitude before a longitude (RFC 5870). */
const centerPattern = /^geo:(-?\d{1,2}(?:\.\d{1,15})?),(-?\d{1,3}(?:\.\d{1,15})?)$/;
const radiusPattern = /^(\d{1,5}(?:\.\d{1,6})?) (?:km|m|mi)$/;

const circle = object({
  type: v.literal('circle'),
  format: described(v.literal('distance'), 'How the shape is written: by a distance.'),
  distance: described(
    object({
      center: described(
        v.pipe(v.string(), v.regex(centerPattern, 'must be geo:LATITUDE,LONGITUDE, such as geo:60.3971,5.3244')),
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

function* findRingFaults(ring: Ring, at: string): Generator<string> {
  if (ring.length < 4) {
    yield `${at} must have at least 4 positions, and its last must equal its first`;
    return;
  }
  const [first, last] = [ring[0], ring.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) yield `${at} must end with its first position`;
}

function* findPolygonFaults(rings: Rings, at: string): Generator<string> {
  if (rings.length === 0) yield `${at} must have at least one ring`;
  const positions = rings.reduce((sum, { length }) => sum + length, 0);
  if (positions > maxPositions) {
    yield `${at} must have at most ${maxPositions} positions in all of its rings`;
    return;
  }
  const faults = rings.flatMap((one, index) => [...findRingFaults(one, `${at}[${index}]`)]);
  yield* faults;
  if (faults.length > 0 || rings.length === 0) return;
  const [crossing] = kinks({ type: 'Polygon', coordinates: rings }).features;
  if (crossing) yield `${at} must not cross itself, and does at ${crossing.geometry.coordinates.join(',')}`;
}

/** Yields what the schema of a shape cannot find, with the path of each fault. */
export function* findShapeFaults(shape: v.InferOutput<typeof locationShape>): Generator<string> {
  if (shape.type === 'circle') {
    const { center, radius } = shape.distance;
    const [latitude, longitude] = centerPattern.exec(center)?.slice(1).map(Number) ?? [];
    if (Math.abs(latitude ?? 0) > 90) yield 'shape.distance.center must have a latitude from -90 to 90';
    if (Math.abs(longitude ?? 0) > 180) yield 'shape.distance.center must have a longitude from -180 to 180';
    if (Number.parseFloat(radius) === 0) yield 'shape.distance.radius must be above 0';
    return;
  }
  const { type, coordinates } = shape.geojson;
  const at = 'shape.geojson.coordinates';
  if (type === 'Polygon') yield* findPolygonFaults(coordinates, at);
  else {
    if (coordinates.length === 0) yield `${at} must have at least one polygon`;
    for (const [index, rings] of coordinates.entries()) yield* findPolygonFaults(rings, `${at}[${index}]`);
  }
}
