import * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import { encodings } from '#kernel/core/files/encoding.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import type { MetadataResource } from '#kernel/core/metadata/definition.ts';
import { array, maxNameLength, text } from '#kernel/core/schema.ts';
import { findUnstorable } from '#kernel/core/storable.ts';
import { unmarkCell } from '../exports/csv-line.ts';
import type { ActionType } from '../jobs/action.ts';
import { type BulkOf, bulk, maxRows, type RowWriting } from './bulk.ts';
import type { CellForm } from './cell-form.ts';
import { type CsvLine, findBeginning, isBlank, maxColumns, readCsv, separators } from './csv.ts';
import { checkWhole, csvError, parseJson, type ReadCell } from './csv-cells.ts';
import { compileColumns, type Place } from './csv-columns.ts';
import { readMetadataCell } from './metadata-cell.ts';

/** A stored file. It has the names of its columns once, for any number of rows. */
const table = v.object({
  columns: array(text, maxColumns),
  rows: array(array(text, maxColumns), maxRows, 'rows'),
  /** The owner of the rows, if the path names it. */
  owner_id: v.optional(text),
  separator: v.optional(v.picklist(separators), ','),
  encoding: v.optional(v.picklist(encodings)),
});

export type CsvTable = v.InferOutput<typeof table>;

/** The context of a row's use case, with the form of amounts and dates in the file. */
export interface CsvWriting extends RowWriting {
  readonly form: CellForm;
  /** Stored metadata that the row clears: all keys, or the keys with empty cells. */
  readonly clears: { readonly metadata: boolean; readonly keys: ReadonlySet<string> };
}

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
  /** The file must have one of these fields, with a value in each row. */
  readonly needs: readonly string[];
  readonly mayHaveSpaces: boolean;
  /** Parsers of fields that are not text. */
  readonly values?: Readonly<Record<string, ReadCell>>;
  readonly body: S;
  /** Fields whose parts have separate columns, so that an empty cell clears a single part. */
  readonly clears?: readonly string[];
  /** A field whose values are different in each row. `fold` returns the same text for equal values. */
  readonly unique?: { readonly field: string; readonly fold: (project: Project, value: string) => string };
  /** The schemas that may declare the types of metadata. */
  readonly schemas: readonly MetadataResource[];
  /** The field that names a failed row. */
  readonly named?: 'code' | 'source_id';
  /** Fields that name a resource which several rows change. The first field in the row counts. */
  readonly shared?: readonly string[];
  /** Checks what the schema cannot check, without the table. */
  readonly check?: (context: CsvWriting, body: v.InferOutput<S>) => void;
  readonly run: (context: CsvWriting, body: v.InferOutput<S>, ownerId: string | undefined) => Promise<unknown>;
  /** Runs rows, like `bulk`. */
  readonly together?: {
    readonly most: number;
    readonly run: (
      context: CsvWriting,
      bodies: readonly v.InferOutput<S>[],
      ownerId: string | undefined,
    ) => Promise<unknown>;
  };
  readonly isSequence?: boolean;
}

export interface CsvBulk extends BulkOf<typeof table> {
  /** Parses a file. 400 names every column and line with a fault. */
  readonly read: (file: string) => CsvTable;
  /** Returns the faults of a header. */
  readonly faultsOf: (line: number, titles: readonly string[]) => string[];
  readonly placeOf: (title: string) => Place;
  /** Checks a row without the table. Throws the error with which it would fail. */
  readonly check: (context: RowWriting, sent: CsvTable, index: number) => void;
}

/** Returns the titles without the empty cells that spreadsheets write after the last column. */
export function trimHeader(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((title) => title.trim() !== '') + 1).map((title) => title.trim());
}

/** Returns the fault of a row's length. Empty cells after the last column are accepted. */
export function findRowFault({ number, cells }: CsvLine, columns: number): string | undefined {
  if (cells.length < columns) return `line ${number}, column ${cells.length + 1} is missing`;
  return isBlank(cells.slice(columns)) ? undefined : `line ${number}, column ${columns + 1} is not in the header`;
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
    clears = [],
    unique,
    body,
    schemas,
    named = 'source_id',
  } = described;
  const { run, together } = described;
  const { placeOf, faultsOf } = compileColumns({ columns, derived, needs, mayHaveSpaces });

  function read(file: string): CsvTable {
    let header: readonly string[] | undefined;
    const rows: string[][] = [];
    const faults: string[] = [];
    for (const line of readCsv(file)) {
      const { number, cells } = line;
      if (header === undefined) {
        header = trimHeader(cells);
        faults.push(...faultsOf(number, header));
        continue;
      }
      if (isBlank(cells)) continue;
      if (rows.length === maxRows) throw csvError(`the file must have at most ${maxRows} rows`);
      rows.push(cells.slice(0, header.length));
      const fault = findRowFault(line, header.length);
      if (fault) faults.push(fault);
    }
    if (header === undefined) throw csvError('line 1, column 1 is missing: the file must have a header');
    if (faults.length > 0) throw csvError(...faults);
    return { columns: [...header], rows, separator: findBeginning(file).separator };
  }

  function readField(field: string, cell: string, form: CellForm): unknown {
    if (field === 'metadata') return parseJson(cell);
    const read = values[field];
    if (read) return read(cell, field, form);
    checkWhole(field, cell);
    return cell;
  }

  function bodyOf(context: CsvWriting, { places, cells }: Row): v.InferOutput<S> {
    const metadata: [string, unknown][] = [];
    const fields: Record<string, unknown> = {};
    for (const [index, { field, metadata: key }] of places.entries()) {
      const cell = unmarkCell(cells[index] ?? '');
      if (key !== undefined && cell !== '') {
        metadata.push([key, readMetadataCell(context, schemas, { key, cell, form: context.form })]);
      }
      if (field === undefined) continue;
      const [outer = field, inner] = field.split('.');
      const value = cell === '' ? null : readField(field, cell, context.form);
      if (inner === undefined) fields[outer] = value;
      else if (value !== null || clears.includes(outer)) fields[outer] = { ...Object(fields[outer]), [inner]: value };
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

  /** Returns the stored metadata that the row clears: all keys, or the keys with empty cells. */
  function clearedBy({ places, cells }: Row): CsvWriting['clears'] {
    const keys = places.flatMap(({ metadata: key }, index) =>
      key !== undefined && !unmarkCell(cells[index] ?? '') ? [key] : [],
    );
    return { metadata: places.some(({ field }) => field === 'metadata'), keys: new Set(keys) };
  }

  function writingOf(context: RowWriting, { separator }: CsvTable, row?: Row): CsvWriting {
    const { project, now } = context;
    const form = { separator, zone: now, decimals: project.decimals };
    return { ...context, form, clears: row ? clearedBy(row) : { metadata: false, keys: new Set() } };
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
    isCounted: true,
    noted: ({ columns: titles, encoding }) => {
      const metadata_columns = titles.filter((title) => placeOf(title).metadata !== undefined);
      return {
        ...(metadata_columns.length > 0 ? { metadata_columns } : {}),
        ...(encoding && encoding !== 'utf-8' ? { encoding } : {}),
      };
    },
    ...(unique ? { unique: { named: (row: Row) => nameIn(row, unique.field), fold: unique.fold } } : {}),
    run: async (context, row, sent) => {
      const writing = writingOf(context, sent, row);
      return run(writing, bodyOf(writing, row), sent.owner_id);
    },
    ...(together
      ? {
          together: {
            most: together.most,
            run: async (context: RowWriting, rows: readonly Row[], sent: CsvTable) => {
              const writing = writingOf(context, sent);
              return together.run(
                writing,
                rows.map((row) => bodyOf(writing, row)),
                sent.owner_id,
              );
            },
          },
        }
      : {}),
  });
  return {
    ...rowByRow,
    ...{ read, faultsOf, placeOf },
    check: (context, sent, index) => {
      const row = { places: sent.columns.map(placeOf), cells: sent.rows[index] ?? [] };
      const writing = writingOf(context, sent, row);
      described.check?.(writing, bodyOf(writing, row));
    },
  };
}
