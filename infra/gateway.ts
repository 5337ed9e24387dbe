import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { alarmPeriod } from './alarms.ts';
import type { StageSettings } from './settings.ts';

const stageName = '$default';

/** A path holds codes and a header credentials: the log has the route's pattern, and no header. */
const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  routeKey: '$context.routeKey',
  status: '$context.status',
  latencyInMs: '$context.responseLatency',
  integrationLatencyInMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  error: '$context.error.message',
  bytes: '$context.responseLength',
  sourceIp: '$context.identity.sourceIp',
};

/** The API without its routes: its one stage, throttled, measured by route, and logged. */
export function createGateway(
  scope: Construct,
  { stage, settings }: { stage: string; settings: StageSettings },
): HttpApi {
  const api = new HttpApi(scope, 'api', { apiName: `tessera-${stage}`, createDefaultStage: false });
  const accessLog = new LogGroup(scope, 'access-log', {
    retention: settings.logRetention,
    removalPolicy: settings.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  new HttpStage(api, 'DefaultStage', {
    httpApi: api,
    stageName,
    autoDeploy: true,
    detailedMetricsEnabled: true,
    throttle: { rateLimit: settings.throttling.ratePerSecond, burstLimit: settings.throttling.burst },
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLog),
      format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
    },
  });
  return api;
}

/** The replies of 5xx of one route key, `GET /v1/vouchers/{code}`, or of several that one function answers. */
export function serverErrorsOf(api: HttpApi, routeKeys: readonly string[]): Metric | MathExpression {
  const metrics = routeKeys.map((routeKey) => {
    const [method = '', path = ''] = routeKey.split(' ');
    return new Metric({
      namespace: 'AWS/ApiGateway',
      metricName: '5xx',
      dimensionsMap: { ApiId: api.apiId, Stage: stageName, Method: method, Resource: path },
      statistic: Stats.SUM,
      period: alarmPeriod,
    });
  });
  const [first] = metrics;
  if (first === undefined) throw new Error('no route, no replies');
  return metrics.length === 1 ? first : sumOf(metrics);
}

/** CloudWatch has nothing where nothing happened, and a sum with nothing in it is nothing. */
export function sumOf(metrics: readonly IMetric[]): MathExpression {
  return new MathExpression({
    expression: metrics.map((_, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: alarmPeriod,
  });
}
