import * as v from 'valibot';

/** A question to the facts of one project. */
export interface ReportQuery {
  /** The name of the query, without its extension. */
  readonly name: string;
  readonly projectId: string;
  /** The days of facts in UTC that the query reads, both included. A table may have different days. */
  readonly days: {
    readonly all: { readonly from?: string; readonly to?: string };
    readonly [table: string]: { readonly from?: string; readonly to?: string };
  };
  /** Names the requested report. A job that repeats the key of a request continues its query, if the engine can. */
  readonly key?: string;
  /** Values by the names of the query's parameters. */
  readonly parameters: Readonly<Record<string, string | bigint | null>>;
}

export const reportRow = v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()])));

export type ReportRow = Readonly<v.InferOutput<typeof reportRow>>;

/** An engine that has not ended a query yet. The same query with the same key continues it. */
export class ReportUnfinishedError extends Error {}

/** Answers reports from facts. A machine has an embedded engine, and a deployment queries Athena. */
export interface ReportEngine {
  /** Limits the time that a request waits for rows. The default is a second. */
  readonly patienceInMs?: number;
  /**
   * Returns the rows of a query. A query that its caller aborts ends with an error, and frees the engine. A query that
   * can never succeed ends with a `ServiceError`.
   */
  readonly query: (query: ReportQuery, signal?: AbortSignal) => Promise<ReportRow[]>;
  /** Returns the rows of a query, and the same rows as a Parquet file. */
  readonly queryWithFile: (query: ReportQuery) => Promise<{ rows: ReportRow[]; parquet: Uint8Array }>;
}

/** Gives an operation the engine of a deployment. Only functions with this access load the client of the engine. */
export interface ReportAccess {
  /** Returns `undefined` if the deployment has no reports. */
  readonly open: (env: NodeJS.ProcessEnv) => ReportEngine | undefined;
}
