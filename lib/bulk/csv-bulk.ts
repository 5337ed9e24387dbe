import * as v from 'valibot';
import type { Writing } from '../context.ts';
import { detailsOf, ServiceError } from '../errors.ts';
import { describeIssues } from '../issues.ts';
import type { ActionType } from '../jobs/action.ts';
import { array, maxNameLength, text } from '../schema.ts';
import { type BulkOf, bulk, maxRows } from './bulk.ts';
import { readCsv } from './csv.ts';

const maxColumns = 500;

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

interface Place {
  readonly metadata?: string;
  readonly field: string;
}

interface Described<S extends v.GenericSchema> {
  readonly type: ActionType;
  /** The field that a column is of, by its name in small letters; any other column is metadata. */
  readonly columns: Readonly<Record<string, string>>;
  /** Fields of which the file must have one, and each row a value. */
  readonly needs: readonly string[];
  readonly mayHaveSpaces: boolean;
  /** Of fields that are no texts. */
  readonly values?: Readonly<Record<string, (cell: string, field: string) => unknown>>;
  readonly body: S;
  /** What a failed row is named by. */
  readonly named?: 'code' | 'source_id';
  readonly run: (context: Writing, body: v.InferOutput<S>, ownerId: string | undefined) => Promise<unknown>;
  /** As `bulk` has them. */
  readonly together?: {
    readonly most: number;
    readonly run: (
      context: Writing,
      bodies: readonly v.InferOutput<S>[],
      ownerId: string | undefined,
    ) => Promise<unknown>;
  };
  readonly isSequence?: boolean;
}

export interface CsvBulk extends BulkOf<typeof table> {
  /** The rows of a file. 400 names every column and line that has not the shape. */
  readonly read: (file: string) => Table;
}

/** What is wrong with a file or a row of it. */
export function refused(...faults: string[]): ServiceError {
  return new ServiceError('invalid_payload', { details: detailsOf(faults) });
}

/** Fields by the names of columns that are called like them. */
export function columnsCalled(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]));
}

/** Amounts in a file are in major units, in the API in minor ones. */
export function minorUnits(cell: string, field: string): number {
  const [, major = '', minor = ''] = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(cell) ?? [];
  if (major === '') throw refused(`${field} must be in major units with up to 2 decimals, such as 12.50`);
  return Number(major + minor.padEnd(2, '0'));
}

/** Of metadata; any other cell is text. */
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** One call for each row of a CSV file. */
export function csvBulk<S extends v.GenericSchema>(described: Described<S>): CsvBulk {
  const { type, columns, needs, mayHaveSpaces, values = {}, body, named = 'source_id', run, together } = described;

  function placeOf(name: string): Place {
    const known = name.toLowerCase();
    return Object.hasOwn(columns, known) ? { field: columns[known] ?? known } : { field: '', metadata: name };
  }

  function faultsOfHeader(line: number, names: readonly string[]): string[] {
    const keys = names.map((name) => JSON.stringify(placeOf(name)));
    const firsts = new Map(keys.map((key, index) => [key, index] as const).reverse());
    return names.flatMap((name, index) => {
      const column = `line ${line}, column ${index + 1}`;
      const first = firsts.get(keys[index] ?? '') ?? index;
      return [
        ...(name === '' ? [`${column} must have a name`] : []),
        ...(name.length > maxNameLength ? [`${column} must have a name of at most ${maxNameLength} characters`] : []),
        ...(name === '__proto__' ? [`${column} must not be named __proto__`] : []),
        ...(!mayHaveSpaces && /\s/.test(name) ? [`${column} must not have a space in its name`] : []),
        ...(first < index ? [`${column} is the same as column ${first + 1}`] : []),
      ];
    });
  }

  function read(file: string): Table {
    let header: readonly string[] | undefined;
    const rows: string[][] = [];
    const faults: string[] = [];
    for (const { number, cells } of readCsv(file)) {
      if (header === undefined) {
        header = cells;
        if (header.length > maxColumns) throw refused(`line ${number} must have at most ${maxColumns} columns`);
        faults.push(...faultsOfHeader(number, header));
        if (!header.some((name) => needs.includes(placeOf(name).field))) {
          faults.push(`line ${number} must have a column ${needs.join(' or ')}`);
        }
        continue;
      }
      if (rows.length === maxRows) throw refused(`the file must have at most ${maxRows} rows`);
      rows.push([...cells]);
      const [wanted, given] = [header.length, cells.length];
      if (given < wanted) faults.push(`line ${number}, column ${given + 1} is missing`);
      if (given > wanted) faults.push(`line ${number}, column ${wanted + 1} is not in the header`);
    }
    if (header === undefined) throw refused('line 1, column 1 is missing: the file must have a header');
    if (faults.length > 0) throw refused(...faults);
    return { columns: [...header], rows };
  }

  function bodyOf({ places, cells }: Row): v.InferOutput<S> {
    const metadata: [string, unknown][] = [];
    const fields: Record<string, unknown> = {};
    for (const [index, { field, metadata: name }] of places.entries()) {
      const cell = cells[index] ?? '';
      const [outer = field, inner] = field.split('.');
      const value = cell === '' ? null : (values[field]?.(cell, field) ?? cell);
      if (name !== undefined) {
        if (cell !== '') metadata.push([name, Object.hasOwn(words, cell) ? words[cell] : cell]);
      } else if (inner === undefined) fields[outer] = value;
      else if (value !== null) fields[outer] = { ...Object(fields[outer]), [inner]: value };
    }
    if (!needs.some((field) => fields[field])) throw refused(`${needs.join(' or ')} is required`);
    const sent = { ...fields, ...(metadata.length > 0 ? { metadata: Object.fromEntries(metadata) } : {}) };
    const checked = v.safeParse(body, sent);
    if (!checked.success) throw refused(...describeIssues(checked.issues, 'the row'));
    return checked.output;
  }

  /** No longer than a name may be, so that a row that fails for that can be named. */
  const nameIn = ({ places, cells }: Row, field: string) =>
    cells[places.findIndex((place) => place.field === field)]?.slice(0, maxNameLength).toWellFormed();

  const rowByRow = bulk({
    type,
    body: table,
    rows: ({ columns: names, rows }): Row[] => {
      const places = names.map(placeOf);
      return rows.map((cells) => ({ places, cells }));
    },
    subject: (row) => nameIn(row, named) || nameIn(row, 'id') || undefined,
    named,
    isSequence: described.isSequence ?? false,
    run: async (context, row, { owner_id }) => run(context, bodyOf(row), owner_id),
    ...(together
      ? {
          together: {
            most: together.most,
            run: async (context: Writing, rows: readonly Row[], { owner_id }: Table) =>
              together.run(context, rows.map(bodyOf), owner_id),
          },
        }
      : {}),
  });
  return { ...rowByRow, read };
}
