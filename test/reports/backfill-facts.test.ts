import { expect, inject, test } from 'vitest';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { buildReportQuery } from '#addons/reports/report-query.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { operate } from '../support/operator.ts';
import { openPacker } from './fact-bucket.ts';
import { openAthena } from './fake-athena.ts';
import { noFault, openWorld } from './world.ts';

test('a backfill adds what the table had before the stream brought facts, once, however often it runs', async () => {
  const world = await openWorld({ customers: [{ id: 'cust_ada', created_at: '2026-06-01T10:00:00.000Z' }] });
  await world.call(createCustomer, { body: { source_id: 'eve' } });
  const ofStream = findFacts(await world.changes(), noFault).filter(({ row }) => row.customer_id !== 'cust_ada');
  const packer = await openPacker();
  await packer.deliver(ofStream);
  const env = {
    DYNAMODB_ENDPOINT: inject('endpoint'),
    TABLE_NAME: world.dependencies.tableName,
    FILES_ENDPOINT: packer.endpoint,
  };
  for (let run = 0; run < 2; run++) {
    const { code, stdout, stderr } = await operate('facts', ['backfill', '--bucket', 'facts'], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\d+ items were read, and [1-9]\d* facts were written\./);
    await packer.pack();
  }
  const { engine } = await openAthena(packer.bucket);
  const range = { from: '2026-06-01', to: '2026-06-30', timezone: 'UTC', limit: 10, page: 1 };
  const rows = await engine.query(buildReportQuery({ report: 'cohorts', projectId: world.id, ...range }));
  expect(rows.map(({ customers }) => customers)).toEqual([2]);
  expect((await operate('facts', ['backfill'], { env })).stderr).toContain('Name the bucket');
});
