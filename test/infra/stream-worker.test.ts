import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { App } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Bundle, bundleStreamWorker, maxGzipBytes } from '../../infra/bundle.ts';
import { checkedSender, TesseraStack, type TesseraStackProps } from '../../infra/stack.ts';
import { StreamWorkerFunction } from '../../infra/stream-worker-function.ts';
import { recordFilters } from '../../lib/outbox/worker.ts';
import { routes } from '../../lib/routes/index.ts';
import { wholeTemplate } from '../support/template.ts';

const mappingType = 'AWS::Lambda::EventSourceMapping';

const reference = v.object({ Ref: v.string() });
const mappingResource = v.object({
  Properties: v.object({
    FilterCriteria: v.object({ Filters: v.array(v.object({ Pattern: v.pipe(v.string(), v.parseJson()) })) }),
  }),
});
const policyResource = v.object({
  Properties: v.object({
    Roles: v.array(reference),
    PolicyDocument: v.object({
      Statement: v.array(
        v.object({
          Effect: v.literal('Allow'),
          Action: v.union([v.array(v.string()), v.string()]),
          Resource: v.unknown(),
        }),
      ),
    }),
  }),
});

let workDir: string;
let bundle: Bundle;
let worker: { function: string; role: string; logGroup: string; deadLetters: string; table: string };
let template: Template;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'tessera-stream-worker-'));
  bundle = await bundleStreamWorker(workDir);
  const bundleDirs = Object.fromEntries(Object.keys(routes).map((operation) => [operation, bundle.dir]));
  const { dir } = bundle;
  const single = { streamWorkerBundleDir: dir, dueWorkerBundleDir: dir, docsBundleDir: dir };
  const stack = new TesseraStack(new App(), { stage: 'dev', bundleDirs, ...single });
  template = wholeTemplate(stack);
  const construct = stack.node.findChild('stream-worker');
  if (!(construct instanceof StreamWorkerFunction)) throw new Error('stream-worker is not a StreamWorkerFunction');
  const idOf = (token: unknown) => v.parse(reference, stack.resolve(token)).Ref;
  worker = {
    function: idOf(construct.function.functionName),
    role: idOf(construct.function.role?.roleName),
    logGroup: idOf(construct.function.logGroup.logGroupName),
    deadLetters: idOf(construct.deadLetters.queueUrl),
    table: Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'))[0] ?? '',
  };
});

afterAll(() => rm(workDir, { recursive: true, force: true }));

const arn = (id: string, attribute = 'Arn') => ({ 'Fn::GetAtt': [id, attribute] });

describe('the event source', () => {
  test('is the stream of the table, from its beginning', () => {
    template.resourceCountIs(mappingType, 1);
    template.hasResourceProperties(mappingType, {
      FunctionName: { Ref: worker.function },
      EventSourceArn: arn(worker.table, 'StreamArn'),
      StartingPosition: 'TRIM_HORIZON',
    });
  });

  test('delivers small batches, ten of a shard at once', () => {
    template.hasResourceProperties(mappingType, { BatchSize: 10, ParallelizationFactor: 10 });
  });

  test('repeats what failed, by record and by half a batch, and then leaves it to the queue', () => {
    template.hasResourceProperties(mappingType, {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 30,
      MaximumRecordAgeInSeconds: 24 * 60 * 60,
      DestinationConfig: { OnFailure: { Destination: arn(worker.deadLetters) } },
    });
  });

  test('lets through what the worker acts on, and nothing else', () => {
    const [mapping] = Object.values(template.findResources(mappingType));
    const { Filters } = v.parse(mappingResource, mapping).Properties.FilterCriteria;
    expect(Filters.map(({ Pattern }) => Pattern)).toEqual(recordFilters);
  });

  test('has no more filters, and no longer ones, than Lambda takes', () => {
    expect(recordFilters.length).toBeGreaterThan(0);
    expect(recordFilters.length).toBeLessThanOrEqual(5);
    for (const filter of recordFilters) expect(JSON.stringify(filter).length).toBeLessThanOrEqual(4_096);
  });
});

describe('the function', () => {
  test('runs on Node.js 24 on arm64 and knows the table', () => {
    const { Properties } = template.findResources('AWS::Lambda::Function')[worker.function] ?? {};
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: 1024,
      Timeout: 60,
      Environment: { Variables: { TABLE_NAME: { Ref: worker.table } } },
    });
  });

  test('may do what it does where it does it, and nothing more', () => {
    const granted = Object.values(template.findResources('AWS::IAM::Policy'))
      .map((policy) => v.parse(policyResource, policy).Properties)
      .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === worker.role))
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const actionsOn = (target: unknown) =>
      granted
        .filter(({ Resource }) => JSON.stringify([Resource].flat()) === JSON.stringify([target].flat()))
        .flatMap(({ Action }) => Action)
        .sort();
    const table = arn(worker.table);
    const byTarget = [
      actionsOn(table),
      actionsOn(arn(worker.table, 'StreamArn')),
      actionsOn(arn(worker.deadLetters)),
      actionsOn(arn(worker.logGroup)),
      actionsOn('*'),
    ];
    expect(byTarget).toEqual([
      [
        'dynamodb:BatchGetItem',
        'dynamodb:DeleteItem',
        'dynamodb:GetItem',
        'dynamodb:PartiQLInsert',
        'dynamodb:UpdateItem',
      ],
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
      ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
    ]);
    expect(granted.flatMap(({ Action }) => Action)).toHaveLength(byTarget.flat().length);
  });
});

describe('mail', () => {
  /** Of a stack with a sender, and of none. */
  const templateOf = (others: Partial<TesseraStackProps>) => {
    const bundleDirs = Object.fromEntries(Object.keys(routes).map((operation) => [operation, bundle.dir]));
    const { dir } = bundle;
    const single = { streamWorkerBundleDir: dir, dueWorkerBundleDir: dir, docsBundleDir: dir };
    const props = { stage: 'dev', bundleDirs, ...single, ...others };
    return wholeTemplate(new TesseraStack(new App(), props));
  };

  test('is sent by the worker alone, from the one sender', () => {
    const withSender = templateOf({ mailSender: 'hello@shop.example' });
    const told = Object.entries(withSender.findResources('AWS::Lambda::Function')).filter(([, { Properties }]) =>
      Object.hasOwn(Properties.Environment.Variables, 'MAIL_SENDER'),
    );
    expect(told.map(([id, { Properties }]) => [id, Properties.Environment.Variables.MAIL_SENDER])).toEqual([
      [worker.function, 'hello@shop.example'],
    ]);
    const policies = Object.values(withSender.findResources('AWS::IAM::Policy'));
    const granted = policies.flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.map((statement: Record<string, unknown>) => ({
        roles: Properties.Roles,
        ...statement,
      })),
    );
    expect(granted.filter(({ Action }) => [Action].flat().some((action) => action.startsWith('ses:')))).toMatchObject([
      {
        roles: [{ Ref: worker.role }],
        Action: 'ses:SendEmail',
        Condition: { StringEquals: { 'ses:FromAddress': 'hello@shop.example' } },
      },
    ]);
  });

  test('needs no right and no setting where there is no sender', () => {
    expect(JSON.stringify(templateOf({}).toJSON())).not.toMatch(/ses:|MAIL_SENDER/);
  });

  test.each(['hello', 'Shop <hello@shop.example>', '', 7])('does not come from %j', (sender) => {
    expect(() => checkedSender(sender)).toThrow('mailSender must be an e-mail address');
  });
});

test('the queue of what was given up is encrypted and kept for 14 days', () => {
  template.hasResourceProperties('AWS::SQS::Queue', {
    SqsManagedSseEnabled: true,
    MessageRetentionPeriod: 14 * 24 * 60 * 60,
  });
});

describe('there is an alarm', () => {
  const alarm = (properties: Record<string, unknown>) =>
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      ComparisonOperator: 'GreaterThanThreshold',
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
      ...properties,
    });

  test.each([
    ['when a call fails', 'Errors', 'Sum', 0],
    ['when the worker is more than 5 minutes behind', 'IteratorAge', 'Maximum', 300_000],
  ])('%s', (_, MetricName, Statistic, Threshold) => {
    const Dimensions = [{ Name: 'FunctionName', Value: { Ref: worker.function } }];
    alarm({ Namespace: 'AWS/Lambda', MetricName, Statistic, Threshold, Dimensions });
  });

  test('when a record was given up', () => {
    alarm({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Statistic: 'Maximum',
      Threshold: 0,
      Dimensions: [{ Name: 'QueueName', Value: arn(worker.deadLetters, 'QueueName') }],
    });
  });
});

describe('the bundle', () => {
  test(`has at most ${maxGzipBytes} bytes, gzipped`, () => {
    expect(bundle.gzipBytes).toBeLessThanOrEqual(maxGzipBytes);
  });

  test('brings neither the build of the stack nor the credential sources that Lambda does not have', async () => {
    const names = (await readdir(bundle.dir)).filter((name) => name.endsWith('.mjs'));
    const code = (await Promise.all(names.map((name) => readFile(join(bundle.dir, name), 'utf8')))).join('\n');
    expect(code).not.toContain('aws-cdk');
    expect(code).not.toContain('sso_session');
  });

  test('has a handler that lets a record pass that is none of its business', async () => {
    const Keys = { pk: { S: 'proj#VOUCHER#v_1' }, sk: { S: 'VOUCHER' } };
    const record = { eventName: 'REMOVE', dynamodb: { Keys, OldImage: Keys, SequenceNumber: '1' } };
    const script = `
      const { handler } = await import(${JSON.stringify(pathToFileURL(join(bundle.dir, 'index.mjs')))});
      const reply = await handler(${JSON.stringify({ Records: [record] })});
      console.log(JSON.stringify(reply));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      env: { TABLE_NAME: inject('tableName'), DYNAMODB_ENDPOINT: inject('endpoint') },
    });
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual({ batchItemFailures: [] });
  });
});
