import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { streamFilters } from '#registry.ts';
import { maxGzipBytes } from '../../infra/aws/bundle.ts';
import { importOf, linesOf, sharedBundle } from '../support/bundles.ts';
import { serveSqs } from '../support/fake-sqs.ts';
import { queueEnvironment } from '../support/queues.ts';
import { deployed } from '../support/stack.ts';

const mappingType = 'AWS::Lambda::EventSourceMapping';

const reference = v.object({ Ref: v.string() });
const mappingResource = v.object({
  Properties: v.object({
    FilterCriteria: v.object({ Filters: v.array(v.object({ Pattern: v.pipe(v.string(), v.parseJson()) })) }),
  }),
});

const bundle = await sharedBundle('stream-worker');
const { stack, template: whole } = deployed('full');
const template = whole;
const construct = stack.streamWorker;
const idOf = (token: unknown) => v.parse(reference, stack.resolve(token)).Ref;
const worker = {
  function: idOf(construct.function.functionName),
  role: idOf(construct.function.role?.roleName),
  logGroup: idOf(construct.function.logGroup.logGroupName),
  deadLetters: idOf(construct.deadLetters.queueUrl),
  table: Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'))[0] ?? '',
};

const arn = (id: string, attribute = 'Arn') => ({ 'Fn::GetAtt': [id, attribute] });

describe('the event source', () => {
  test('is the stream of the table, from its beginning', () => {
    template.hasResourceProperties(mappingType, {
      FunctionName: { Ref: worker.function },
      EventSourceArn: arn(worker.table, 'StreamArn'),
      StartingPosition: 'TRIM_HORIZON',
    });
  });

  test('repeats failed batches by halves, and then leaves records to the queue', () => {
    template.hasResourceProperties(mappingType, {
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 30,
      MaximumRecordAgeInSeconds: 24 * 60 * 60,
      DestinationConfig: { OnFailure: { Destination: arn(worker.deadLetters) } },
    });
  });

  test('passes only changes that some consumer wants', () => {
    const [mapping] = Object.values(
      template.findResources(mappingType, { Properties: { FunctionName: { Ref: worker.function } } }),
    );
    const { Filters } = v.parse(mappingResource, mapping).Properties.FilterCriteria;
    expect(Filters.map(({ Pattern }) => Pattern)).toEqual(streamFilters);
  });
});

describe('the function', () => {
  test('runs on Node.js 24 on arm64', () => {
    const { Properties } = template.findResources('AWS::Lambda::Function')[worker.function] ?? {};
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Timeout: 60,
    });
  });
});

test('the dead-letter queue is encrypted and keeps messages for 14 days', () => {
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

  test('when a record is a dead letter', () => {
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

  test('brings neither the code of the stack nor credential sources that Lambda lacks', async () => {
    const names = (await readdir(bundle.dir)).filter((name) => name.endsWith('.mjs'));
    const code = (await Promise.all(names.map((name) => readFile(join(bundle.dir, name), 'utf8')))).join('\n');
    expect(code).not.toContain('aws-cdk');
    expect(code).not.toContain('sso_session');
  });

  test('has a handler that ignores foreign records', async () => {
    const Keys = { pk: { S: 'proj#TOTAL#v_1' }, sk: { S: 'TOTAL' } };
    const record = { eventName: 'REMOVE', dynamodb: { Keys, OldImage: Keys, SequenceNumber: '1' } };
    const script = `
      const { handler } = ${importOf(bundle)};
      await handler(${JSON.stringify({ Records: [record] })});
      console.log('done');`;
    expect(await linesOf(script, { ...queueEnvironment, TABLE_NAME: 'table-of-no-engine' })).toEqual(['done']);
  });

  test('sends what follows from records, and makes a dead letter of a message that its queue refuses', async () => {
    const { endpoint, kept } = await serveSqs((body) => (body.includes('bad') ? 'InvalidMessageContents' : undefined));
    const names = ['one', 'bad ☕️', 'two'];
    const Records = names.map((name, index) => {
      const Keys = { pk: { S: `proj#JOB#${name}` }, sk: { S: 'JOB' } };
      const NewImage = { ...Keys, kind: { S: 'finish-update' }, state: { S: 'OPEN' } };
      return { eventName: 'INSERT', dynamodb: { Keys, NewImage, SequenceNumber: String(index) } };
    });
    const script = `
      const { handler } = ${importOf(bundle)};
      await handler(${JSON.stringify({ Records })});
      console.log('done');`;
    const queues = Object.fromEntries(
      Object.entries(queueEnvironment).map(([name, url]) => [name, url.replace('http://127.0.0.1:1', endpoint)]),
    );
    const lines = await linesOf(script, { ...queues, TABLE_NAME: 'table-of-no-engine' });
    expect(lines.at(-1)).toBe('done');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', part: 'dead-letters' });
    expect(lines[0]).toContain('bad ☕️');
    const bodiesIn = (isLetter: boolean) =>
      kept.filter(({ queue }) => (queue === 'dead-letters') === isLetter).map(({ body }) => JSON.parse(body).pk);
    expect(bodiesIn(true)).toEqual(['proj#JOB#bad ☕️']);
    expect(bodiesIn(false)).toEqual(['proj#JOB#one', 'proj#JOB#two']);
  });
});

test('the function knows its dead-letter queue, and may send to it', () => {
  const { Properties } = template.findResources('AWS::Lambda::Function')[worker.function] ?? {};
  expect(Properties.Environment.Variables.DEAD_LETTERS_QUEUE_URL).toEqual({ Ref: worker.deadLetters });
  const policies = Object.values(
    template.findResources('AWS::IAM::Policy', { Properties: { Roles: [{ Ref: worker.role }] } }),
  );
  expect(policies.flatMap(({ Properties: { PolicyDocument } }) => PolicyDocument.Statement)).toContainEqual(
    expect.objectContaining({
      Action: expect.arrayContaining(['sqs:SendMessage']),
      Effect: 'Allow',
      Resource: arn(worker.deadLetters),
    }),
  );
});
