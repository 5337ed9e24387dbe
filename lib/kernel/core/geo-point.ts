/** A point on the Earth, in degrees (WGS 84). */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** A latitude before a longitude (RFC 5870). */
export const geoPointPattern = /^geo:(-?\d{1,2}(?:\.\d{1,15})?),(-?\d{1,3}(?:\.\d{1,15})?)$/;

/** Parses `geo:LATITUDE,LONGITUDE`. Returns nothing for any other value, and for a point that is not on the Earth. */
export function parseGeoPoint(value: unknown): GeoPoint | undefined {
  const [latitude, longitude] = (typeof value === 'string' ? geoPointPattern.exec(value) : null)?.slice(1) ?? [];
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : undefined;
}

/** Tests whether a point lies in an area. A point on the edge does. */
export type Area = (point: GeoPoint) => boolean;

/** The areas that filters and rules name, by the ids of their locations. */
export type Areas = ReadonlyMap<string, Area>;

export const noAreas: Areas = new Map();
