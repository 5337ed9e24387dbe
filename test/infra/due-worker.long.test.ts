import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Match } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { describe, expect, inject, test } from 'vitest';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { indexed, stripKey } from '#kernel/table/keys.ts';
import { maxGzipBytes } from '../../infra/aws/bundle.ts';
import { DueWorkerFunction } from '../../infra/aws/due-worker-function.ts';
import { importOf, linesOf, sharedBundle } from '../support/bundles.ts';
import { ownTable, testDependencies } from '../support/dependencies.ts';
import { queueEnvironment } from '../support/queues.ts';
import { deployed } from '../support/stack.ts';

const reference = v.object({ Ref: v.string() });

const bundle = await sharedBundle('due-worker');
const { stack, template: whole } = deployed();
const { template: full } = deployed('full');
const template = whole;
const construct = stack.node.findChild('due-worker');
if (!(construct instanceof DueWorkerFunction)) throw new Error('due-worker is not a DueWorkerFunction');
const idOf = (token: unknown) => v.parse(reference, stack.resolve(token)).Ref;
const worker = {
  function: idOf(construct.function.functionName),
  role: idOf(construct.function.role?.roleName),
  logGroup: idOf(construct.function.logGroup.logGroupName),
  table: Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'))[0] ?? '',
};

const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

test('an hourly schedule calls the function, and has the right to', () => {
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

test('the function has a quarter of an hour, knows the table, and runs again only in the next hour', () => {
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

test('the function has exactly the rights that its work needs', () => {
  const granted = Object.values(template.findResources('AWS::IAM::Policy'))
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref === worker.role))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const table = arn(worker.table);
  expect(granted).toEqual(
    expect.arrayContaining([
      {
        Effect: 'Allow',
        Action: [
          'dynamodb:GetItem',
          'dynamodb:BatchGetItem',
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

describe('there is an alarm', () => {
  test.each([
    ['an item failed', '$.failed'],
    ['a job was stuck', '$.swept'],
  ])('of jobs in a stage with standard monitoring, when %s, and its metric has no data otherwise', (_, field) => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: `{ ($.job = "settle-due") && (${field} > 0) }`,
      MetricTransformations: [Match.objectLike({ MetricName: 'dev-jobs-given-up', MetricValue: field })],
    });
  });

  test('when a due item failed', () => {
    full.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ ($.job = "settle-due") && ($.failed > 0) }',
      MetricTransformations: [Match.objectLike({ MetricName: 'prod-due-unsettled', MetricValue: '$.failed' })],
    });
    full.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'prod-due-unsettled',
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0,
      TreatMissingData: 'notBreaching',
    });
  });

  test('when no run has finished for two hours', () => {
    full.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ ($.job = "settle-due") && ($.finished IS TRUE) }',
      MetricTransformations: [Match.objectLike({ MetricName: 'prod-due-finished', MetricValue: '1' })],
    });
    full.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'prod-due-finished',
      Statistic: 'Sum',
      Period: 3_600,
      EvaluationPeriods: 2,
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
    });
  });
});

describe('the bundle', () => {
  test(`has at most ${maxGzipBytes} bytes, gzipped`, () => {
    expect(bundle.gzipBytes).toBeLessThanOrEqual(maxGzipBytes);
  });

  async function invoke(tableName: string): Promise<{ outcome: string; lines: Record<string, unknown>[] }> {
    const script = `
      const { handler } = ${importOf(bundle)};
      const outcome = await handler({}, { getRemainingTimeInMillis: () => 900_000 }).then(() => 'done', (error) => error.message);
      console.log(JSON.stringify({ outcome }));`;
    const env = { TABLE_NAME: tableName, DYNAMODB_ENDPOINT: inject('endpoint'), ...queueEnvironment };
    const lines = (await linesOf(script, env)).map((line) => JSON.parse(line));
    return { outcome: lines.at(-1).outcome, lines: lines.slice(0, -1) };
  }

  test('does nothing if nothing is due', async () => {
    const { outcome, lines } = await invoke(await ownTable());
    expect([outcome, lines]).toEqual([
      'done',
      [expect.objectContaining({ job: 'settle-due', settled: 0, failed: 0, finished: true })],
    ]);
  });

  test('reports a failed item after all other work', async () => {
    const tableName = await ownTable();
    const key = vouchers('proj_gone', 'v_1');
    const due = { project_id: 'proj_gone', dueShard: indexed.dueShardOf(key), dueAt: '2026-01-01' };
    await testDependencies().dynamodb.send(
      new PutCommand({ TableName: tableName, Item: { ...stripKey(key), ...due } }),
    );
    const { outcome, lines } = await invoke(tableName);
    expect(outcome).toBe('done');
    expect(lines).toMatchObject([{ level: 'error' }, { level: 'info', failed: 1, finished: true }]);
  });
});
