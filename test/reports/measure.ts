import { execFile } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ReportName } from '#addons/reports/report-list.ts';
import { type AskedReport, buildReportQuery } from '#addons/reports/report-query.ts';
import { FactStore } from '../../infra/local/facts/fact-store.ts';
import { openReader } from '../../infra/local/facts/read-facts.ts';
import { batchesOf, describeYear } from './year-of-facts.ts';

/**
 * Measures facts and reports of a year. `npm exec -- node test/reports/measure.ts fill FOLDER 1000000` makes facts with this number of
 * redemptions. `ask FOLDER` requests each report in a separate process, and `ask FOLDER 5` for the fifth alone.
 */

const [verb, folder = '', number = ''] = process.argv.slice(2);

const year = {
  ...{ from: '2026-01-01', to: '2026-12-31', timezone: 'Europe/Oslo', projectId: 'proj' },
  ...{ limit: 1_000, page: 1 },
};
const june = { from: '2026-06-01', to: '2026-06-30' };

const asked: [words: string, report: ReportName, more?: Partial<AskedReport>][] = [
  ['a year by day', 'redemptions'],
  ['a year by campaign', 'redemptions', { by: 'campaign' }],
  ['one campaign by day', 'redemptions', { campaignId: 'camp_7' }],
  ['top codes of a year', 'redemptions', { by: 'code', order: '-discount_minor', limit: 100 }],
  ['a month by day', 'redemptions', june],
  ['a year', 'categories'],
  ['a month', 'categories', june],
  ['a year', 'segments'],
  ['a year by reason', 'refusals'],
  ['a year by code', 'refusals', { by: 'code', order: '-refusals' }],
  ['a year', 'orders'],
  ['a year', 'budget', { budget: 1_000_000_000 }],
  ['a year', 'bursts'],
  ['a month', 'bursts', june],
  ['a year', 'points'],
  ['now', 'expiry'],
  ['a year', 'tiers'],
  ['a year', 'members'],
  ['a year', 'pending'],
  ['a year', 'cohorts'],
  ['a year', 'publications'],
];

async function bytesBelow(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = names.filter((one) => one.isFile()).map((one) => stat(join(one.parentPath, one.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

const say = (words: string) => process.stdout.write(`${words}\n`);

async function timed(words: string, work: () => Promise<unknown>): Promise<void> {
  const from = performance.now();
  await work();
  const seconds = ((performance.now() - from) / 1_000).toFixed(2);
  say(`${words}: ${seconds} s, at most ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`);
}

async function fill(redemptions: number): Promise<void> {
  await mkdir(folder);
  const store = await FactStore.open(folder);
  const parts = describeYear(redemptions);
  const keep = async (some: typeof parts) => {
    for (const part of some) for (const facts of batchesOf(part)) await store.keep(facts);
    await store.pack();
  };
  await timed(`${redemptions} redemptions kept and packed`, () => keep(parts.slice(0, 1)));
  const bytes = await bytesBelow(join(folder, 'files'));
  say(`${(bytes / 2 ** 20).toFixed(1)} MB, ${(bytes / redemptions).toFixed(1)} bytes a redemption`);
  const others = parts.slice(1);
  const more = others.reduce((sum, { count }) => sum + count, 0);
  await timed(`${more} other facts kept and packed`, () => keep(others));
  await store.end();
}

async function askOne([words, report, more = {}]: (typeof asked)[number]): Promise<void> {
  const reader = await openReader(folder);
  await timed(`${report}, ${words}`, async () => {
    const rows = await reader.query(buildReportQuery({ report, ...year, ...more }));
    if (rows.length === 0) throw new Error(`${report} has no rows`);
  });
  reader.end();
}

const only = asked[Number(number) - 1];
if (verb === 'fill') await fill(Number(number));
else if (number !== '' && only) await askOne(only);
else {
  for (const index of asked.keys()) {
    const own = [import.meta.filename, 'ask', folder, String(index + 1)];
    const { stdout } = await promisify(execFile)(process.execPath, own).catch((error: Error) => ({
      stdout: `${asked[index]}: ${error.message}\n`,
    }));
    process.stdout.write(stdout);
  }
}
