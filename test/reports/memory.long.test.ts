import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isReport, reports } from '#addons/reports/report-list.ts';
import { buildReportQuery } from '#addons/reports/report-query.ts';
import { FactStore } from '../../infra/local/facts/fact-store.ts';
import { openReader } from '../../infra/local/facts/read-facts.ts';
import { batchesOf, describeYear } from './year-of-facts.ts';

/** A thirtieth of the facts that were measured (docs/reports.md#measured). */
const redemptions = 300_000;
/** A quarter of what an engine usually has. It needs some memory for each open file, so a thirtieth would be too little. */
const memory = '130MB';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-memory-'));
  const store = await FactStore.open(folder);
  for (const part of describeYear(redemptions)) for (const facts of batchesOf(part)) await store.keep(facts);
  await store.pack();
  await store.end();
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

test.each(Object.keys(reports).filter(isReport))(
  `${memory} are enough for the report %s of a year with ${redemptions} redemptions`,
  { timeout: 60_000 },
  async (report) => {
    const reader = await openReader(folder, { memory });
    try {
      const range = { from: '2026-01-01', to: '2026-12-31', timezone: 'Europe/Oslo' };
      const rows = await reader.query(buildReportQuery({ report, projectId: 'proj', ...range, limit: 1_000, page: 1 }));
      expect(rows.length).toBeGreaterThan(0);
    } finally {
      reader.end();
    }
  },
);
