import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildReportQuery } from '#addons/reports/report-query.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { keepFacts } from '../../infra/local/facts/keep-facts.ts';
import { removingFacts } from '../../infra/local/facts/open-facts.ts';
import { openReader } from '../../infra/local/facts/read-facts.ts';
import { openWorld } from './world.ts';

test('a server keeps the facts of its stream and its history once, over restarts, until the project is deleted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-facts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const world = await openWorld({ customers: [{ id: 'cust_ada', created_at: '2026-06-01T10:00:00.000Z' }] });
  const countCustomers = async () => {
    const reader = await openReader(folder);
    const range = { from: '2026-06-01', to: '2026-06-30', timezone: 'UTC', limit: 10, page: 1 };
    const none = { by: undefined, campaignId: undefined, order: undefined };
    const rows = await reader.query(buildReportQuery({ report: 'cohorts', projectId: world.id, ...range, ...none }));
    reader.end();
    return rows.map(({ customers }) => customers);
  };
  const first = await keepFacts(world.dependencies, folder);
  await world.call(createCustomer, { body: { source_id: 'eve' } });
  await first.idle();
  expect(await countCustomers()).toEqual([2]);
  await first.stop();
  expect((await readdir(join(folder, 'journal'))).filter((name) => name.endsWith('.jsonl'))).toEqual([]);

  const second = await keepFacts(world.dependencies, folder);
  await world.call(createCustomer, { body: { source_id: 'kim' } });
  await second.idle();
  expect(await countCustomers()).toEqual([3]);
  await removingFacts(world.dependencies.files, second).removeAll(world.id);
  expect(await countCustomers()).toEqual([]);
  await second.stop();
  expect(world.dependencies.lines.filter((line) => line.includes('"facts"'))).toEqual([]);
});
