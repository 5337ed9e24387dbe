import { Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Color,
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { chunkSize } from '#engine/campaigns/generation/job.ts';
import type { DueWorkerFunction } from './due-worker-function.ts';
import type { JobQueues } from './job-queues.ts';
import type { StreamReaderFunction } from './stream-reader-function.ts';

const period = Duration.minutes(1);
const fullWidth = 24;
const height = 6;

/** Makes rows of equal widgets, over the whole width. */
const row = (titles: readonly { title: string; left: IMetric[]; right?: IMetric[]; stacked?: boolean }[]) =>
  titles.map((widget) => new GraphWidget({ ...widget, width: fullWidth / titles.length, height, period }));

/** Draws a line for each checkout route that has been called. Other routes have no separate metrics. */
function byRoute(apis: readonly IHttpApi[], metricName: string, statistic: string): MathExpression {
  return new MathExpression({
    expression: `SEARCH('{AWS/ApiGateway,ApiId,Method,Resource,Stage} ApiId=(${apis.map(({ apiId }) => `"${apiId}"`).join(' OR ')}) MetricName="${metricName}"', '${statistic}', ${period.toSeconds()})`,
    label: '',
    usingMetrics: {},
    period,
  });
}

/** Adds up a metric of all APIs, or selects the largest. */
function overAll(
  apis: readonly IHttpApi[],
  how: 'SUM' | 'MAX',
  look: { label: string; color: string },
  metricOf: (api: IHttpApi) => IMetric,
): MathExpression {
  const usingMetrics = Object.fromEntries(apis.map((api, index) => [`m${look.label}_${index}`, metricOf(api)]));
  return new MathExpression({ expression: `${how}(METRICS())`, usingMetrics, period, ...look });
}

/** Reads figures of generation from the worker's log. */
function chunkMetric(scope: Construct, stage: string, { workers }: JobQueues, level: 'info' | 'error') {
  const filter = new MetricFilter(scope, `chunks-${level}`, {
    logGroup: workers.generation.logGroup,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.job', '=', 'generate-chunk'),
      level === 'info'
        ? FilterPattern.stringValue('$.outcome', '=', 'done')
        : FilterPattern.stringValue('$.level', '=', level),
    ),
    metricNamespace: 'Tessera',
    metricName: `${stage}-chunks-${level === 'info' ? 'done' : 'failed'}`,
    metricValue: '1',
  });
  return (label: string, color: string) => filter.metric({ statistic: Stats.SUM, period, label, color });
}

/** Shows callers at the top, then the table, then the work after requests. If a row turns red, look at the next row. */
export function createDashboard(
  scope: Construct,
  {
    stage,
    apis,
    accessLog,
    table,
    streamWorker,
    totalsWorker,
    jobQueues,
    dueWorker,
  }: {
    stage: string;
    apis: readonly IHttpApi[];
    accessLog: ILogGroup;
    table: TableV2;
    streamWorker: StreamReaderFunction;
    totalsWorker: StreamReaderFunction;
    jobQueues: JobQueues;
    dueWorker: DueWorkerFunction;
  },
): void {
  const latency = (percentile: number, color: string) =>
    overAll(apis, 'MAX', { label: `p${percentile}`, color }, (api) =>
      api.metricLatency({ period, statistic: Stats.percentile(percentile) }),
    );
  const consumed = (metricName: string, label: string, color: string) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: table.tableName },
      statistic: Stats.SUM,
      period,
      label,
      color,
    });
  const chunksDone = chunkMetric(scope, stage, jobQueues, 'info');
  const chunksFailed = chunkMetric(scope, stage, jobQueues, 'error');
  const readers = [
    { name: 'jobs', reader: streamWorker },
    { name: 'totals', reader: totalsWorker },
  ];

  const dashboard = new Dashboard(scope, 'dashboard', {
    dashboardName: `tessera-${stage}`,
    defaultInterval: Duration.hours(3),
    widgets: [
      row([
        { title: 'Traffic of checkouts, by route', left: [byRoute(apis, 'Count', 'SampleCount')], stacked: true },
        {
          title: 'Errors',
          left: [
            overAll(apis, 'SUM', { label: '5xx', color: Color.RED }, (api) => api.metricServerError({ period })),
            overAll(apis, 'SUM', { label: '4xx', color: Color.ORANGE }, (api) => api.metricClientError({ period })),
          ],
        },
        {
          title: 'Latency, ms',
          left: [latency(50, Color.GREEN), latency(90, Color.ORANGE), latency(99, Color.RED)],
        },
      ]),
      row([
        { title: 'Latency p99 of checkouts, ms', left: [byRoute(apis, 'Latency', 'p99')] },
        {
          title: 'Units of the table, consumed',
          left: [
            consumed('ConsumedReadCapacityUnits', 'read', Color.BLUE),
            consumed('ConsumedWriteCapacityUnits', 'write', Color.PURPLE),
          ],
          stacked: true,
        },
        {
          title: 'Refused by the table',
          left: [
            consumed('ReadThrottleEvents', 'reads', Color.ORANGE),
            consumed('WriteThrottleEvents', 'writes', Color.RED),
          ],
        },
      ]),
      row([
        {
          title: `Generation: chunks of ${chunkSize} codes`,
          left: [chunksDone('done', Color.GREEN), chunksFailed('failed, to be retried', Color.RED)],
        },
        {
          title: 'Readers of the stream',
          left: readers.map(({ name, reader }) =>
            reader.function.metric('IteratorAge', { period, statistic: Stats.MAXIMUM, label: `${name} behind, ms` }),
          ),
          right: readers.map(({ name, reader }) =>
            reader.deadLetters.metricApproximateNumberOfMessagesVisible({ period, label: `${name} dead letters` }),
          ),
        },
        {
          title: 'Due worker',
          left: [
            dueWorker.function.metricInvocations({ period, label: 'runs', color: Color.GREEN }),
            dueWorker.function.metricErrors({ period, label: 'failed', color: Color.RED }),
          ],
        },
      ]),
    ],
  });
  dashboard.addWidgets(
    new LogQueryWidget({
      title: 'Slowest routes',
      logGroupNames: [accessLog.logGroupName],
      view: LogQueryVisualizationType.TABLE,
      queryLines: [
        'stats count(*) as requests, pct(latencyInMs, 99) as p99_ms, max(latencyInMs) as max_ms by routeKey',
        'sort p99_ms desc',
        'limit 20',
      ],
      width: fullWidth,
      height,
    }),
    new LogQueryWidget({
      title: 'Generation by campaign',
      logGroupNames: [jobQueues.workers.generation.logGroup.logGroupName],
      view: LogQueryVisualizationType.BAR,
      queryLines: [
        'filter job = "generate-chunk" and outcome = "done"',
        `stats count(*) * ${chunkSize} as codes by about`,
        'sort codes desc',
        'limit 20',
      ],
      width: fullWidth,
      height,
    }),
  );
}
