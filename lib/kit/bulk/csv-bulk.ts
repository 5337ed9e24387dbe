import * as v from 'valibot';
import { isRecord } from '../../core/is-record.ts';
import { describeIssues } from '../../core/issues.ts';
import { array, maxNameLength, text } from '../../core/schema.ts';
import { unmarked } from '../exports/csv-line.ts';
import type { ActionType } from '../jobs/action.ts';
import { type BulkOf, bulk, maxRows, type RowWriting } from './bulk.ts';
import { type Line, maxColumns, readCsv } from './csv.ts';
import { parsed, refused } from './csv-cells.ts';
import { columnsOf, type Place } from './csv-columns.ts';

/** A file as it is kept: the names of its columns once, however many rows have them. */
const table = v.object({
  columns: array(text, maxColumns),
  rows: array(array(text, maxColumns), maxRows, 'rows'),
  /** Whose the rows are, where the path says it. */
  owner_id: v.optional(text),
});

type Table = v.InferOutput<typeof table>;

interface Row {
  /** What each cell says: a field, by its path, or metadata. */
  readonly places: readonly Place[];
  readonly cells: readonly string[];
}

interface Described<S extends v.GenericSchema> {
  readonly type: ActionType;
  /** The fields of columns by their titles. Any other column is metadata. */
  readonly columns: Readonly<Record<string, string>>;
  /** Titles that exports write and that say nothing to an import, for they follow from other things. */
  readonly derived?: readonly string[];
  /** Fields of which the file must have one, and each row a value. */
  readonly needs: readonly string[];
  readonly mayHaveSpaces: boolean;
  /** Of fields that are no texts. */
  readonly values?: Readonly<Record<string, (cell: string, field: string) => unknown>>;
  readonly body: S;
  /** What a failed row is named by. */
  readonly named?: 'code' | 'source_id';
  /** Fields that name something which rows change together: the first that the row has. */
  readonly shared?: readonly string[];
  readonly run: (context: RowWriting, body: v.InferOutput<S>, ownerId: string | undefined) => Promise<unknown>;
  /** As `bulk` has them. */
  readonly together?: {
    readonly most: number;
    readonly run: (
      context: RowWriting,
      bodies: readonly v.InferOutput<S>[],
      ownerId: string | undefined,
    ) => Promise<unknown>;
  };
  readonly isSequence?: boolean;
}

export interface CsvBulk extends BulkOf<typeof table> {
  /** The rows of a file. 400 names every column and line that has not the shape. */
  readonly read: (file: string) => Table;
  /** Tells what is wrong with a header. */
  readonly faultsOf: (line: number, titles: readonly string[]) => string[];
}

/** Tells what is wrong with the length of a row. */
export function faultOfRow({ number, cells }: Line, columns: number): string | undefined {
  if (cells.length < columns) return `line ${number}, column ${cells.length + 1} is missing`;
  return cells.length > columns ? `line ${number}, column ${columns + 1} is not in the header` : undefined;
}

/** Fields by the names of columns that are called like them. */
export function columnsCalled(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** Of metadata; any other cell is text. */
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** One call for each row of a CSV file. */
export function csvBulk<S extends v.GenericSchema>(described: Described<S>): CsvBulk {
  const { type, columns, derived = [], needs, mayHaveSpaces, values = {}, body, named = 'source_id' } = described;
  const { run, together } = described;
  const { placeOf, faultsOf } = columnsOf({ columns, derived, needs, mayHaveSpaces });

  function read(file: string): Table {
    let header: readonly string[] | undefined;
    const rows: string[][] = [];
    const faults: string[] = [];
    for (const line of readCsv(file)) {
      const { number, cells } = line;
      if (header === undefined) {
        header = cells;
        faults.push(...faultsOf(number, header));
        continue;
      }
      if (rows.length === maxRows) throw refused(`the file must have at most ${maxRows} rows`);
      rows.push([...cells]);
      const fault = faultOfRow(line, header.length);
      if (fault) faults.push(fault);
    }
    if (header === undefined) throw refused('line 1, column 1 is missing: the file must have a header');
    if (faults.length > 0) throw refused(...faults);
    return { columns: [...header], rows };
  }

  function bodyOf({ places, cells }: Row): v.InferOutput<S> {
    const metadata: [string, unknown][] = [];
    const fields: Record<string, unknown> = {};
    for (const [index, { field, metadata: key }] of places.entries()) {
      const cell = unmarked(cells[index] ?? '');
      if (key !== undefined && cell !== '') metadata.push([key, Object.hasOwn(words, cell) ? words[cell] : cell]);
      if (field === undefined) continue;
      const [outer = field, inner] = field.split('.');
      const value = cell === '' ? null : field === 'metadata' ? parsed(cell) : (values[field]?.(cell, field) ?? cell);
      if (inner === undefined) fields[outer] = value;
      else if (value !== null) fields[outer] = { ...Object(fields[outer]), [inner]: value };
    }
    const { metadata: whole, ...others } = fields;
    if (metadata.length > 0 && (isRecord(whole) || !whole)) {
      others.metadata = { ...Object(whole), ...Object.fromEntries(metadata) };
    } else if (whole) others.metadata = whole;
    if (!needs.some((field) => others[field])) throw refused(`${needs.join(' or ')} is required`);
    const checked = v.safeParse(body, others);
    if (!checked.success) throw refused(...describeIssues(checked.issues, 'the row'));
    return checked.output;
  }

  /** No longer than a name may be, so that a row that fails for that can be named. */
  const nameIn = ({ places, cells }: Row, field: string) =>
    unmarked(cells[places.findIndex((place) => place.field === field)] ?? '')
      .slice(0, maxNameLength)
      .toWellFormed();

  const rowByRow = bulk({
    type,
    body: table,
    rows: ({ columns: names, rows }): Row[] => {
      const places = names.map(placeOf);
      return rows.map((cells) => ({ places, cells }));
    },
    subject: (row) => nameIn(row, named) || nameIn(row, 'id') || undefined,
    shared: (row) => described.shared?.map((field) => nameIn(row, field)).find(Boolean),
    named,
    isSequence: described.isSequence ?? false,
    noted: ({ columns: titles }) => {
      const metadata_columns = titles.filter((title) => placeOf(title).metadata !== undefined);
      return metadata_columns.length > 0 ? { metadata_columns } : {};
    },
    run: async (context, row, { owner_id }) => run(context, bodyOf(row), owner_id),
    ...(together
      ? {
          together: {
            most: together.most,
            run: async (context: RowWriting, rows: readonly Row[], { owner_id }: Table) =>
              together.run(context, rows.map(bodyOf), owner_id),
          },
        }
      : {}),
  });
  return { ...rowByRow, read, faultsOf };
}
