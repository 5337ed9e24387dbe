import { type Area, type Areas, noAreas } from '../../core/geo-point.ts';
import type { Reading } from '../../http/context.ts';
import { KeptValues, readKeptFamily } from '../../table/kept-families.ts';
import { read } from '../../table/read.ts';
import { location } from './location.ts';
import type { LocationShape } from './shape.ts';

/** Containers keep the absence of a location, too. */
const keptShapes = new KeptValues<{ readonly outline?: LocationShape }>();

const compiled = new WeakMap<LocationShape, Area>();

/** Compiles a shape once. Loads the geometry with the first shape, because most checkouts never need it. */
async function areaOf(shape: LocationShape): Promise<Area> {
  const known = compiled.get(shape);
  if (known) return known;
  const { compileArea } = await import('./area.ts');
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
