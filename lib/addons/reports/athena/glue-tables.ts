import { lineColumns } from '../facts/fact-lines.ts';
import { factAreas, sharedDay } from '../facts/fact-places.ts';
import { type FactColumn, factTableNames, factTables } from '../facts/fact-tables.ts';
import { athenaTypes, freshTable, packedTable } from './dialect.ts';

/** Describes the tables of facts as Glue catalogues them, from the same description as the docs and DuckDB. */

export interface GlueColumn {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

export interface GlueTable {
  readonly name: string;
  readonly format: 'parquet' | 'json';
  readonly columns: readonly GlueColumn[];
  readonly partitions: readonly GlueColumn[];
  /** The folder of the table in the bucket, with a slash at its end. */
  readonly folder: string;
  /** Settings by which Athena calculates partitions, so that none need to be added. */
  readonly projection: Readonly<Record<string, string>>;
}

function toColumns(columns: Readonly<Record<string, FactColumn>>): GlueColumn[] {
  return Object.entries(columns).map(([name, { type, words }]) => ({ name, type: athenaTypes[type], comment: words }));
}

const project = { name: 'project', type: athenaTypes.text, comment: 'The id of the project.' };
const day = { name: 'day', type: athenaTypes.text, comment: 'The day of the fact in UTC.' };

/** A query must name the project. The days begin with the partition of all odd days. */
const projection = {
  'projection.enabled': 'true',
  'projection.project.type': 'injected',
  'projection.day.type': 'date',
  'projection.day.format': 'yyyy-MM-dd',
  'projection.day.range': `${sharedDay},NOW+1DAYS`,
  'projection.day.interval': '1',
  'projection.day.interval.unit': 'DAYS',
};

/** Lines of JSON of all tables have the columns of all tables. Columns of one name have one type. */
function joinColumns(): GlueColumn[] {
  const joined = new Map<string, GlueColumn>();
  for (const table of factTableNames) {
    for (const column of toColumns(factTables[table])) {
      const known = joined.get(column.name);
      if (known && known.type !== column.type) throw new Error(`${column.name} has two types`);
      joined.set(column.name, { ...column, comment: `${known ? `${known.comment} ` : ''}${table}: ${column.comment}` });
    }
  }
  const [table, ...partition] = lineColumns;
  const own = [{ name: table, type: athenaTypes.text, comment: 'The table of the fact.' }];
  const others = [project, day].filter(({ name }) => partition.some((one) => one === name));
  // Glue accepts 255 characters of comment.
  return [...own, ...others, ...joined.values()].map((one) => ({ ...one, comment: one.comment.slice(0, 255) }));
}

export function listGlueTables(): GlueTable[] {
  const packed = factTableNames.map(
    (table): GlueTable => ({
      name: packedTable(table),
      format: 'parquet',
      columns: toColumns(factTables[table]),
      partitions: [project, day],
      folder: `${factAreas.packed}/${table}/`,
      projection,
    }),
  );
  const fresh: GlueTable = {
    name: freshTable,
    format: 'json',
    columns: joinColumns(),
    partitions: [],
    folder: `${factAreas.fresh}/`,
    projection: {},
  };
  return [...packed, fresh];
}
