type Position = readonly [longitude: number, latitude: number];

/** Returns the turn of 360 degrees that brings a longitude within 180 degrees of another. */
function nearest(longitude: number, to: number): number {
  return longitude + 360 * Math.round((to - longitude) / 360);
}

function unwrapRing(ring: readonly Position[], start: number): [number, number][] {
  let before = start;
  return ring.map(([longitude, latitude]) => {
    before = nearest(longitude, before);
    return [before, latitude];
  });
}

/**
 * Returns the rings of a polygon without a jump at the antimeridian: each edge follows the shorter way around the Earth. Longitudes may
 * exceed 180 degrees.
 */
export function unwrapRings(rings: readonly (readonly Position[])[]): [number, number][][] {
  const start = rings[0]?.[0]?.[0] ?? 0;
  return rings.map((ring) => unwrapRing(ring, start));
}
