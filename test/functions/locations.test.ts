import { describe, expect, test } from 'vitest';
import { handler as getLocation } from '../../functions/locations/get-location.ts';
import { handler as listLocations } from '../../functions/locations/list-locations.ts';
import { caller } from '../support/call.ts';
import { exported } from '../support/exported.ts';
import { faultsOf, loadProject, projectFile } from '../support/project.ts';

const circle = (center = 'geo:60.3971,5.3244', radius = '1.54 km') => ({
  type: 'circle',
  format: 'distance',
  distance: { center, radius },
});
type Ring = readonly (readonly number[])[];
const polygon = (...coordinates: Ring[]) => ({
  type: 'polygon',
  format: 'geojson',
  geojson: { type: 'Polygon', coordinates },
});
const polygons = (...coordinates: Ring[][]) => ({
  type: 'polygon',
  format: 'geojson',
  geojson: { type: 'MultiPolygon', coordinates },
});
const square = (west: number, south: number, size: number): Ring => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const place = (id: string, shape: object, day = 1) => ({
  ...{ id, name: `Place ${id}`, shape },
  created_at: `2026-05-0${day}T00:00:00.000Z`,
});

const places = [
  place('loc_round', circle(), 1),
  place('loc_holed', polygon(square(0, 0, 10), square(2, 2, 3)), 2),
  place('loc_across', polygons([square(179, 0, 1)], [square(-180, 0, 1)]), 3),
];

test('locations of a project file are read, listed in any order, and exported', async () => {
  const { id, credentials: headers } = await loadProject({ locations: places });
  for (const one of places) {
    const { status, body } = await caller(getLocation)({ headers, params: { locationId: one.id } });
    expect([status, body]).toEqual([200, { ...one, updated_at: null, object: 'location' }]);
  }
  const list = async (query: string) => (await caller(listLocations)({ headers, query })).body;
  const newest = await list('');
  expect(newest).toMatchObject({ object: 'list', data_ref: 'data', total: 3, has_more: false });
  const idsIn = ({ data }: { data: { id: string }[] }) => data.map((one) => one.id);
  expect(idsIn(newest)).toEqual(['loc_across', 'loc_holed', 'loc_round']);
  expect(idsIn(await list('order=created_at&limit=2'))).toEqual(['loc_round', 'loc_holed']);
  expect(idsIn(await list('order=updated_at'))).toHaveLength(3);
  expect(idsIn(await list('end_date=2026-05-02'))).toEqual(['loc_holed', 'loc_round']);
  expect(idsIn(await list('filters[name][conditions][$is]=Place loc_round'))).toEqual(['loc_round']);
  expect(idsIn(await list('filters[created_at][conditions][$after]=2026-05-02T00:00:00Z'))).toEqual(['loc_across']);
  const { locations } = await exported(id);
  expect(locations).toEqual(expect.arrayContaining(places.map((one) => expect.objectContaining(one))));
});

test('a missing location is 404', async () => {
  const { credentials: headers } = await loadProject();
  expect((await caller(getLocation)({ headers, params: { locationId: 'loc_none' } })).body).toMatchObject({
    ...{ code: 404, key: 'not_found', resource_id: 'loc_none', resource_type: 'location' },
  });
});

describe('a project file is refused, with the place of each fault, if a location has', () => {
  const bow: Ring = [
    [0, 0],
    [2, 2],
    [2, 0],
    [0, 2],
    [0, 0],
  ];
  const wave: Ring = [...Array.from({ length: 1_001 }, (_, index) => [index / 10, index % 2]), [0, 0]];
  const at = 'locations[0].shape.geojson.coordinates';

  test.each<[string, object, string[]]>([
    ['a center that is no place', circle('60.3,5.3'), ['shape.distance.center must be geo:LATITUDE,LONGITUDE']],
    ['a center beyond the pole', circle('geo:90.1,5'), ['latitude from -90 to 90']],
    ['a center beyond the antimeridian', circle('geo:9,180.5'), ['longitude from -180 to 180']],
    ['a radius without a unit', circle('geo:1,1', '1.54'), ['shape.distance.radius must be a number and km, m or mi']],
    ['no radius', circle('geo:1,1', '0.0 km'), ['shape.distance.radius must be above 0']],
    ['an open ring', polygon(square(0, 0, 1).slice(0, 4)), [`${at}[0] must end with its first position`]],
    ['a ring of three positions', polygon(square(0, 0, 1).slice(0, 3)), [`${at}[0] must have at least 4 positions`]],
    ['a ring that crosses itself', polygon(bow), [`${at} must not cross itself, and does at 1,1`]],
    ['a hole that crosses the edge', polygon(square(0, 0, 4), square(3, 1, 2)), ['must not cross itself']],
    ['a second polygon that crosses itself', polygons([square(5, 5, 1)], [bow]), [`${at}[1] must not cross itself`]],
    ['no ring', polygon(), [`${at} must have at least one ring`]],
    ['no polygon', polygons(), [`${at} must have at least one polygon`]],
    ['too many positions', polygon(wave), ['must have at most 1000 positions']],
    ['latitude and longitude the wrong way round', polygon(square(10, 95, 1)), [`${at}[0][0][1] must be a latitude`]],
    ['a position of three numbers', polygon([[1, 2, 3]]), [`${at}[0][0]`]],
    ['an unknown shape', { type: 'star' }, ['locations[0].shape.type']],
  ])('%s', async (_, shape, words) => {
    const faults = (await faultsOf(projectFile({ locations: [place('loc_1', shape)] }))).join('; ');
    for (const word of words) expect(faults).toContain(word);
  });
});

test('a polygon may cross the antimeridian, and faults of its rings are named', async () => {
  const faultsIn = (shape: object) => faultsOf(projectFile({ locations: [place('loc_1', shape)] }));
  const across: Ring = [
    [170, 0],
    [-170, 0],
    [-170, 5],
    [170, 5],
    [170, 0],
  ];
  expect(await faultsIn(polygon(across))).toEqual([]);
  const around: Ring = [
    [0, 0],
    [120, 0],
    [-120, 0],
    [0, 0],
  ];
  const line: Ring = [
    [0, 0],
    [1, 1],
    [2, 2],
    [0, 0],
  ];
  const cases: [object, string][] = [
    [polygon(around), 'coordinates[0] must not go around the Earth'],
    [polygon(line), 'coordinates[0] must enclose an area'],
    [polygon([1, 1, 1, 1].map(() => [3, 3])), 'coordinates[0] must enclose an area'],
    [polygon(square(0, 0, 2), square(5, 5, 1)), 'coordinates[1] must be a hole inside of the first ring'],
  ];
  for (const [shape, words] of cases) expect((await faultsIn(shape)).join('; ')).toContain(words);
});
