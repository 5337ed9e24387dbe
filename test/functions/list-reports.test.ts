import { describe, expect, test } from 'vitest';
import { handler as listReports } from '../../functions/reports/list-reports.ts';
import { handler as make } from '../../functions/reports/make-report.ts';
import { listQueries } from '../../infra/reports/read-query.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { loadSettings } from '../support/load-settings.ts';
import { loadProject } from '../support/project.ts';

const june = { from: '2026-06-01', to: '2026-06-30' };

const project = await loadProject();

const ask = (reportName: string, body: object) =>
  caller(make)({ headers: project.credentials, params: { reportName }, body });

test('the list of reports names each query', async () => {
  const { body } = await caller(listReports)({ headers: project.credentials });
  const names = body.reports.map(({ name }: { name: string }) => name);
  expect([...names, 'timezone'].sort()).toEqual((await listQueries()).sort());
  expect(body.reports[0]).toMatchObject({ name: 'redemptions', parameters: ['by', 'campaign_id'] });
});

test.each([
  ['JPY', { currency: 'JPY' }, 0],
  ['KWD', { currency: 'KWD' }, 3],
  ['EUR with the decimals that the project says', { currency: 'EUR', currency_decimals: 4 }, 4],
  ['no currency', {}, 2],
])('the list of reports tells an app key the decimals of %s', async (_, settings, decimals) => {
  const { credentials } = await loadSettings({ timezone: 'Asia/Tokyo', ...settings });
  const { body } = await caller(listReports)({ headers: credentials });
  const { currency = null } = settings as { currency?: string };
  expect(body).toMatchObject({ currency, currency_decimals: decimals, timezone: 'Asia/Tokyo' });
});

test('a deployment without facts says what switches reports on', async () => {
  const { reports: _, ...dependencies } = testDependencies();
  const request = { headers: project.credentials, params: { reportName: 'redemptions' }, body: june };
  const { status, body } = await caller(make, dependencies)(request);
  expect([status, body.key]).toEqual([403, 'reports_disabled']);
  expect(body.details).toContain('start the server with a DATA_DIR');
});

describe('a report', () => {
  test('is refused for parameters that it would pass over, and for days that it cannot read', async () => {
    const detailsOf = async (name: string, body: object) => {
      const reply = await ask(name, body);
      expect(reply.status).toBe(400);
      return reply.body.details;
    };
    expect(await detailsOf('orders', { campaign_id: 'camp_a' })).toBe('campaign_id is not a parameter of orders');
    expect(await detailsOf('points', { by: 'day' })).toBe('by is not a parameter of points');
    expect(await detailsOf('redemptions', { by: 'dya' })).toBe('by must be day');
    expect(await detailsOf('redemptions', { from: '2020-01-01', to: '2026-06-30' })).toContain(
      'would read 2373 days of facts: request at most 1100',
    );
    expect(await detailsOf('redemptions', { from: '2026-06-02', to: '2026-06-01' })).toContain('before it begins');
    expect(await detailsOf('budget', { ...june, until: june.to })).toContain('until must be a day after 2026-06-30');
    expect(await detailsOf('redemptions', { limit: 1_001 })).toContain('send as_file for up to 100000 rows');
    expect((await ask('redemption', june)).body.details).toContain('no report has this name: is redemptions meant?');
    expect((await ask('zzz', june)).body.details).toContain('use one of redemptions, categories,');
  });

  test('covers the last 30 days of the project by default', async () => {
    expect((await ask('redemptions', {})).body).toMatchObject({ from: '2026-05-17', to: '2026-06-15' });
  });
});
