import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileArea } from '#engine/catalogue/locations/area.ts';
import type { LocationShape } from '#engine/catalogue/locations/shape.ts';
import { parseGeoPoint } from '#kernel/core/geo-point.ts';

type Ring = [number, number][];

const rectangle = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...coordinates: Ring[]): LocationShape => ({
  type: 'polygon',
  format: 'geojson',
  geojson: { type: 'Polygon', coordinates },
});
const polygons = (...coordinates: Ring[][]): LocationShape => ({
  type: 'polygon',
  format: 'geojson',
  geojson: { type: 'MultiPolygon', coordinates },
});
const circle = (center: string, radius: string): LocationShape => ({
  type: 'circle',
  format: 'distance',
  distance: { center, radius },
});

const holed = polygon(rectangle(0, 0, 10, 10), rectangle(4, 4, 6, 6));
const cut = polygons([rectangle(170, -10, 180, 10)], [rectangle(-180, -10, -170, 10)]);
const across = polygon(rectangle(170, -10, -170, 10), rectangle(179, -1, -179, 1));

describe('a point lies in', () => {
  test.each<[string, LocationShape, string, boolean]>([
    ['a polygon', holed, 'geo:2,2', true],
    ['its edge', holed, 'geo:0,5', true],
    ['its corner', holed, 'geo:10,10', true],
    ['its hole', holed, 'geo:5,5', false],
    ['the edge of its hole', holed, 'geo:4,5', true],
    ['what is beside it', holed, 'geo:5,10.0001', false],
    ['the first of two polygons', cut, 'geo:0,175', true],
    ['the second of two polygons', cut, 'geo:0,-175', true],
    ['their common edge at 180', cut, 'geo:0,180', true],
    ['their common edge at -180', cut, 'geo:0,-180', true],
    ['neither of two polygons', cut, 'geo:0,0', false],
    ['the west of a polygon across the antimeridian', across, 'geo:5,171', true],
    ['its east', across, 'geo:5,-171', true],
    ['its hole across the antimeridian', across, 'geo:0,179.5', false],
    ['its hole on the other side', across, 'geo:0,-179.5', false],
    ['the rest of the world', across, 'geo:5,0', false],
    ['a circle', circle('geo:60,5', '1 km'), 'geo:60.008,5', true],
    ['what is beyond a circle', circle('geo:60,5', '1 km'), 'geo:60.01,5', false],
    ['a circle across the antimeridian', circle('geo:0,179.999', '1 km'), 'geo:0,-179.999', true],
    ['a circle around a pole', circle('geo:90,0', '100 km'), 'geo:89.5,-120', true],
    ['a circle in miles', circle('geo:0,0', '69 mi'), 'geo:0,0.99', true],
    ['a circle of meters', circle('geo:0,0', '100 m'), 'geo:0,0.0009', false],
  ])('%s', (_, shape, point, expected) => {
    const found = parseGeoPoint(point);
    expect(found && compileArea(shape)(found)).toBe(expected);
  });

  test('a rectangle exactly if both its coordinates do, wherever the rectangle is', () => {
    const tenths = (from: number, to: number) => fc.integer({ min: from * 10, max: to * 10 }).map((one) => one / 10);
    const shift = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180;
    fc.assert(
      fc.property(
        tenths(-180, 179),
        tenths(1, 170),
        tenths(-180, 179),
        tenths(-80, 80),
        (west, width, at, latitude) => {
          const area = compileArea(polygon(rectangle(shift(west), -40, shift(west + width), 40)));
          const turned = (((at - west) % 360) + 360) % 360;
          const isAtEdge = Math.min(turned, 360 - turned, Math.abs(turned - width)) < 0.05;
          if (isAtEdge) return;
          expect(area({ latitude, longitude: at })).toBe(turned < width && Math.abs(latitude) <= 40);
        },
      ),
      { seed: 20_261_126 },
    );
  });
});

test.each(['60,5', 'geo:60', 'geo:91,0', 'geo:0,181', 'geo: 1,1', 'geo:1,1;u=5', 60, null, undefined, ['geo:1,1']])(
  '%j is no point',
  (value) => {
    expect(parseGeoPoint(value)).toBeUndefined();
  },
);
