import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#kernel/core/errors.ts';
import { type ReportEngine, ReportUnfinishedError } from '#kernel/core/reports.ts';
import { madeReportFiles } from '#kernel/kit/async-actions/made-report.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as make } from '../../functions/reports/make-report.ts';
import { openEngine, quote } from '../../infra/local/facts/duckdb.ts';
import { redemption } from '../reports/facts.ts';
import { openStore } from '../reports/world.ts';
import { caller } from '../support/call.ts';
import { filesOf, standingClock, testDependencies } from '../support/dependencies.ts';
import { deliver, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const june = { from: '2026-06-01', to: '2026-06-30' };

const project = await loadProject();
const other = await loadProject();

/** Opens an engine with redemptions of two campaigns, and one redemption of another project. */
async function openDesk() {
  const { store, path } = await openStore();
  await store.keep([
    redemption('r_1', { campaign_id: 'camp_a', campaign_name: 'It\'s "A"' }, project.id),
    redemption('r_2', { campaign_id: 'camp_a', campaign_name: 'It\'s "A"' }, project.id),
    redemption('r_3', { campaign_id: 'camp_b', discount_minor: 700 }, project.id),
    redemption('r_4', { campaign_id: 'camp_secret' }, other.id),
  ]);
  // A busy machine may need more than a second for any of these reports.
  const reports: ReportEngine = {
    patienceInMs: 600_000,
    query: (query, signal) => store.query(query, signal),
    queryWithFile: (query) => store.queryWithFile(query),
  };
  const dependencies = testDependencies({ reports });
  const ask = (reportName: string, body: object) =>
    caller(make, dependencies)({ headers: project.credentials, params: { reportName }, body });
  return { store, path, dependencies, ask };
}

/** Reads the rows of a Parquet file in a folder that the engine may touch. */
async function readParquet(folder: string, bytes: Buffer) {
  const file = join(folder, 'read-again.parquet');
  await writeFile(file, bytes);
  const instance = await openEngine(folder);
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`SELECT * FROM read_parquet(${quote(file)})`);
  connection.closeSync();
  instance.closeSync();
  const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  return found
    .getRowObjectsJS()
    .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
}

describe('a report', () => {
  test('has the rows of its project, by dimension, order and page', async () => {
    const { ask } = await openDesk();
    const { status, body } = await ask('redemptions', { ...june, by: 'campaign', order: '-discount_minor', limit: 1 });
    expect([status, body.has_more, body.timezone, body.by, body.from]).toEqual([
      200,
      true,
      'UTC',
      'campaign',
      june.from,
    ]);
    expect(body.rows).toMatchObject([{ group_key: 'camp_a', name: 'It\'s "A"', uses: 2, discount_minor: 1_000 }]);
    const next = await ask('redemptions', { ...june, by: 'campaign', order: '-discount_minor', limit: 1, page: 2 });
    expect(next.body).toMatchObject({ has_more: false, page: 2, rows: [{ group_key: 'camp_b', discount_minor: 700 }] });
  });

  test('counts days in the zone that is asked for', async () => {
    const { ask } = await openDesk();
    const daysIn = async (timezone?: string) =>
      (await ask('redemptions', { ...june, timezone })).body.rows.map(
        ({ group_key }: { group_key: string }) => group_key,
      );
    expect([await daysIn(), await daysIn('Europe/Oslo')]).toEqual([['2026-06-01'], ['2026-06-02']]);
  });

  test('takes SQL and names of other projects as plain texts, which find nothing', async () => {
    const { ask } = await openDesk();
    for (const campaign_id of ['camp_secret', "' OR 1=1 --", `') UNION SELECT * FROM redemptions; --`, other.id]) {
      expect((await ask('redemptions', { ...june, campaign_id })).body.rows, campaign_id).toEqual([]);
    }
    for (const body of [{ by: "day' --" }, { order: 'uses; DROP TABLE x' }, { timezone: "UTC'" }]) {
      expect((await ask('redemptions', { ...june, ...body })).status).toBe(400);
    }
    expect((await ask('../../../etc/passwd', june)).status).toBe(404);
    expect((await ask('timezone', june)).status).toBe(404);
    expect((await ask('redemptions', june)).body.rows).toMatchObject([{ uses: 3 }]);
  });
});

describe('a report that takes too long, or is wanted as files,', () => {
  test('is an async action with the first rows, a CSV file and a Parquet file, also if its work is done twice', async () => {
    const { ask, dependencies, path } = await openDesk();
    const asked = { ...june, by: 'campaign', order: '-discount_minor', as_file: true };
    const started = await ask('redemptions', asked);
    expect(started.status).toBe(202);
    const { async_action_id: asyncActionId } = started.body;
    const jobs = await openJobs(project.id, dependencies);
    await deliver([...jobs, ...jobs], dependencies);
    await runOutbox(project.id, dependencies);
    const show = (clock = standingClock()) =>
      caller(getAction, { ...dependencies, clock })({ headers: project.credentials, params: { asyncActionId } });
    const { body } = await show();
    expect(body).toMatchObject({ type: 'REPORTS.MAKE', status: 'DONE', operation_status: 'SUCCESS' });
    const { rows, rows_count, csv_url, parquet_url } = body.result.report;
    expect([rows_count, rows.map(({ group_key }: { group_key: string }) => group_key)]).toEqual([
      2,
      ['camp_a', 'camp_b'],
    ]);
    const direct = await ask('redemptions', { ...asked, as_file: false });
    expect(rows).toEqual(direct.body.rows);
    const { csv, parquet } = madeReportFiles(project.id, asyncActionId);
    expect([csv_url, parquet_url]).toEqual([
      expect.stringContaining(csv.place),
      expect.stringContaining(parquet.place),
    ]);
    const lines = (await dependencies.files.read(csv)).trim().split('\r\n');
    expect([lines.length, lines[1]]).toEqual([3, expect.stringContaining('"It\'s ""A"""')]);
    const bytes = filesOf(project.id).get(`reports/${project.id}/${parquet.place}`) ?? Buffer.alloc(0);
    expect(await readParquet(path, bytes)).toEqual(rows);
    expect(readdirSync(join(path, 'answers'))).toEqual([]);
    const inAWeek = standingClock();
    inAWeek.advance(8 * 24 * 3_600);
    expect((await show(inAWeek)).body.result.report).toBeUndefined();
  });

  test('frees the engine after a second, and a job makes it', async () => {
    const { store, dependencies } = await openDesk();
    const ask = (reports: ReportEngine) =>
      caller(make, { ...dependencies, reports })({
        headers: project.credentials,
        params: { reportName: 'redemptions' },
        body: june,
      });
    const aborted: boolean[] = [];
    const reports: ReportEngine = {
      patienceInMs: 1,
      query: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            aborted.push(true);
            reject(new Error('interrupted'));
          });
        }),
      queryWithFile: (query) => store.queryWithFile(query),
    };
    const started = await ask(reports);
    expect([started.status, Object.keys(started.body), aborted]).toEqual([202, ['async_action_id'], [true]]);
    await runOutbox(project.id, { ...dependencies, reports });
    expect(await openJobs(project.id, dependencies)).toEqual([]);
    const broken = { ...reports, patienceInMs: 600_000, query: () => Promise.reject(new Error('no memory')) };
    expect((await ask(broken)).status).toBe(500);
  });

  test('ends as FAILED with a key that stays the same, after eight failures or a day with a busy engine', async () => {
    const { ask, dependencies } = await openDesk();
    const runs = async (error: Error, most: number, clock = standingClock()) => {
      const started = await ask('redemptions', { ...june, as_file: true });
      let tries = 0;
      const reports: ReportEngine = {
        query: () => Promise.reject(error),
        queryWithFile: () => {
          tries += 1;
          clock.advance(3_600);
          return Promise.reject(error);
        },
      };
      const own = { ...dependencies, reports, clock };
      for (let left = most; left > 0; left--) await deliver(await openJobs(project.id, own), own);
      const params = { asyncActionId: started.body.async_action_id };
      const { body } = await caller(getAction, own)({ headers: project.credentials, params });
      return [tries, body.status, body.operation_status, body.result?.message.split(': ')[2]];
    };
    expect(await runs(new Error('no memory'), 12)).toEqual([8, 'FAILED', 'FAILED', 'report_failed']);
    expect(await runs(new ReportUnfinishedError('busy'), 40)).toEqual([25, 'FAILED', 'FAILED', 'report_timed_out']);
    const throttled = new ServiceError('too_many_requests', { details: 'x', reason: 'capacity' });
    expect(await runs(throttled, 40)).toEqual([25, 'FAILED', 'FAILED', 'report_timed_out']);
    expect(await runs(new ServiceError('report_too_large', { details: 'x' }), 3)).toMatchObject([
      1,
      'FAILED',
      'FAILED',
      'report_too_large',
    ]);
  });

  test('ends in the engine when it is aborted, and the next query is answered', async () => {
    const { store, ask } = await openDesk();
    const query = { name: 'redemptions', projectId: project.id, days: { all: {} }, parameters: {} };
    await expect(store.query(query, AbortSignal.abort())).rejects.toThrow();
    expect((await ask('redemptions', june)).body.rows).toMatchObject([{ uses: 3 }]);
  });
});
