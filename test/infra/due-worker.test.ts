import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { App } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Bundle, bundleDueWorker, maxGzipBytes } from '../../infra/bundle.ts';
import { DueWorkerFunction } from '../../infra/due-worker-function.ts';
import { TesseraStack } from '../../infra/stack.ts';
import { routes } from '../../lib/routes/index.ts';
import { indexed, keys } from '../../lib/table.ts';
import { ownTable, testDependencies } from '../support/dependencies.ts';
import { wholeTemplate } from '../support/template.ts';

const reference = v.object({ Ref: v.string() });

let workDir: string;
let bundle: Bundle;
let worker: { function: string; role: string; logGroup: string; table: string };
let template: Template;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'tessera-due-worker-'));
  bundle = await bundleDueWorker(workDir);
  const { dir } = bundle;
  const bundleDirs = Object.fromEntries(Object.keys(routes).map((operation) => [operation, dir]));
  const single = { streamWorkerBundleDir: dir, dueWorkerBundleDir: dir, docsBundleDir: dir };
  const stack = new TesseraStack(new App(), { stage: 'dev', bundleDirs, ...single });
  template = wholeTemplate(stack);
  const construct = stack.node.findChild('due-worker');
  if (!(construct instanceof DueWorkerFunction)) throw new Error('due-worker is not a DueWorkerFunction');
  const idOf = (token: unknown) => v.parse(reference, stack.resolve(token)).Ref;
  worker = {
    function: idOf(construct.function.functionName),
    role: idOf(construct.function.role?.roleName),
    logGroup: idOf(construct.function.logGroup.logGroupName),
    table: Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'))[0] ?? '',
  };
});

afterAll(() => rm(workDir, { recursive: true, force: true }));

const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

test('an hourly schedule calls the function, and may', () => {
  template.resourceCountIs('AWS::Events::Rule', 1);
  template.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'rate(1 hour)',
    State: 'ENABLED',
    Targets: [Match.objectLike({ Arn: arn(worker.function) })],
  });
  template.hasResourceProperties('AWS::Lambda::Permission', {
    Action: 'lambda:InvokeFunction',
    FunctionName: arn(worker.function),
    Principal: 'events.amazonaws.com',
  });
});

test('the function has a quarter of an hour, knows the table, and is not repeated before the next hour', () => {
  const { Properties } = template.findResources('AWS::Lambda::Function')[worker.function] ?? {};
  expect(Properties).toMatchObject({
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Timeout: 15 * 60,
    Environment: { Variables: { TABLE_NAME: { Ref: worker.table } } },
  });
  template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
    FunctionName: { Ref: worker.function },
    MaximumRetryAttempts: 0,
  });
});

test('the function may do what it does where it does it, and nothing more', () => {
  const granted = Object.values(template.findResources('AWS::IAM::Policy'))
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref === worker.role))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const table = arn(worker.table);
  expect(granted).toHaveLength(3);
  expect(granted).toEqual(
    expect.arrayContaining([
      {
        Effect: 'Allow',
        Action: [
          'dynamodb:BatchGetItem',
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:Query',
          'dynamodb:UpdateItem',
        ],
        Resource: [table, { 'Fn::Join': ['', [table, '/index/due']] }],
      },
      { Effect: 'Allow', Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], Resource: '*' },
      { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: arn(worker.logGroup) },
    ]),
  );
});

test('a run that fails, or that leaves something unsettled, rings an alarm', () => {
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    Namespace: 'AWS/Lambda',
    MetricName: 'Errors',
    Statistic: 'Sum',
    ComparisonOperator: 'GreaterThanThreshold',
    Threshold: 0,
    EvaluationPeriods: 1,
    TreatMissingData: 'notBreaching',
    Dimensions: [{ Name: 'FunctionName', Value: { Ref: worker.function } }],
  });
});

describe('the bundle', () => {
  test(`has at most ${maxGzipBytes} bytes, gzipped`, () => {
    expect(bundle.gzipBytes).toBeLessThanOrEqual(maxGzipBytes);
  });

  async function invoke(tableName: string): Promise<{ outcome: string; lines: Record<string, unknown>[] }> {
    const script = `
      const { handler } = await import(${JSON.stringify(pathToFileURL(join(bundle.dir, 'index.mjs')))});
      const outcome = await handler({}, { getRemainingTimeInMillis: () => 900_000 }).then(() => 'done', (error) => error.message);
      console.log(JSON.stringify({ outcome }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      env: { TABLE_NAME: tableName, DYNAMODB_ENDPOINT: inject('endpoint') },
    });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { outcome: lines.at(-1).outcome, lines: lines.slice(0, -1) };
  }

  test('does nothing where nothing is due', async () => {
    const { outcome, lines } = await invoke(await ownTable());
    expect([outcome, lines]).toEqual([
      'done',
      [expect.objectContaining({ job: 'settle-due', settled: 0, failed: 0, finished: true })],
    ]);
  });

  test('fails, after all else, where something could not be settled', async () => {
    const tableName = await ownTable();
    const key = keys.voucher('proj_gone', 'v_1');
    const due = { project_id: 'proj_gone', dueShard: indexed.dueShardOf(key), dueAt: '2026-01-01' };
    await testDependencies().dynamodb.send(new PutCommand({ TableName: tableName, Item: { ...key, ...due } }));
    const { outcome, lines } = await invoke(tableName);
    expect(outcome).toContain('1 items');
    expect(lines).toMatchObject([{ level: 'error' }, { level: 'info', failed: 1, finished: true }]);
  });
});
