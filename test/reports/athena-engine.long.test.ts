import { beforeAll, describe, expect, test } from 'vitest';
import { packedTable, writeAthenaSql, writeLiteral } from '#addons/reports/athena/dialect.ts';
import { factTableNames } from '#addons/reports/facts/fact-tables.ts';
import { readParquet } from '#addons/reports/facts/parquet.ts';
import { isReport, type Report, reports } from '#addons/reports/report-list.ts';
import { buildReportQuery } from '#addons/reports/report-query.ts';
import { type ReportEngine, ReportUnfinishedError } from '#kernel/core/reports.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as make } from '../../functions/reports/make-report.ts';
import { listQueries, readQuery } from '../../infra/reports/read-query.ts';
import { caller } from '../support/call.ts';
import { filesOf, testDependencies } from '../support/dependencies.ts';
import { openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { openFactBucket, openPacker } from './fact-bucket.ts';
import { redemption } from './facts.ts';
import { openAthena } from './fake-athena.ts';

const june = { from: '2026-06-01', to: '2026-06-30' };
const asked = { report: 'redemptions', projectId: 'proj', timezone: 'UTC', ...june, limit: 100, page: 1 } as const;

let project: TestProject;
beforeAll(async () => {
  project = await loadProject();
});

type Status = NonNullable<NonNullable<Parameters<typeof openAthena>[1]>['status']>;

/** Opens reports over packed and fresh facts of two projects. */
async function openDesk(options: Parameters<typeof openAthena>[1] = {}) {
  const packer = await openPacker();
  await packer.deliver([redemption('r_1', { campaign_id: 'camp_a' }, project.id), redemption('s_1', {}, 'other')]);
  await packer.pack();
  await packer.deliver([
    redemption('r_1', { campaign_id: 'camp_a' }, project.id),
    redemption('r_2', { campaign_id: 'camp_b', campaign_name: `it's \\ "B" 🎁` }, project.id),
  ]);
  const athena = await openAthena(packer.bucket, options);
  const reports: ReportEngine = { ...athena.engine, patienceInMs: 600_000 };
  const dependencies = testDependencies({ reports });
  const ask = (body: object, over = dependencies) =>
    caller(make, over)({ headers: project.credentials, params: { reportName: 'redemptions' }, body });
  const show = (asyncActionId: string) =>
    caller(getAction, dependencies)({ headers: project.credentials, params: { asyncActionId } });
  return { ...athena, dependencies, ask, show };
}

describe('a report by Athena', () => {
  test('is a signed call in the workgroup and database of the deployment, over packed and fresh facts once', async () => {
    const { ask, calls } = await openDesk();
    const { body } = await ask({ ...june, by: 'campaign' });
    expect(body.rows.map((row: { group_key: string; uses: number }) => [row.group_key, row.uses])).toEqual([
      ['camp_a', 1],
      ['camp_b', 1],
    ]);
    expect(body.rows[1].name).toBe(`it's \\ "B" 🎁`);
    expect(calls.map(({ operation }) => operation)).toEqual([
      'StartQueryExecution',
      'GetQueryExecution',
      'GetQueryResults',
    ]);
    const [start] = calls;
    expect(start?.contentType).toBe('application/x-amz-json-1.1');
    expect(start?.authorization).toContain('/athena/aws4_request');
    expect(start?.input).toEqual({
      QueryString: expect.any(String),
      ClientRequestToken: expect.stringMatching(/^[0-9a-f]{64}$/),
      WorkGroup: 'reports',
      QueryExecutionContext: { Database: 'facts' },
    });
  });

  test('takes SQL and names of other projects as plain texts, which find nothing', async () => {
    const { ask, texts } = await openDesk();
    const hostile = ["' OR 1=1 --", `') UNION SELECT * FROM redemptions; --`, 'other', `\\' OR '1'='1`, '$offset'];
    for (const campaign_id of hostile) {
      // DuckDB does not know the form of literals that Athena accepts for other signs.
      if (!campaign_id.includes('\\')) expect((await ask({ ...june, campaign_id })).body.rows, campaign_id).toEqual([]);
    }
    for (const text of texts())
      expect(text.match(/project = '([^']*)'/g)?.every((one) => one.includes(project.id))).toBe(true);
  });
});

describe('a literal', () => {
  test('of a number and of nothing is plain', () => {
    expect([-5n, 5n, null].map(writeLiteral)).toEqual(['(-5)', '5', 'NULL']);
  });

  test.each([
    ["it's", "'it''s'"],
    ['a\\b', "U&'a\\\\b'"],
    ["é'\u0000\n🎁", "U&'\\+0000e9''\\+000000\\+00000a\\+01f381'"],
    ['\ud800', "U&'\\+00fffd'"],
  ])('of %s is printable ASCII that ends where the text ends', (value, literal) => {
    expect(writeLiteral(value)).toBe(literal);
  });
});

const names = await listQueries();

describe('the text of each query', () => {
  /** Functions that Athena has. */
  const known =
    'CAST COALESCE COUNT FLOOR GREATEST MAX MAX_BY NULLIF ROUND ROW_NUMBER SQRT SUBSTR SUM from_unixtime'.split(' ');
  /** Words that stand before a bracket without calling anything. */
  const words = 'AND AS BETWEEN BY FROM IN JOIN ON OR OVER SELECT THEN WHEN WHERE UNION ALL WITH NOT'.split(' ');
  const queryOf = (name: string) =>
    isReport(name)
      ? buildReportQuery({ ...asked, report: name, by: (reports[name] as Report).by?.[0] })
      : { name, projectId: 'proj', days: { all: {} }, parameters: {} };

  test.each(names)('%s has only functions of Athena, no parameter, and OFFSET before LIMIT', async (name) => {
    const sql = writeAthenaSql(await readQuery(name), queryOf(name), '2026-06-15');
    const called = [...sql.matchAll(/\b([A-Za-z_]\w*) ?\(/g)].map(([, one]) => one ?? '');
    expect(called.filter((one) => !known.includes(one) && !words.includes(one))).toEqual([]);
    expect(sql).not.toMatch(/\$|--|::|\bQUALIFY\b|\bEXCLUDE\b|DISTINCT ON|\bLIMIT\b.*\bOFFSET\b|local_day/);
  });

  test.each(names)('%s reads each table of facts by project and day alone', async (name) => {
    const sql = writeAthenaSql(await readQuery(name), queryOf(name), '2026-06-15');
    const packed = sql.split('\n').filter((line) => line.includes('FROM packed_'));
    expect(packed.length).toBeGreaterThan(0);
    for (const line of packed) {
      expect(line).toMatch(
        /FROM packed_\w+ WHERE project = 'proj' AND \(day = '2020-01-01' OR day BETWEEN '2\d{3}-\d\d-\d\d' AND '2026-06-\d\d'\)/,
      );
    }
    const fresh = sql.split('\n').filter((line) => line.includes('FROM fresh_facts'));
    expect(fresh).toHaveLength(packed.length);
    for (const line of fresh) expect(line).toMatch(/WHERE fact_table = '\w+' AND project = 'proj'/);
    const read = factTableNames.filter((table) => sql.includes(`FROM ${packedTable(table)} `));
    expect(read).toHaveLength(packed.length);
  });
});

describe('a query that Athena does not end', () => {
  const failing =
    (reason: string, more: object = {}): Status =>
    () => ({
      ...{ State: 'FAILED', StateChangeReason: reason },
      ...more,
    });

  test.each([
    ['reads too much', failing('Bytes scanned limit was exceeded', { State: 'CANCELLED' }), 400, 'report_too_large'],
    ['needs too much time', failing('Query timed out'), 400, 'report_too_large'],
    ['needs too much memory', failing('Query exhausted resources at this scale factor'), 400, 'report_too_large'],
    ['was canceled', failing('', { State: 'CANCELLED' }), 409, 'report_canceled'],
    ['met a malformed line', failing('HIVE_CURSOR_ERROR: JsonParseException: Unexpected end'), 500, 'internal_error'],
    ['is wrong', failing('SYNTAX_ERROR: line 1:8', { AthenaError: { ErrorCategory: 2 } }), 500, 'internal_error'],
  ])('because it %s says so, and what to change', async (_, status, code, key) => {
    const { ask, calls } = await openDesk({ status });
    const reply = await ask(june);
    expect([reply.status, reply.body.key]).toEqual([code, key]);
    if (code !== 500) expect(reply.body.details).toMatch(/ask for|request/);
    expect(calls.filter(({ operation }) => operation === 'StartQueryExecution')).toHaveLength(1);
  });

  test.each([
    ['a fault of its own', { AthenaError: { ErrorCategory: 1, Retryable: true } }],
    [
      'a file that a pack replaced',
      { StateChangeReason: 'HIVE_CURSOR_ERROR: (Status Code: 404; Error Code: NoSuchKey)' },
    ],
  ])('because of %s is asked again as another query', async (_, fault) => {
    const { ask, calls } = await openDesk({
      status: (query) => (query < 2 ? { State: 'FAILED', ...fault } : undefined),
    });
    expect((await ask(june)).body.rows).toMatchObject([{ uses: 2 }]);
    const tokens = calls.flatMap(({ input }) => input.ClientRequestToken ?? []);
    expect([tokens.length, new Set(tokens).size]).toEqual([3, 3]);
  });

  test('because too many are asked is 429 after the repeats of the client', async () => {
    const { ask } = await openDesk({ refuse: () => ({ error: 'TooManyRequestsException' }) });
    const reply = await ask(june);
    expect([reply.status, reply.body.key]).toEqual([429, 'too_many_requests']);
  });
});

describe('a query that takes longer than the request waits', () => {
  test('is continued by the job, which starts no other, and becomes files', async () => {
    const { ask, show, dependencies, calls, engine } = await openDesk({
      status: (_query, request) => (request < 5 ? { State: 'RUNNING' } : undefined),
    });
    const impatient: ReportEngine = { ...engine, patienceInMs: 0 };
    const started = await ask({ ...june, by: 'campaign' }, { ...dependencies, reports: impatient });
    expect(started.status).toBe(202);
    await runOutbox(project.id, dependencies);
    const { body } = await show(started.body.async_action_id);
    expect(body).toMatchObject({ status: 'DONE', operation_status: 'SUCCESS', result: { report: { rows_count: 2 } } });
    const starts = calls.filter(({ operation }) => operation === 'StartQueryExecution');
    expect(new Set(starts.map(({ input }) => input.ClientRequestToken)).size).toBe(1);
    const file = [...filesOf(project.id)].find(
      ([name]) => name.includes(started.body.async_action_id) && name.endsWith('.parquet'),
    );
    expect(await readParquet(file?.[1] ?? new Uint8Array())).toEqual(body.result.report.rows);
  });

  test('ends the job at once, with its reason, if it can never succeed', async () => {
    const { ask, show, dependencies, calls } = await openDesk({
      status: () => ({ State: 'CANCELLED', StateChangeReason: 'Bytes scanned limit was exceeded' }),
    });
    const { body } = await ask({ ...june, as_file: true });
    await runOutbox(project.id, dependencies);
    expect((await show(body.async_action_id)).body).toMatchObject({
      status: 'FAILED',
      result: { message: expect.stringContaining('ask for fewer days') },
    });
    expect(calls.filter(({ operation }) => operation === 'StartQueryExecution')).toHaveLength(1);
    expect(await openJobs(project.id, dependencies)).toEqual([]);
  });

  test('counts no failure of the job if it runs longer than the worker', async () => {
    const bucket = await openFactBucket();
    const { engine, calls } = await openAthena(bucket, { status: () => ({ State: 'RUNNING' }) });
    const query = { ...buildReportQuery({ ...asked, by: 'day' }), key: 'one' };
    for (let run = 0; run < 2; run++) {
      await expect(engine.queryWithFile(query)).rejects.toThrow(ReportUnfinishedError);
    }
    const tokens = calls.flatMap(({ input }) => input.ClientRequestToken ?? []);
    expect([tokens.length, new Set(tokens).size]).toEqual([2, 1]);
  });
});
