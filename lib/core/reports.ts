import * as v from 'valibot';

/** A question to the facts of one project. */
export interface ReportQuery {
  /** The name of the query, without its extension. */
  readonly name: string;
  readonly projectId: string;
  /** The days of facts in UTC that the query reads, both included. A table may have days of its own. */
  readonly days: {
    readonly all: { readonly from?: string; readonly to?: string };
    readonly [table: string]: { readonly from?: string; readonly to?: string };
  };
  /** Values by the names of the query's parameters. */
  readonly parameters: Readonly<Record<string, string | bigint | null>>;
}

export const reportRow = v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()])));

export type ReportRow = Readonly<v.InferOutput<typeof reportRow>>;

/** Answers reports from facts. A machine has an embedded engine. */
export interface ReportEngine {
  /** Limits the time that a request waits for rows. The default is a second. */
  readonly patienceInMs?: number;
  /** Returns the rows of a query. A query that its caller aborts ends with an error, and frees the engine. */
  readonly query: (query: ReportQuery, signal?: AbortSignal) => Promise<ReportRow[]>;
  /** Returns the rows of a query, and the same rows as a Parquet file. */
  readonly queryWithFile: (query: ReportQuery) => Promise<{ rows: ReportRow[]; parquet: Uint8Array }>;
}
