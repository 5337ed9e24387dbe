import { type GeoPoint, parseGeoPoint } from '../../core/geo-point.ts';
import { isRecord } from '../../core/is-record.ts';
import { listElements, type TestOf } from './compare.ts';

function pointsIn(value: unknown): GeoPoint[] {
  return listElements(value).flatMap((one) => parseGeoPoint(one) ?? []);
}

/** Matches a value with a point in one of the locations. An unknown location has no points. */
export const inLocation: TestOf = (ids) => (value, _, areas) =>
  pointsIn(value).some((point) => ids.some((id) => areas?.get(String(id))?.(point)));

/** Matches a value with points, all of them outside of all locations. An unknown location matches nothing. */
export const notInLocation: TestOf = (ids) => (value, _, areas) => {
  const points = pointsIn(value);
  const named = ids.map((id) => areas?.get(String(id)));
  return points.length > 0 && named.every((area) => area && !points.some(area));
};

const locationOperators = ['$in_location', '$not_in_location'] as const;

/** Returns the operands with other names of locations, for the operators that name locations. */
export function renameLocations(conditions: unknown, rename: (id: string) => string): unknown {
  if (!isRecord(conditions)) return conditions;
  const renamed = (one: unknown) => (typeof one === 'string' ? rename(one) : one);
  const changed = locationOperators.flatMap((name) => {
    if (!Object.hasOwn(conditions, name)) return [];
    const sent = conditions[name];
    return [[name, Array.isArray(sent) ? sent.map(renamed) : renamed(sent)] as const];
  });
  return changed.length === 0 ? conditions : { ...conditions, ...Object.fromEntries(changed) };
}

/** Returns the ids of the locations that conditions name. */
export function listNamedLocations(conditions: unknown): string[] {
  const ids: string[] = [];
  renameLocations(conditions, (id) => {
    ids.push(id);
    return id;
  });
  return ids;
}
