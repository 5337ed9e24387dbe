import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { expect, inject, test } from 'vitest';
import { writeFactLine } from '#addons/reports/facts/fact-lines.ts';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { findRefusalFacts } from '#addons/reports/facts/refusal-facts.ts';
import { totalKey } from '#kernel/table/totals.ts';
import { handler as make } from '../../functions/reports/make-report.ts';
import { openPacker } from '../reports/fact-bucket.ts';
import { redemption } from '../reports/facts.ts';
import { noFault } from '../reports/world.ts';
import { apiEvent } from '../support/api-event.ts';
import { importOf, lastLineOf, sharedBundle } from '../support/bundles.ts';
import { changesOf } from '../support/changes.ts';
import { fileTable, uniqueId } from '../support/dependencies.ts';
import { openFakeAws } from '../support/fake-aws.ts';
import { tableOfFile } from '../support/listed.ts';
import { namedTable } from '../support/operator.ts';
import { recordOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const aws = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
const context = '{ getRemainingTimeInMillis: () => 900_000 }';

test('the bundled reader of the stream counts totals and hands over facts', async () => {
  const { calls, endpoint } = await openFakeAws(() => ({ FailedPutCount: 0, RequestResponses: [{ RecordId: '1' }] }));
  const record = recordOf({ pk: 'proj#CUSTOMER#c_1', sk: 'CUSTOMER', project: 'proj', id: 'c_1' });
  const records = [{ ...record, dynamodb: { ...record.dynamodb, SequenceNumber: '1' } }];
  const event = JSON.stringify({ Records: records, shardId: 'shard' });
  const script = `const { handler } = ${importOf(await sharedBundle('totals-and-facts-worker'))};
    console.log(JSON.stringify(await handler(${event})));`;
  const env = { ...aws, ...namedTable(), FACT_STREAM: 'facts', FACTS_BUCKET: 'facts', FIREHOSE_ENDPOINT: endpoint };
  expect(await lastLineOf(script, env)).toEqual({ state: {} });
  expect(calls).toHaveLength(1);
  const [{ Data }] = calls[0]?.input.Records ?? [];
  expect(Buffer.from(Data, 'base64').toString()).toBe(
    findFacts(changesOf(records), noFault).map(writeFactLine).join(''),
  );
});

test('the bundled reader of the stream counts totals and keeps facts in the bucket while Firehose takes none', async () => {
  const { calls, endpoint } = await openFakeAws(() => ({ error: 'ServiceUnavailableException' }));
  const packer = await openPacker();
  const id = uniqueId('proj_');
  const after = { gsi1pk: `${id}#COUNTED#PEBBLES#0`, gsi1sk: 'p1', pk: `${id}#CUSTOMER#c_1`, sk: 'CUSTOMER' };
  const record = recordOf({ ...after, project: id, id: 'c_1' });
  const records = [{ ...record, dynamodb: { ...record.dynamodb, SequenceNumber: '1' } }];
  const event = JSON.stringify({ Records: records, shardId: uniqueId('shard') });
  // Lambda delivers a batch again whose function was killed at its end.
  const script = `const { handler } = ${importOf(await sharedBundle('totals-and-facts-worker'))};
    await handler(${event}); console.log(JSON.stringify(await handler(${event})));`;
  const places = { FACT_STREAM: 'facts', FACTS_BUCKET: 'facts', FIREHOSE_ENDPOINT: endpoint };
  const table = { DYNAMODB_ENDPOINT: inject('endpoint'), TABLE_NAME: fileTable() };
  const env = { ...aws, ...table, ...places, FILES_ENDPOINT: packer.endpoint };
  expect(await lastLineOf(script, env)).toEqual({ state: {} });
  expect(calls.length).toBeGreaterThan(0);
  expect(await packer.bucket.list('fresh/direct/')).toHaveLength(1);
  expect(await packer.pack()).toMatchObject({ facts: findFacts(changesOf(records), noFault).length, malformed: 0 });
  expect(await tableOfFile().get(totalKey(`${id}#COUNTED#PEBBLES`), v.object({ total: v.number() }))).toEqual({
    total: 1,
  });
});

test('the bundled reader of the log hands refusals over, and is silent without reports', async () => {
  const { calls, endpoint } = await openFakeAws(() => ({ FailedPutCount: 0, RequestResponses: [{ RecordId: '1' }] }));
  const refused = [['voucher', 'v_1', null, 'voucher_disabled']];
  const message = JSON.stringify({ time: '2026-06-01T10:00:00.000Z', project_id: 'proj', refused });
  const logEvents = [{ id: '37', timestamp: 1, message }];
  const data = gzipSync(JSON.stringify({ messageType: 'DATA_MESSAGE', logEvents })).toString('base64');
  const script = `const { handler } = ${importOf(await sharedBundle('log-worker'))};
    await handler(${JSON.stringify({ awslogs: { data } })}); console.log('1');`;
  const env = { ...aws, ...namedTable(), FIREHOSE_ENDPOINT: endpoint };
  expect(await lastLineOf(script, env)).toBe(1);
  expect(calls).toEqual([]);
  expect(await lastLineOf(script, { ...env, FACT_STREAM: 'facts', FACTS_BUCKET: 'facts' })).toBe(1);
  const [{ Data }] = calls[0]?.input.Records ?? [];
  const facts = findRefusalFacts(logEvents);
  expect(facts).toHaveLength(1);
  expect(Buffer.from(Data, 'base64').toString()).toBe(facts.map(writeFactLine).join(''));
});

test('the bundled packer packs the facts of a bucket', async () => {
  const packer = await openPacker();
  await packer.deliver([redemption('r_1'), redemption('r_2')]);
  const script = `const { handler } = ${importOf(await sharedBundle('fact-packer'))};
    await handler({}, ${context});`;
  const env = { ...aws, ...namedTable(), FACTS_BUCKET: 'facts', FILES_ENDPOINT: packer.endpoint };
  expect(await lastLineOf(script, env)).toMatchObject({ job: 'pack-facts', facts: 2, written: 1, isDone: true });
  expect((await packer.packed()).map(({ row }) => row.fact_id)).toEqual(['r_1', 'r_2']);
});

test('the bundled report asks Athena if the deployment has a workgroup, and no start asks anything', async () => {
  const { id, credentials: headers } = await loadProject();
  const { calls, endpoint } = await openFakeAws(({ operation }) => {
    if (operation === 'StartQueryExecution') return { QueryExecutionId: 'query-1' };
    if (operation === 'GetQueryExecution') return { QueryExecution: { Status: { State: 'SUCCEEDED' } } };
    const column = { Name: 'uses', Type: 'bigint' };
    const rows = [{ Data: [{ VarCharValue: 'uses' }] }, { Data: [{ VarCharValue: '5' }] }];
    return { ResultSet: { ResultSetMetadata: { ColumnInfo: [column] }, Rows: rows } };
  });
  const bundle = await sharedBundle('make-report');
  const body = { from: '2026-06-01', to: '2026-06-30' };
  const event = apiEvent(make.route, { headers, params: { reportName: 'orders' }, body });
  const script = `const { handler } = ${importOf(bundle)};
    const reply = await handler(${JSON.stringify(event)}, ${context});
    console.log(JSON.stringify({ status: reply.statusCode, ...JSON.parse(reply.body) }));`;
  const table = { ...aws, DYNAMODB_ENDPOINT: inject('endpoint'), TABLE_NAME: fileTable() };
  const on = { REPORTS_WORKGROUP: 'reports', REPORTS_DATABASE: 'facts', ATHENA_ENDPOINT: endpoint };
  expect(await lastLineOf(script, table)).toMatchObject({ status: 403, key: 'reports_disabled' });
  const started = { ...table, ...on, AWS_LAMBDA_FUNCTION_NAME: 'make-report' };
  expect(await lastLineOf(`${importOf(bundle)}; console.log('1');`, started)).toBe(1);
  expect(calls).toEqual([]);
  const reply = await lastLineOf(script, { ...table, ...on });
  // A busy machine may need more than the second that a request waits.
  expect(reply).toSatisfy(({ status, rows }) => status === 202 || (status === 200 && rows[0].uses === 5));
  expect(calls[0]?.input.QueryString).toContain(`project = '${id}'`);
});
