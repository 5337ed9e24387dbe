import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { resourcesIn } from '../support/template.ts';
import { assumed } from './assumptions.ts';
import { cents, lambdaCost, millionCalls, sum } from './model.ts';
import { cost, gigabyte, million } from './prices.ts';

/** Counts the parts of a stage that cost money without calls, in its template. */

/** Metrics that API Gateway keeps for a route: requests, 4xx, 5xx, both latencies, bytes. */
const metricsOfRoute = 6;

const anything = v.record(v.string(), v.unknown());
const resource = v.object({ Properties: v.optional(anything, {}) });

const alarm = v.object({ Metrics: v.optional(v.array(v.looseObject({ MetricStat: v.optional(v.unknown()) }))) });
const filter = v.object({ MetricTransformations: v.array(v.object({ MetricName: v.string() })) });
const gatewayStage = v.object({
  RouteSettings: v.record(v.string(), v.object({ DetailedMetricsEnabled: v.boolean() })),
});
const rule = v.object({
  ScheduleExpression: v.optional(v.string()),
  Targets: v.optional(v.array(v.looseObject({ Input: v.optional(v.string()) })), []),
});
const traced = v.object({ TracingConfig: v.object({ Mode: v.string() }) });

interface Standing {
  count: number;
  words: string;
  /** Dollars for all of them. */
  month: number;
}

export const standingWords = {
  alarms: 'metrics that alarms look at',
  dashboards: 'dashboards',
  keys: 'KMS keys, of the table; its requests are few, for DynamoDB keeps data keys',
  polledQueues: 'queues that feed a worker: polls',
  probes: 'synthetic probes, each minute: its own call, and the one that it makes',
  minutely: 'runs each minute for deliveries of webhooks',
  hourly: 'hourly runs of what is due',
  streamReaders: 'readers of the stream: Lambda polls it for nothing',
  logGroups: 'log groups: nothing while nothing is logged',
  queues: 'queues, dead letters too: nothing while nothing is sent',
  functions: 'functions: nothing without calls',
  buckets: 'buckets: what they store alone',
  rollouts: 'gradual deployments of CodeDeploy: nothing for Lambda',
  logMetrics: 'metrics made from logs: one without data costs nothing',
  routeMetrics: 'metrics of checkout routes',
} as const;

export type StandingName = keyof typeof standingWords;
export type Counts = Record<StandingName, number>;

/** Says whether Lambda chooses calls of a stage for traces. */
export function isTraced(template: Template): boolean {
  const functions = Object.values(resourcesIn(template, 'AWS::Lambda::Function'));
  return functions.some((one) => v.parse(traced, v.parse(resource, one).Properties).TracingConfig.Mode === 'Active');
}

/** Counts in the template of a stage. */
export function countsIn(template: Template): Counts {
  const parsed = <S extends v.GenericSchema>(type: string, schema: S): v.InferOutput<S>[] =>
    Object.values(resourcesIn(template, type)).map((one) => v.parse(schema, v.parse(resource, one).Properties));
  const count = (type: string) => parsed(type, anything).length;
  const sources = parsed('AWS::Lambda::EventSourceMapping', anything);
  const isOfStream = (source: object) => 'StartingPosition' in source;
  const schedules = parsed('AWS::Events::Rule', rule);
  // The rule of each minute says what the due worker should do. The probe needs no words.
  const eachMinute = schedules.filter(({ ScheduleExpression }) => ScheduleExpression === 'rate(1 minute)');
  const isTold = ({ Targets }: v.InferOutput<typeof rule>) => Targets.some(({ Input }) => Input !== undefined);
  const routes = parsed('AWS::ApiGatewayV2::Stage', gatewayStage).flatMap(({ RouteSettings }) =>
    Object.values(RouteSettings),
  );
  return {
    alarms: parsed('AWS::CloudWatch::Alarm', alarm)
      .map(({ Metrics = [{ MetricStat: true }] }) => Metrics.filter(({ MetricStat }) => MetricStat).length)
      .reduce((all, one) => all + one, 0),
    logMetrics: new Set(
      parsed('AWS::Logs::MetricFilter', filter).flatMap(({ MetricTransformations }) =>
        MetricTransformations.map(({ MetricName }) => MetricName),
      ),
    ).size,
    routeMetrics: metricsOfRoute * routes.filter(({ DetailedMetricsEnabled }) => DetailedMetricsEnabled).length,
    dashboards: count('AWS::CloudWatch::Dashboard'),
    keys: count('AWS::KMS::Key'),
    polledQueues: sources.filter((source) => !isOfStream(source)).length,
    probes: eachMinute.filter((one) => !isTold(one)).length,
    minutely: eachMinute.filter(isTold).length,
    hourly: schedules.filter(({ ScheduleExpression }) => ScheduleExpression === 'rate(1 hour)').length,
    streamReaders: sources.filter(isOfStream).length,
    logGroups: count('AWS::Logs::LogGroup'),
    queues: count('AWS::SQS::Queue'),
    functions: count('AWS::Lambda::Function'),
    buckets: count('AWS::S3::Bucket'),
    rollouts: count('AWS::CodeDeploy::DeploymentGroup'),
  };
}

const minutes = assumed('monthSeconds') / 60;

/** The service refuses the key of the probe, so the call reads one item. */
const probed = { memoryMb: 1_024, replyBytes: 200, logBytes: 350, rounds: 1, calls: 1, readUnits: 1, writeUnits: 0 };

function monthOf(name: StandingName, count: number, areTraced: boolean): number {
  const traces = (calls: number) => (areTraced ? cost('trace', calls) : 0);
  switch (name) {
    case 'alarms':
      return cost('alarmMetric', count);
    case 'logMetrics':
    case 'routeMetrics':
      return cost('customMetric', count);
    case 'dashboards':
      return cost('dashboard', count);
    case 'keys':
      return cost('tableKey', count);
    case 'polledQueues':
      return cost('queueRequest', count * minutes * assumed('pollsPerQueue'));
    case 'probes': {
      const { total } = millionCalls(probed);
      // X-Ray traces both calls, because they are fewer than one a second.
      const calls = count * minutes;
      const log = cost('logIngestion', (calls * assumed('otherLogBytes')) / gigabyte);
      return (total * calls) / million + traces(2 * calls) + lambdaCost(calls, 256, assumed('probeMs')) + log;
    }
    case 'minutely': {
      const calls = count * minutes;
      const log = cost('logIngestion', (calls * assumed('platformLogBytes')) / gigabyte);
      return lambdaCost(calls, 1_024, assumed('minuteMs')) + cost('readUnit', 8 * calls) + traces(calls) + log;
    }
    case 'hourly': {
      const calls = (count * minutes) / 60;
      return lambdaCost(calls, 1_024, assumed('dueMs')) + cost('readUnit', 16 * calls);
    }
    default:
      return 0;
  }
}

const withoutCalls: readonly StandingName[] = [
  ...(['alarms', 'dashboards', 'keys', 'polledQueues', 'probes', 'minutely', 'hourly'] as const),
  ...(['streamReaders', 'logGroups', 'queues', 'functions', 'buckets', 'rollouts'] as const),
];
const onceCalled: readonly StandingName[] = ['logMetrics', 'routeMetrics'];

export interface Month {
  readonly parts: readonly Standing[];
  readonly total: number;
}

function monthsOf(names: readonly StandingName[], counts: Counts, areTraced: boolean): Month {
  const parts = names.map((name) => ({
    count: counts[name],
    words: standingWords[name],
    month: cents(monthOf(name, counts[name], areTraced)),
  }));
  return { parts, total: sum(parts.map(({ month }) => month)) };
}

/** Returns what a stage costs that is not called. Only full monitoring traces its runs. */
export const standingOf = (counts: Counts, areTraced = false): Month => monthsOf(withoutCalls, counts, areTraced);

/** Returns what a stage costs besides when it is called: metrics that have no data before. */
export const metricsOf = (counts: Counts): Month => monthsOf(onceCalled, counts, false);
