import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { resourcesIn } from '../support/template.ts';
import { assumed } from './assumptions.ts';
import { cents, lambdaCost, millionCalls } from './model.ts';
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
const rule = v.object({ ScheduleExpression: v.optional(v.string()) });

export interface Standing {
  count: number;
  words: string;
  /** Dollars for all of them. */
  month: number;
}

export const standingWords = {
  alarms: 'metrics that alarms look at',
  logMetrics: 'metrics made from logs, at most, for one without data costs nothing',
  routeMetrics: 'metrics of checkout routes, once called',
  dashboards: 'dashboards',
  keys: 'KMS keys, of the table; its requests are few, for DynamoDB keeps data keys',
  polledQueues: 'queues that feed a worker: polls',
  probes: 'synthetic probes, each minute: its own call, and the one that it makes',
  hourly: 'hourly runs of what is due',
  streamReaders: 'readers of the stream: Lambda polls it for nothing',
  logGroups: 'log groups: nothing while nothing is logged',
  queues: 'queues, dead letters too: nothing while nothing is sent',
  functions: 'functions: nothing without calls',
  buckets: 'buckets: what they store alone',
  rollouts: 'gradual deployments of CodeDeploy: nothing for Lambda',
} as const;

export type StandingName = keyof typeof standingWords;
export type Counts = Record<StandingName, number>;

/** Counts in the template of a stage. */
export function countsIn(template: Template): Counts {
  const parsed = <S extends v.GenericSchema>(type: string, schema: S): v.InferOutput<S>[] =>
    Object.values(resourcesIn(template, type)).map((one) => v.parse(schema, v.parse(resource, one).Properties));
  const count = (type: string) => parsed(type, anything).length;
  const sources = parsed('AWS::Lambda::EventSourceMapping', anything);
  const isOfStream = (source: object) => 'StartingPosition' in source;
  const schedules = parsed('AWS::Events::Rule', rule).map(({ ScheduleExpression }) => ScheduleExpression);
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
    probes: schedules.filter((every) => every === 'rate(1 minute)').length,
    hourly: schedules.filter((every) => every === 'rate(1 hour)').length,
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

function monthOf(name: StandingName, count: number): number {
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
      const { total, traces } = millionCalls(probed);
      // X-Ray traces both calls, because they are fewer than one a second.
      const calls = count * minutes;
      const log = cost('logIngestion', (calls * assumed('otherLogBytes')) / gigabyte);
      return (
        ((total - traces) * calls) / million +
        cost('trace', 2 * calls) +
        lambdaCost(calls, 256, assumed('probeMs')) +
        log
      );
    }
    case 'hourly': {
      const calls = (count * minutes) / 60;
      return lambdaCost(calls, 1_024, assumed('dueMs')) + cost('readUnit', 16 * calls);
    }
    default:
      return 0;
  }
}

const names: readonly StandingName[] = [
  ...(['alarms', 'logMetrics', 'routeMetrics', 'dashboards', 'keys', 'polledQueues', 'probes', 'hourly'] as const),
  ...(['streamReaders', 'logGroups', 'queues', 'functions', 'buckets', 'rollouts'] as const),
];

export function standingOf(counts: Counts): Standing[] {
  return names.map((name) => ({
    count: counts[name],
    words: standingWords[name],
    month: cents(monthOf(name, counts[name])),
  }));
}
