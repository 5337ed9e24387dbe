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

export type ReportRow = Readonly<Record<string, string | number | boolean | null>>;

/** Answers reports from facts. A machine has an embedded engine. */
export interface ReportEngine {
  readonly query: (query: ReportQuery) => Promise<ReportRow[]>;
}
