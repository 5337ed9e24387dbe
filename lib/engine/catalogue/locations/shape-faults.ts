import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import { kinks } from '@turf/kinks';
import { parseGeoPoint } from '#kernel/core/geo-point.ts';
import { type LocationShape, maxPositions, type Rings } from './shape.ts';
import { unwrapRings } from './unwrap-rings.ts';

type Ring = Rings[number];

/** Returns whether all positions lie on one line. */
function isFlat(ring: readonly (readonly [number, number])[]): boolean {
  const [x, y] = ring[0] ?? [0, 0];
  return ring.every(([ax, ay], index) => {
    const [bx, by] = ring[index + 1] ?? [x, y];
    return (ax - x) * (by - y) === (bx - x) * (ay - y);
  });
}

function* findRingFaults(ring: Ring, at: string): Generator<string> {
  if (ring.length < 4) {
    yield `${at} must have at least 4 positions, and its last must equal its first`;
    return;
  }
  const [first, last] = [ring[0], ring.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
    yield `${at} must end with its first position`;
    return;
  }
  const [unwrapped = []] = unwrapRings([ring]);
  if (unwrapped[0]?.[0] !== unwrapped.at(-1)?.[0]) {
    yield `${at} must not go around the Earth: each edge follows the shorter way`;
  } else if (isFlat(unwrapped)) yield `${at} must enclose an area`;
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
  const coordinates = unwrapRings(rings);
  const [crossing] = kinks({ type: 'Polygon', coordinates }).features;
  if (crossing) yield `${at} must not cross itself, and does at ${crossing.geometry.coordinates.join(',')}`;
  else yield* findHoleFaults(coordinates, at);
}

/** Yields holes outside of the outer ring. Rings do not cross here, so one position of a hole decides. */
function* findHoleFaults([outer = [], ...holes]: ReturnType<typeof unwrapRings>, at: string): Generator<string> {
  for (const [index, [first]] of holes.entries()) {
    const isInside = first && booleanPointInPolygon(first, { type: 'Polygon', coordinates: [outer] });
    if (!isInside) yield `${at}[${index + 1}] must be a hole inside of the first ring`;
  }
}

/** Yields the faults that the schema of a shape cannot find, with the path of each. */
export function* findShapeFaults(shape: LocationShape): Generator<string> {
  if (shape.type === 'circle') {
    const { center, radius } = shape.distance;
    if (!parseGeoPoint(center)) {
      yield 'shape.distance.center must have a latitude from -90 to 90 and a longitude from -180 to 180';
    }
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
