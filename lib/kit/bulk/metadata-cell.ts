import type { Definition, MetadataResource } from '../../core/metadata/definition.ts';
import { readCell } from '../../core/metadata/values.ts';
import type { Reading } from '../../http/context.ts';
import { parseJson, parseList } from './csv-cells.ts';

/** Values of metadata cells with these words. Any other cell without a declared type is text. */
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

function readDeclared({ type, array }: Definition, cell: string): unknown {
  if (array) {
    const list = parseList(cell);
    return Array.isArray(list) ? list.map((one) => (typeof one === 'string' ? readCell(type, one) : one)) : list;
  }
  return type === 'object' || (type === 'geopoint' && cell.startsWith('{')) ? parseJson(cell) : readCell(type, cell);
}

/** Reads a cell of metadata. The first schema that defines the key decides the type. */
export function readMetadataCell(
  { project: { schemas } }: Pick<Reading, 'project'>,
  resources: readonly MetadataResource[],
  key: string,
  cell: string,
): unknown {
  const [definition] = resources.flatMap((name) => schemas(name)?.definitions.get(key) ?? []);
  if (definition && cell !== 'null') return readDeclared(definition, cell);
  return Object.hasOwn(words, cell) ? words[cell] : cell;
}
