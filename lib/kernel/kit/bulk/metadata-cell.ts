import type { Definition, MetadataResource } from '#kernel/core/metadata/definition.ts';
import { readCell } from '#kernel/core/metadata/values.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type CellForm, readLocalDay, readNumberCell, readTruth } from './cell-form.ts';
import { checkWhole, parseJson, parseList } from './csv-cells.ts';

/** Values of metadata cells with these words. Any other cell without a declared type is text. */
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

function readOne({ type }: Definition, cell: string, form: CellForm): unknown {
  if (type === 'number') return readCell(type, readNumberCell(cell, form));
  if (type === 'boolean') return readTruth(cell, form) ?? cell;
  return type === 'date' ? readLocalDay(cell, form) : readCell(type, cell);
}

function readDeclared(definition: Definition, cell: string, form: CellForm): unknown {
  const { type, array } = definition;
  if (array) {
    const list = parseList(cell);
    return Array.isArray(list)
      ? list.map((one) => (typeof one === 'string' ? readOne(definition, one, form) : one))
      : list;
  }
  return type === 'object' || (type === 'geopoint' && cell.startsWith('{'))
    ? parseJson(cell)
    : readOne(definition, cell, form);
}

/** Spreadsheets write truth values in capitals, so that another text of these letters stays a text. */
function readWord(cell: string, form: CellForm): unknown {
  if (Object.hasOwn(words, cell)) return words[cell];
  return cell === cell.toUpperCase() ? (readTruth(cell, form) ?? cell) : cell;
}

/** Reads a cell of metadata. The first schema that defines the key decides the type. */
export function readMetadataCell(
  { project: { schemas } }: Pick<Reading, 'project'>,
  resources: readonly MetadataResource[],
  { key, cell, form }: { key: string; cell: string; form: CellForm },
): unknown {
  const [definition] = resources.flatMap((name) => schemas(name)?.definitions.get(key) ?? []);
  if (definition && cell !== 'null') {
    if (definition.type === 'string') checkWhole(`metadata.${key}`, cell);
    return readDeclared(definition, cell, form);
  }
  checkWhole(`metadata.${key}`, cell);
  return readWord(cell, form);
}
