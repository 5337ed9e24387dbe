import * as v from 'valibot';
import { isRecord } from '../../core/is-record.ts';
import { describeIssues } from '../../core/issues.ts';
import type { MetadataResource } from '../../core/metadata/definition.ts';
import { array, maxNameLength, text } from '../../core/schema.ts';
import { findUnstorable } from '../../core/storable.ts';
import { unmarkCell } from '../exports/csv-line.ts';
import type { ActionType } from '../jobs/action.ts';
import { type BulkOf, bulk, maxRows, type RowWriting } from './bulk.ts';
import { type CsvLine, maxColumns, readCsv } from './csv.ts';
import { csvError, parseJson } from './csv-cells.ts';
import { compileColumns, type Place } from './csv-columns.ts';
import { readMetadataCell } from './metadata-cell.ts';

/** A stored file. It has the names of its columns once, for any number of rows. */
const table = v.object({
  columns: array(text, maxColumns),
  rows: array(array(text, maxColumns), maxRows, 'rows'),
  /** The owner of the rows, if the path names it. */
  owner_id: v.optional(text),
});

type Table = v.InferOutput<typeof table>;

interface Row {
  /** The meaning of each cell: a field, by its path, or metadata. */
  readonly places: readonly Place[];
  readonly cells: readonly string[];
}

interface Described<S extends v.GenericSchema> {
  readonly type: ActionType;
  /** The fields of columns by their titles. Any other column is metadata. */
  readonly columns: Readonly<Record<string, string>>;
  /** Titles of exports that an import ignores, because they follow from other data. */
  readonly derived?: readonly string[];
  /** Fields of which the file must have one, with a value in each row. */
  readonly needs: readonly string[];
  readonly mayHaveSpaces: boolean;
  /** Parsers of fields that are not text. */
  readonly values?: Readonly<Record<string, (cell: string, field: string) => unknown>>;
  readonly body: S;
  /** The schemas that may declare the types of metadata. */
  readonly schemas: readonly MetadataResource[];
  /** The field that names a failed row. */
  readonly named?: 'code' | 'source_id';
  /** Fields that name a resource which several rows change. The first that the row has counts. */
  readonly shared?: readonly string[];
  readonly run: (context: RowWriting, body: v.InferOutput<S>, ownerId: string | undefined) => Promise<unknown>;
  /** Runs rows, like `bulk`. */
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
  /** Parses a file. 400 names every column and line with a fault. */
  readonly read: (file: string) => Table;
  /** Returns the faults of a header. */
  readonly faultsOf: (line: number, titles: readonly string[]) => string[];
}

/** Returns the fault of a row's length. */
export function findRowFault({ number, cells }: CsvLine, columns: number): string | undefined {
  if (cells.length < columns) return `line ${number}, column ${cells.length + 1} is missing`;
  return cells.length > columns ? `line ${number}, column ${columns + 1} is not in the header` : undefined;
}

/** Maps columns to fields of the same name. */
export function nameColumns(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** Describes a use case for each row of a CSV file. */
export function csvBulk<S extends v.GenericSchema>(described: Described<S>): CsvBulk {
  const {
    type,
    columns,
    derived = [],
    needs,
    mayHaveSpaces,
    values = {},
    body,
    schemas,
    named = 'source_id',
  } = described;
  const { run, together } = described;
  const { placeOf, faultsOf } = compileColumns({ columns, derived, needs, mayHaveSpaces });

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
      if (rows.length === maxRows) throw csvError(`the file must have at most ${maxRows} rows`);
      rows.push([...cells]);
      const fault = findRowFault(line, header.length);
      if (fault) faults.push(fault);
    }
    if (header === undefined) throw csvError('line 1, column 1 is missing: the file must have a header');
    if (faults.length > 0) throw csvError(...faults);
    return { columns: [...header], rows };
  }

  function bodyOf(context: RowWriting, { places, cells }: Row): v.InferOutput<S> {
    const metadata: [string, unknown][] = [];
    const fields: Record<string, unknown> = {};
    for (const [index, { field, metadata: key }] of places.entries()) {
      const cell = unmarkCell(cells[index] ?? '');
      if (key !== undefined && cell !== '') metadata.push([key, readMetadataCell(context, schemas, key, cell)]);
      if (field === undefined) continue;
      const [outer = field, inner] = field.split('.');
      const value =
        cell === '' ? null : field === 'metadata' ? parseJson(cell) : (values[field]?.(cell, field) ?? cell);
      if (inner === undefined) fields[outer] = value;
      else if (value !== null) fields[outer] = { ...Object(fields[outer]), [inner]: value };
    }
    const { metadata: whole, ...others } = fields;
    if (metadata.length > 0 && (isRecord(whole) || !whole)) {
      others.metadata = { ...Object(whole), ...Object.fromEntries(metadata) };
    } else if (whole) others.metadata = whole;
    if (!needs.some((field) => others[field])) throw csvError(`${needs.join(' or ')} is required`);
    const checked = v.safeParse(body, others);
    if (!checked.success) throw csvError(...describeIssues(checked.issues, 'the row'));
    const faults = [...findUnstorable(checked.output)];
    if (faults.length > 0) throw csvError(...faults);
    return checked.output;
  }

  /** Returns a cell's name, cut to the length of a name, so that a row with a too long name can be named. */
  const nameIn = ({ places, cells }: Row, field: string) =>
    unmarkCell(cells[places.findIndex((place) => place.field === field)] ?? '')
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
    run: async (context, row, { owner_id }) => run(context, bodyOf(context, row), owner_id),
    ...(together
      ? {
          together: {
            most: together.most,
            run: async (context: RowWriting, rows: readonly Row[], { owner_id }: Table) =>
              together.run(
                context,
                rows.map((row) => bodyOf(context, row)),
                owner_id,
              ),
          },
        }
      : {}),
  });
  return { ...rowByRow, read, faultsOf };
}
