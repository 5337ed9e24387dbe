import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FactStore } from '../../infra/local/facts/fact-store.ts';
import { openReader } from '../../infra/local/facts/read-facts.ts';
import type { ReportName } from '../../lib/background/reports/report-list.ts';
import { type AskedReport, buildReportQuery } from '../../lib/background/reports/report-query.ts';
import { batchesOf, describeYear } from './year-of-facts.ts';

/** Measures facts and each report of a year with this number of redemptions: npm exec -- node test/reports/measure.ts 1000000 */

const redemptions = Number(process.argv[2] ?? 1_000_000);

async function bytesBelow(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = names.filter((one) => one.isFile()).map((one) => stat(join(one.parentPath, one.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

async function timed<R>(words: string, work: () => Promise<R>): Promise<R> {
  const from = performance.now();
  const result = await work();
  const rss = Math.round(process.memoryUsage().rss / 2 ** 20);
  process.stdout.write(`${words}: ${((performance.now() - from) / 1_000).toFixed(2)} s, ${rss} MB\n`);
  return result;
}

const folder = await mkdtemp(join(tmpdir(), 'tessera-measure-'));
const store = await FactStore.open(folder);
const parts = describeYear(redemptions);
const [first, ...others] = parts;
const keep = async (some: typeof parts) => {
  for (const part of some) for (const facts of batchesOf(part)) await store.keep(facts);
  await store.pack();
};
await timed(`${redemptions} redemptions kept and packed`, () => keep(first ? [first] : []));
const bytes = await bytesBelow(join(folder, 'files'));
process.stdout.write(`${(bytes / 2 ** 20).toFixed(1)} MB, ${(bytes / redemptions).toFixed(1)} bytes a redemption\n`);
const more = others.reduce((sum, { count }) => sum + count, 0);
await timed(`${more} other facts kept and packed`, () => keep(others));
await store.end();

const reader = await openReader(folder);
const year = {
  ...{ from: '2026-01-01', to: '2026-12-31', timezone: 'Europe/Oslo', projectId: 'proj' },
  ...{ limit: 1_000, page: 1 },
};
const asked: [words: string, report: ReportName, more?: Partial<AskedReport>][] = [
  ['a year by day', 'redemptions'],
  ['a year by campaign', 'redemptions', { by: 'campaign' }],
  ['one campaign by day', 'redemptions', { campaignId: 'camp_7' }],
  ['top codes of a year', 'redemptions', { by: 'code', order: '-discount_minor', limit: 100 }],
  ['a month by day', 'redemptions', { from: '2026-06-01', to: '2026-06-30' }],
  ['a year', 'categories'],
  ['a year', 'segments'],
  ['a year by reason', 'refusals'],
  ['a year by code', 'refusals', { by: 'code', order: '-refusals' }],
  ['a year', 'orders'],
  ['a year', 'budget', { budget: 1_000_000_000 }],
  ['a year', 'bursts'],
  ['a month', 'bursts', { from: '2026-06-01', to: '2026-06-30' }],
  ['a year', 'points'],
  ['a year', 'tiers'],
  ['a year', 'members'],
  ['a year', 'pending'],
  ['a year', 'cohorts'],
  ['a year', 'publications'],
];
for (const [words, report, some = {}] of asked) {
  await timed(`${report}, ${words}`, async () => {
    const rows = await reader.query(buildReportQuery({ report, ...year, ...some }));
    if (rows.length === 0) throw new Error(`${report} has no rows`);
  }).catch((error: unknown) => process.stdout.write(`${report}, ${words}: ${String(error)}\n`));
}
reader.end();
await rm(folder, { recursive: true });
