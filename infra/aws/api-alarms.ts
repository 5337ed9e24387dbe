import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Alarms, alarmPeriod } from './alarms.ts';
import { type GatewayRoute, routeKeyOf } from './gateway.ts';
import type { StageSettings } from './settings.ts';

/** A stack is to have 40 alarms at most. Further families, of the fewest operations, ring that of the whole API only. */
const mostFamilyAlarms = 24;

/** `/v1/vouchers` of `/v1/vouchers/{code}/enable`: how the paths of a family begin. */
function stemOf(path: string): string {
  return /^(?:\/v1)?\/[^/]+/.exec(path)?.[0] ?? path;
}

/** Replies of 5xx to any path of the family, whoever made them: the function, Lambda for one that crashed, or the gateway. */
function serverErrorsUnder(stem: string): IFilterPattern {
  return FilterPattern.all(
    FilterPattern.stringValue('$.status', '=', '5*'),
    FilterPattern.any(
      FilterPattern.stringValue('$.routeKey', '=', `* ${stem}`),
      FilterPattern.stringValue('$.routeKey', '=', `* ${stem}/*`),
    ),
  );
}

/** What is open to anyone has a ceiling, and is meant to meet it. */
function refusedExecutions(open: readonly GatewayRoute[]): IFilterPattern {
  return FilterPattern.all(
    FilterPattern.stringValue('$.integrationStatus', '=', '429'),
    ...open.map((route) => FilterPattern.stringValue('$.routeKey', '!=', routeKeyOf(route))),
  );
}

export interface ApiAlarmsProps {
  stage: string;
  settings: StageSettings;
  alarms: Alarms;
  api: IHttpApi;
  accessLog: LogGroup;
  routes: readonly GatewayRoute[];
}

/**
 * One alarm for each family's errors, and one each for what is watched over the whole API: their number grows with families, not
 * with operations. An alarm can't add up more than ten metrics, so that a family's errors are counted in the gateway's log.
 */
export function watchApi(scope: Construct, { stage, settings, alarms, api, accessLog, routes }: ApiAlarmsProps): void {
  const period = alarmPeriod;
  const counted = (name: string, filterPattern: IFilterPattern) =>
    new MetricFilter(scope, `count-${name}`, {
      logGroup: accessLog,
      filterPattern,
      metricNamespace: 'Tessera',
      metricName: `${stage}-${name}`,
    }).metric({ statistic: Stats.SUM, period });

  // Docs and unknown paths take any method.
  const byStem = Map.groupBy(
    routes.filter(({ method }) => method !== 'ANY'),
    ({ path }) => stemOf(path),
  );
  const bySize = [...byStem].toSorted(([, a], [, b]) => b.length - a.length);
  for (const [stem] of bySize.slice(0, mostFamilyAlarms)) {
    const name = `${stem.split('/').at(-1)}-server-errors`;
    alarms.add(scope, name, {
      description: `A path under ${stem} answered with a 5xx: the access log has route and request id, the function's log the cause`,
      metric: counted(name, serverErrorsUnder(stem)),
      above: 0,
    });
  }
  alarms.add(scope, 'server-errors', {
    description:
      'The API answered with a 5xx. Where no family rings with it, it was a public path, a small family, or the gateway itself',
    metric: api.metricServerError({ period, statistic: Stats.SUM }),
    above: 0,
  });
  alarms.add(scope, 'slow', {
    description: `The slowest hundredth of all requests takes longer than ${settings.slowRequest.toSeconds()} s: see the dashboard by route`,
    metric: api.metricLatency({ period, statistic: Stats.percentile(99) }),
    above: settings.slowRequest.toMilliseconds(),
    periods: 3,
  });
  alarms.add(scope, 'throttles', {
    description: "A function was refused an execution: the account's concurrency is used up",
    metric: counted('throttles', refusedExecutions(routes.filter(({ isPublic }) => isPublic))),
    above: 0,
  });
}
