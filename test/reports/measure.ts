import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FactStore } from '../../infra/local/facts/fact-store.ts';
import { openReader } from '../../infra/local/facts/read-facts.ts';
import { makeFact } from '../../lib/background/facts/fact-tables.ts';
import { buildReportQuery } from '../../lib/background/reports/report-query.ts';
import { seeded } from '../support/seeded.ts';

/** Measures facts and reports of a year: npm exec -- node test/reports/measure.ts 1000000 */

const count = Number(process.argv[2] ?? 1_000_000);
const dayInMs = 86_400_000;
const begin = Date.UTC(2026, 0, 1);
const below = seeded(1);
const batch = 20_000;

function redemption(index: number) {
  const id = `r_${index.toString(36).padStart(12, '0')}_${below(2 ** 30).toString(36)}${below(2 ** 30).toString(36)}`;
  const campaign = below(40);
  const discount = below(3_000);
  const amount = 3_000 + below(50_000);
  return makeFact('redemptions', 'proj', {
    fact_id: id,
    at_ms: begin + Math.floor((index / count) * 365 * dayInMs),
    event: 'REDEMPTION',
    result: 'SUCCESS',
    failure_code: null,
    redemption_id: id,
    request_id: id,
    redeemable_type: 'voucher',
    redeemable_id: `v_${below(count).toString(36)}aQSAQNvPSrjwOwBg`,
    code: `CODE-${below(count).toString(36)}`,
    voucher_type: 'DISCOUNT_VOUCHER',
    campaign_id: `camp_${campaign}`,
    campaign_name: `Campaign ${campaign}`,
    customer_id: `cust_${below(count / 4).toString(36)}`,
    order_id: `ord_${index.toString(36)}`,
    channel_type: 'API',
    channel_id: 'app_1',
    uses: 1,
    discount_minor: discount,
    credits_minor: 0,
    points: 0,
    order_amount_minor: amount,
    order_total_minor: amount - discount,
  });
}

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
await timed(`${count} facts kept and packed`, async () => {
  for (let index = 0; index < count; index += batch) {
    const size = Math.min(batch, count - index);
    await store.keep(Array.from({ length: size }, (_, offset) => redemption(index + offset)));
  }
  await store.pack();
});
await store.end();
const bytes = await bytesBelow(join(folder, 'files'));
process.stdout.write(`${(bytes / 2 ** 20).toFixed(1)} MB, ${(bytes / count).toFixed(1)} bytes a fact\n`);

const reader = await openReader(folder);
const year = {
  from: '2026-01-01',
  to: '2026-12-31',
  timezone: 'Europe/Oslo',
  projectId: 'proj',
  limit: 1_000,
  page: 1,
};
const none = { campaignId: undefined, order: undefined };
const ask = (by: string, more = {}) =>
  reader.query(buildReportQuery({ report: 'redemptions', ...year, ...none, by, ...more }));
await timed('a year by day', () => ask('day'));
await timed('a year by campaign', () => ask('campaign'));
await timed('one campaign by day', () => ask('day', { campaignId: 'camp_7' }));
await timed('top codes of a year', () => ask('code', { order: '-discount_minor', limit: 100 }));
await timed('a month by day', () => ask('day', { from: '2026-06-01', to: '2026-06-30' }));
reader.end();
await rm(folder, { recursive: true });
