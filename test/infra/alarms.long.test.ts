import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { deployedOperations } from '../../infra/aws/deployed-functions.ts';
import { accessLogFields, accessLogFormat } from '../../infra/aws/gateway.ts';
import { deployed, idOf } from '../support/stack.ts';

const { stack, template } = deployed('full');

const alarmShape = v.looseObject({
  AlarmActions: v.tuple([v.object({ Ref: v.string() })]),
  OKActions: v.tuple([v.object({ Ref: v.string() })]),
  AlarmDescription: v.string(),
  Threshold: v.number(),
  EvaluationPeriods: v.number(),
  DatapointsToAlarm: v.number(),
  TreatMissingData: v.string(),
  MetricName: v.optional(v.string()),
  Metrics: v.optional(v.array(v.looseObject({ Expression: v.optional(v.string()) }))),
  Dimensions: v.optional(v.array(v.looseObject({ Value: v.looseObject({ Ref: v.optional(v.string()) }) }))),
});

const metricShape = v.looseObject({
  Period: v.number(),
  Stat: v.string(),
  Metric: v.looseObject({
    Namespace: v.string(),
    MetricName: v.string(),
    Dimensions: v.array(v.object({ Name: v.string(), Value: v.unknown() })),
  }),
});

const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => ({
  id,
  ...v.parse(alarmShape, Properties),
}));
const filterShape = v.object({
  FilterPattern: v.string(),
  MetricTransformations: v.tuple([v.looseObject({ MetricName: v.string(), MetricValue: v.string() })]),
});
const filters = Object.values(template.findResources('AWS::Logs::MetricFilter')).map(({ Properties }) =>
  v.parse(filterShape, Properties),
);
const patternOf = (name: string) =>
  filters.find(({ MetricTransformations: [{ MetricName }] }) => MetricName === `prod-${name}`)?.FilterPattern;

const topicOf = (output: string) => template.findOutputs(output)[output]?.Value.Ref;
const wakes = alarms.filter(({ AlarmActions: [{ Ref }] }) => Ref === topicOf('AlarmTopic'));
const namedBy = (word: string) => wakes.filter(({ id }) => id.includes(word));

describe('alarms', () => {
  test('are at most 41, and each tells one of two topics when it begins and ends', () => {
    expect(alarms.length).toBeLessThanOrEqual(41);
    const topics = [topicOf('AlarmTopic'), topicOf('TicketTopic')];
    expect(Object.keys(template.findResources('AWS::SNS::Topic')).toSorted()).toEqual(topics.toSorted());
    for (const { AlarmActions, OKActions, AlarmDescription } of alarms) {
      expect(topics).toContain(AlarmActions[0].Ref);
      expect(OKActions).toEqual(AlarmActions);
      expect(AlarmDescription.length).toBeGreaterThan(20);
    }
  });

  test('wake a person for a share, a percentile or a silent probe, and never for one failure', () => {
    expect(wakes).toHaveLength(10);
    for (const { id, Threshold, EvaluationPeriods, DatapointsToAlarm } of wakes) {
      expect([id, Threshold > 0, EvaluationPeriods >= 3, DatapointsToAlarm >= 3]).toEqual([id, true, true, true]);
    }
  });

  test.each(['validations', 'redemptions', 'qualifications'])(
    'watch the availability and the slowest hundredth of %s',
    (till) => {
      expect(namedBy(till)).toMatchObject([
        { Threshold: 1, Metrics: expect.arrayContaining([expect.objectContaining({ Expression: shareOf20 })]) },
        { Threshold: 2_000, ExtendedStatistic: 'p99', MetricName: `prod-${till}-latency` },
      ]);
      // CloudWatch Logs accepts patterns of up to 1,024 characters.
      for (const part of ['requests', 'server-errors', 'latency']) {
        expect(patternOf(`${till}-${part}`)?.length).toBeLessThan(1_024);
        expect(patternOf(`${till}-${part}`)).toContain(`($.routeKey = "POST /v1/${till}")`);
      }
    },
  );

  const shareOf20 = 'IF(all >= 20, 100 * FILL(part, 0) / all, 0)';

  test('ring when the gateway, the rate of a key or the table turns a sale away with 429', () => {
    expect(namedBy('turnedaway')).toMatchObject([{ Threshold: 1 }]);
    expect(patternOf('turned-away')).toMatch(/^\{ \(\$\.status = "429"\) && \(\$\.routeKey != "\* \/client\/\*"\)/);
  });

  test("ring at four fifths of the account's current concurrency", () => {
    expect(namedBy('concurrency')).toMatchObject([{ Threshold: 80 }]);
    expect(JSON.stringify(namedBy('concurrency'))).toContain('100 * used / SERVICE_QUOTA(used)');
  });

  test('ring when the probe got no reply for three minutes, or did not run', () => {
    expect(namedBy('probe')).toMatchObject([
      { Threshold: 1, EvaluationPeriods: 3, TreatMissingData: 'breaching', ComparisonOperator: 'LessThanThreshold' },
    ]);
  });

  test('count the errors of each of the largest families by the paths of their routes', () => {
    expect(patternOf('vouchers-family-errors')).toBe(
      '{ ($.status = "5*") && (($.routeKey = "* /v1/vouchers") || ($.routeKey = "* /v1/vouchers/*")) }',
    );
    expect(patternOf('categories-family-errors')).toBeUndefined();
    // The one route of management serves many operations.
    expect(patternOf('management-family-errors')).toBe(
      '{ ($.status = "5*") && (($.routeKey = "* /management") || ($.routeKey = "* /management/*")) }',
    );
    expect(alarms.filter(({ MetricName }) => MetricName === 'prod-vouchers-family-errors')).toMatchObject([
      { Threshold: 0 },
    ]);
  });

  test('ring when the lists of the table are written for a quarter of an hour, and a reader of its stream is not called', () => {
    const silent = alarms.filter(({ id }) => id.includes('silentstream'));
    expect(silent).toMatchObject([
      { Threshold: 0, EvaluationPeriods: 3, DatapointsToAlarm: 3, AlarmActions: [{ Ref: topicOf('TicketTopic') }] },
    ]);
    const [{ Metrics = [] } = {}] = silent;
    const [written, ...calls] = Metrics.flatMap(({ MetricStat: one }) => (one ? [v.parse(metricShape, one)] : []));
    expect(written).toMatchObject({
      Period: 300,
      Stat: 'Sum',
      Metric: { Namespace: 'AWS/DynamoDB', MetricName: 'ConsumedWriteCapacityUnits' },
    });
    expect(written?.Metric.Dimensions).toContainEqual({ Name: 'GlobalSecondaryIndexName', Value: 'gsi1' });
    const called = calls.map(({ Metric }) => [Metric.MetricName, Metric.Dimensions[0]?.Value]);
    expect(called).toEqual(
      [stack.streamWorker, stack.totalsWorker].map((one) => ['Invocations', { Ref: idOf(one.function) }]),
    );
    const [expression] = Metrics.flatMap(({ Expression }) => Expression ?? []);
    expect(expression).toBe('IF(FILL(written, 0) > 0 AND (FILL(calls0, 0) == 0 OR FILL(calls1, 0) == 0), 1, 0)');
  });

  test('never watch a single function or route', () => {
    const dimensions = alarms.flatMap(({ Dimensions = [] }) => Dimensions);
    const endpoints = [...stack.endpoints.values()].map(idOf);
    expect(dimensions.filter(({ Value }) => endpoints.includes(String(Value.Ref)))).toEqual([]);
    expect(alarms.length).toBeLessThan(deployedOperations.length);
  });
});

test('a line of the access log is JSON with a number as latency', () => {
  const line = accessLogFormat.replaceAll(/\$context\.\w+(\.\w+)*/g, '17');
  expect(JSON.parse(line)).toEqual(
    Object.fromEntries(Object.keys(accessLogFields).map((name) => [name, name === 'latencyInMs' ? 17 : '17'])),
  );
});
