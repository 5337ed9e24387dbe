import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import { distance } from '@turf/distance';
import type { Area } from '#kernel/core/geo-point.ts';
import { type GeoPoint, parseGeoPoint } from '#kernel/core/geo-point.ts';
import type { LocationShape } from './shape.ts';
import { unwrapRings } from './unwrap-rings.ts';

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
