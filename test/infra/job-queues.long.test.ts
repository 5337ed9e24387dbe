import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { queueNames, queueVariable } from '#kernel/kit/jobs/queues.ts';
import { maxGzipBytes } from '../../infra/aws/bundle.ts';
import { sharedBundle } from '../support/bundles.ts';
import { deployed } from '../support/stack.ts';

let template: Template;
let full: Template;

beforeAll(() => {
  ({ template } = deployed());
  ({ template: full } = deployed('full'));
});

/** Maps the source of messages to its worker. */
const mappings = () =>
  Object.values(template.findResources('AWS::Lambda::EventSourceMapping'))
    .map(({ Properties }) => Properties)
    .filter(({ StartingPosition }) => StartingPosition === undefined);

/** Returns the alarm for everything that workers gave up. */
function givenUpAlarm(of: Template) {
  const alarms = Object.values(of.findResources('AWS::CloudWatch::Alarm'));
  const found = alarms.find(({ Properties }) => JSON.stringify(Properties.Metrics ?? '').includes('-jobs-given-up'));
  return found?.Properties;
}

const counting = (MetricName: string) =>
  expect.objectContaining({
    MetricStat: expect.objectContaining({ Metric: { MetricName, Namespace: 'Tessera' } }),
  });

describe('each class of work', () => {
  test('has its own encrypted queue, its own worker, and dead letters for 14 days', () => {
    expect(mappings()).toHaveLength(queueNames.length);
    const functions = new Set<string>();
    const letters = new Set<string>();
    for (const { EventSourceArn, FunctionName } of mappings()) {
      functions.add(FunctionName.Ref);
      const [id] = EventSourceArn['Fn::GetAtt'];
      const { Properties } = template.findResources('AWS::SQS::Queue')[id] ?? {};
      expect(Properties).toMatchObject({ SqsManagedSseEnabled: true, RedrivePolicy: { maxReceiveCount: 5 } });
      const [deadLetters] = Properties.RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'];
      letters.add(deadLetters);
      expect(template.findResources('AWS::SQS::Queue')[deadLetters]?.Properties).toMatchObject({
        SqsManagedSseEnabled: true,
        MessageRetentionPeriod: 14 * 24 * 60 * 60,
      });
      const worker = template.findResources('AWS::Lambda::Function')[FunctionName.Ref]?.Properties;
      // A message is not delivered a second time while its worker may be at it.
      expect(Properties.VisibilityTimeout).toBeGreaterThanOrEqual(worker.Timeout * 6);
    }
    expect(functions.size).toBe(queueNames.length);
    // An alarm pays for each queue that it watches, and SQS returns a message to the queue that it came from.
    expect(letters.size).toBe(1);
  });

  test('has its own ceiling, and names the messages that failed', () => {
    for (const mapping of mappings()) {
      expect(mapping).toMatchObject({
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: expect.any(Number) },
      });
    }
  });

  test('is known to the dispatcher, the hourly sweep and its worker, which may send to it', () => {
    const variables = queueNames.map((name) => queueVariable(name));
    const told = Object.values(template.findResources('AWS::Lambda::Function')).filter(({ Properties }) =>
      variables.every((name) => Object.hasOwn(Properties.Environment.Variables, name)),
    );
    expect(told).toHaveLength(queueNames.length + 2);
    for (const { EventSourceArn } of mappings()) {
      const senders = Object.values(template.findResources('AWS::IAM::Policy')).filter(({ Properties }) =>
        Properties.PolicyDocument.Statement.some(
          ({ Action, Resource }: { Action: string | string[]; Resource: unknown }) =>
            [Action].flat().includes('sqs:SendMessage') && Match.exact(EventSourceArn).test(Resource).isSuccess,
        ),
      );
      expect(senders).toHaveLength(3);
    }
  });
});

describe('there is an alarm', () => {
  test('when a message has crashed its worker again and again', () => {
    const [{ EventSourceArn } = { EventSourceArn: {} }] = mappings();
    const queue = template.findResources('AWS::SQS::Queue')[EventSourceArn['Fn::GetAtt'][0]]?.Properties;
    const [deadLetters] = queue.RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'];
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [deadLetters, 'QueueName'] } }],
      Threshold: 0,
    });
  });

  test('when a job waits for more than an hour, with full monitoring', () => {
    const MetricName = 'ApproximateAgeOfOldestMessage';
    full.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Threshold: 3_600,
      Metrics: Match.arrayWith([
        Match.objectLike({ Expression: 'MAX(METRICS())' }),
        ...queueNames.map(() =>
          Match.objectLike({ MetricStat: Match.objectLike({ Metric: Match.objectLike({ MetricName }) }) }),
        ),
      ]),
    });
  });

  test('when a worker or the sweep ends a job as FAILED', () => {
    const filters = Object.values(template.findResources('AWS::Logs::MetricFilter')).filter(
      ({ Properties }) => Properties.MetricTransformations[0].MetricName === 'dev-jobs-given-up',
    );
    const patterns = filters.map(({ Properties }) => Properties.FilterPattern);
    expect(patterns.filter((one) => one === '{ $.given_up IS TRUE }')).toHaveLength(queueNames.length + 1);
    expect(givenUpAlarm(template)).toMatchObject({
      Threshold: 0,
      Metrics: expect.arrayContaining([counting('dev-jobs-given-up')]),
    });
  });
});

describe('webhooks', () => {
  test('ring the same alarm if one was switched off, or if a target of the account refused an event', () => {
    for (const [of, name] of [
      [template, 'dev-jobs-given-up'],
      [full, 'prod-webhooks-failed'],
    ] as const) {
      const counted = Object.values(of.findResources('AWS::Logs::MetricFilter')).filter(
        ({ Properties }) => Properties.FilterPattern === '{ $.webhook_failed IS TRUE }',
      );
      expect(counted.map(({ Properties }) => Properties.MetricTransformations[0].MetricName)).toEqual([name]);
      expect(givenUpAlarm(of)?.Metrics).toContainEqual(counting(name));
    }
  });

  const grants = (of: Template) =>
    Object.values(of.findResources('AWS::IAM::Policy')).flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.map((statement: Record<string, unknown>) => ({
        roles: Properties.Roles,
        ...statement,
      })),
    );

  test('may send to exactly the queues and buses that the deployment names, and no others can be chosen', () => {
    const { template: withTargets } = deployed('full');
    const listing = Object.values(withTargets.findResources('AWS::Lambda::Function'))
      .map(({ Properties }) => Properties)
      .filter(({ Environment }) => Object.hasOwn(Environment.Variables, 'EVENT_TARGETS'));
    for (const { Environment } of listing) {
      expect(Environment.Variables.EVENT_TARGETS).toBe('sqs:orders eventbridge:shop');
    }
    const byGuard = Map.groupBy(listing, ({ Environment }) => Environment.Variables.MANAGEMENT_GUARD);
    const [worker, ...others] = byGuard.get(undefined) ?? [];
    const choosers = byGuard.get('keys')?.map(({ Description }) => Description);
    // The function of management creates and updates webhooks.
    expect(choosers).toEqual([expect.stringContaining('operations of management')]);
    expect(others).toEqual([]);
    const [Ref] = worker?.Role['Fn::GetAtt'] ?? [];
    const named = grants(withTargets).filter(({ Resource }) =>
      /:(?:orders|event-bus\/shop)"/.test(JSON.stringify(Resource)),
    );
    expect(named.map(({ roles, Action }) => ({ roles, Action }))).toEqual([
      { roles: [{ Ref }], Action: 'sqs:SendMessage' },
      { roles: [{ Ref }], Action: 'events:PutEvents' },
    ]);
    for (const { Resource } of named) expect(JSON.stringify(Resource)).not.toContain('*');
  });

  test('need no right and no setting without a target', () => {
    expect(JSON.stringify(template.toJSON())).not.toMatch(/events:PutEvents|EVENT_TARGETS/);
  });
});

describe('mail', () => {
  test("is sent only by its queue's worker, from the one sender", () => {
    const { template: withSender } = deployed('full');
    const senders = Object.values(withSender.findResources('AWS::Lambda::Function')).filter(({ Properties }) =>
      Object.hasOwn(Properties.Environment.Variables, 'MAIL_SENDER'),
    );
    expect(senders.map(({ Properties }) => Properties.Environment.Variables.MAIL_SENDER)).toEqual([
      'hello@shop.example',
    ]);
    const [role] = senders[0]?.Properties.Role['Fn::GetAtt'] ?? [];
    const granted = Object.values(withSender.findResources('AWS::IAM::Policy')).flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.map((statement: Record<string, unknown>) => ({
        roles: Properties.Roles,
        ...statement,
      })),
    );
    expect(granted.filter(({ Action }) => [Action].flat().some((action) => action.startsWith('ses:')))).toMatchObject([
      {
        roles: [{ Ref: role }],
        Action: 'ses:SendEmail',
        Condition: { StringEquals: { 'ses:FromAddress': 'hello@shop.example' } },
      },
    ]);
  });

  test('needs no right and no setting without a sender', () => {
    expect(JSON.stringify(template.toJSON())).not.toMatch(/ses:|MAIL_SENDER/);
  });
});

test(`the bundle has at most ${maxGzipBytes} bytes, gzipped`, async () => {
  expect((await sharedBundle('job-worker')).gzipBytes).toBeLessThanOrEqual(maxGzipBytes);
});
