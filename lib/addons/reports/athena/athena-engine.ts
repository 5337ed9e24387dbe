import { createHash, randomUUID } from 'node:crypto';
import {
  AthenaClient,
  GetQueryExecutionCommand,
  type QueryExecutionStatus,
  StartQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import { callTimes, chooseEndpoint } from '#kernel/core/aws-client.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { type ReportEngine, type ReportQuery, ReportUnfinishedError } from '#kernel/core/reports.ts';
import { pause } from '#kernel/table/conflicts.ts';
import { findLastingError, toRefusal } from './athena-errors.ts';
import { writeAthenaSql } from './dialect.ts';
import { type Results, readResults } from './read-results.ts';

const times = { connectionTimeoutInMs: 1_000, replyTimeoutInMs: 10_000 };

/** Athena needs a second for the smallest query. Its quota allows 100 calls a second for the state of queries. */
const shortestPauseInMs = 200;
const longestPauseInMs = 2_000;

/** A worker has five minutes. Its next run continues the query. */
const longestWaitInMs = 3 * 60_000;

const mostAttempts = 3;

export function createAthenaClient(endpoint?: string): AthenaClient {
  return new AthenaClient({ requestHandler: callTimes(times), ...chooseEndpoint(endpoint) });
}

interface AthenaSettings {
  readonly client: AthenaClient;
  readonly workgroup: string;
  readonly database: string;
  /** Returns the text of a query in infra/reports/. */
  readonly readQuery: (name: string) => Promise<string>;
  readonly clock: () => Date;
  readonly waitFor?: (milliseconds: number) => Promise<void>;
}

/** Returns the same token for the same attempt at the same query. Athena then returns the query that it has. */
function tokenOf(key: string, sql: string, attempt: number): string {
  return createHash('sha256')
    .update(JSON.stringify([key, sql, attempt]))
    .digest('hex');
}

/** Answers reports by Athena, from the facts in the bucket of the deployment. */
export function createAthenaEngine(settings: AthenaSettings): ReportEngine {
  const { client, workgroup, database, readQuery, clock, waitFor = pause } = settings;

  async function start(sql: string, token: string): Promise<string> {
    const { QueryExecutionId } = await client.send(
      new StartQueryExecutionCommand({
        QueryString: sql,
        ClientRequestToken: token,
        WorkGroup: workgroup,
        QueryExecutionContext: { Database: database },
      }),
    );
    if (QueryExecutionId === undefined) throw new Error('Athena gave no id for a query');
    return QueryExecutionId;
  }

  /** Waits until the query has ended. */
  async function follow(id: string, signal: AbortSignal | undefined): Promise<QueryExecutionStatus> {
    for (let waited = 0, wait = shortestPauseInMs; ; wait = Math.min(2 * wait, longestPauseInMs)) {
      signal?.throwIfAborted();
      const { QueryExecution } = await client.send(new GetQueryExecutionCommand({ QueryExecutionId: id }));
      const status = QueryExecution?.Status ?? {};
      if (status.State !== 'QUEUED' && status.State !== 'RUNNING') return status;
      if (waited >= longestWaitInMs) throw new ReportUnfinishedError(`the query ${id} is ${status.State}`);
      await waitFor(wait);
      waited += wait;
    }
  }

  async function run(query: ReportQuery, signal?: AbortSignal): Promise<Results> {
    const sql = writeAthenaSql(await readQuery(query.name), query, formatDay(clock()));
    const key = query.key ?? randomUUID();
    for (let attempt = 1; ; attempt++) {
      const id = await start(sql, tokenOf(key, sql, attempt));
      const status = await follow(id, signal);
      if (status.State === 'SUCCEEDED') return readResults(client, id);
      const error = findLastingError(status);
      if (error) throw error;
      if (attempt === mostAttempts) throw new Error(`Athena failed ${attempt} times: ${status.StateChangeReason}`);
    }
  }

  const runOrRefuse = (query: ReportQuery, signal?: AbortSignal) =>
    run(query, signal).catch((error: unknown) => {
      throw toRefusal(error);
    });

  return {
    // An aborted query continues, because a job uses its result. Stopping it would pay for its work twice.
    query: async (query, signal) => (await runOrRefuse(query, signal)).rows,
    queryWithFile: async (query) => {
      const { columns, rows } = await runOrRefuse(query);
      const { writeParquet } = await import('../facts/parquet.ts');
      return { rows, parquet: writeParquet(columns, rows) };
    },
  };
}
