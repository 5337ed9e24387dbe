import { Duration } from 'aws-cdk-lib';
import { type Alarm, MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  FilterPattern,
  type IFilterPattern,
  type JsonPattern,
  type LogGroup,
  MetricFilter,
} from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Alarms, alarmPeriod } from './alarms.ts';
import { formatRouteKey, type GatewayRoute } from './gateway-route.ts';
import type { StageSettings } from './settings.ts';

/**
 * Limits the family alarms, because a stack should have at most 40 alarms. The smallest families only ring the alarm of
 * the whole API.
 */
const mostFamilyAlarms = 13;

/** Pages ring for a share of requests, in three of five minutes. One failure among few calls rings no pager. */
const page = { period: Duration.minutes(1), periods: 5, badPeriods: 3, leastRequests: 20, percent: 1 } as const;

/** Names the calls that a shop's checkout waits for, by the ends of their paths. */
const tills = [
  { name: 'validations', path: /\/(validations?|validate)$/ },
  { name: 'redemptions', path: /\/(redemptions?|rollbacks?)$/ },
  { name: 'qualifications', path: /\/qualifications?$/ },
] as const;

/** Matches calls that a checkout waits for, by the ends of their paths. Calls of web pages are left out. */
const isOfTill = FilterPattern.all(
  FilterPattern.stringValue('$.routeKey', '=', 'POST *'),
  FilterPattern.stringValue('$.routeKey', '!=', 'POST /client/*'),
  FilterPattern.any(
    ...['redemption', 'rollback', 'validation', 'qualification'].flatMap((end) =>
      [`*/${end}`, `*/${end}s`].map((path) => FilterPattern.stringValue('$.routeKey', '=', path)),
    ),
    FilterPattern.stringValue('$.routeKey', '=', '*/validate'),
  ),
);

/** Returns the beginning of a family's paths: `/v1/vouchers` for `/v1/vouchers/{code}/enable`. */
function stemOf(path: string): string {
  return /^(?:\/v1)?\/[^/]+/.exec(path)?.[0] ?? path;
}

const statusIs = (status: string) => FilterPattern.stringValue('$.status', '=', status);

/** Matches replies with 5xx. The function, Lambda and the gateway send them. */
const isFailed = statusIs('5*');

/** Matches requests over the gateway's throttle, over an app key's rate, or without a free execution. */
const isTurnedAway = statusIs('429');

function isUnder(stem: string): JsonPattern {
  return FilterPattern.any(
    FilterPattern.stringValue('$.routeKey', '=', `* ${stem}`),
    FilterPattern.stringValue('$.routeKey', '=', `* ${stem}/*`),
  );
}

const isOneOf = (routes: readonly GatewayRoute[]) =>
  FilterPattern.any(...routes.map((route) => FilterPattern.stringValue('$.routeKey', '=', formatRouteKey(route))));

const isNoneOf = (routes: readonly GatewayRoute[]) =>
  routes.map((route) => FilterPattern.stringValue('$.routeKey', '!=', formatRouteKey(route)));

/** Returns the percentage of requests in `part`. Returns 0 for too few requests. */
function percentOf(part: Metric, all: Metric): MathExpression {
  return new MathExpression({
    expression: `IF(all >= ${page.leastRequests}, 100 * FILL(part, 0) / all, 0)`,
    usingMetrics: { all, part },
    period: page.period,
  });
}

export interface ApiAlarmsProps {
  stage: string;
  settings: StageSettings;
  alarms: Alarms;
  accessLog: LogGroup;
  routes: readonly GatewayRoute[];
}

type OfLog = (
  name: string,
  filterPattern: IFilterPattern,
  metricValue?: string,
) => (period: Duration, statistic?: string) => Metric;

/**
 * Watches the API by the gateway's log. The number of alarms doesn't grow with operations. Returns the alarms of tills'
 * errors, which undo a deployment.
 */
export function watchApi(scope: Construct, props: ApiAlarmsProps): readonly Alarm[] {
  const { stage, settings, accessLog } = props;
  const ofLog: OfLog = (name, filterPattern, metricValue = '1') => {
    const filter = new MetricFilter(scope, `count-${name}`, {
      logGroup: accessLog,
      filterPattern,
      metricNamespace: 'Tessera',
      metricName: `${stage}-${name}`,
      metricValue,
    });
    return (period, statistic = Stats.SUM) => filter.metric({ statistic, period });
  };
  return settings.watchesAll ? watchAll(scope, props, ofLog) : watchTills(scope, props, ofLog);
}

/**
 * Watches the calls of all tills together by two metrics. Each call counts 1 if it failed and else 0, so that the average
 * is the share of failures.
 */
function watchTills(
  scope: Construct,
  { stage, settings, alarms, accessLog }: ApiAlarmsProps,
  ofLog: OfLog,
): readonly Alarm[] {
  const failed = ofLog('tills-failed', FilterPattern.all(isFailed, isOfTill));
  const answered = FilterPattern.all(FilterPattern.stringValue('$.status', '!=', '5*'), isOfTill);
  new MetricFilter(scope, 'count-tills-answered', {
    ...{ logGroup: accessLog, filterPattern: answered, metricNamespace: 'Tessera' },
    ...{ metricName: `${stage}-tills-failed`, metricValue: '0' },
  });
  const errors = alarms.add(scope, 'tills-errors', {
    urgency: 'page',
    description: `More than ${page.percent} % of calls of tills are answered with a 5xx. The access log has route and request id, the function's log has the cause`,
    metric: failed(page.period, Stats.AVERAGE),
    above: page.percent / 100,
    ...{ periods: page.periods, badPeriods: page.badPeriods },
  });
  alarms.add(scope, 'tills-slow', {
    urgency: 'page',
    description: `The slowest hundredth of calls of tills exceeds ${settings.slowRequest.toSeconds()} s: the saved query of slow routes names them`,
    metric: ofLog('tills-latency', isOfTill, '$.latencyInMs')(alarmPeriod, Stats.percentile(99)),
    above: settings.slowRequest.toMilliseconds(),
    periods: 3,
  });
  return [errors];
}

/** Watches all routes, the routes of each kind of till, and the routes of each large family. */
function watchAll(scope: Construct, { settings, alarms, routes }: ApiAlarmsProps, ofLog: OfLog): readonly Alarm[] {
  const pageForShare = (name: string, description: string, part: Metric, all: Metric) =>
    alarms.add(scope, name, {
      urgency: 'page',
      description: `More than ${page.percent} % of requests ${description}`,
      metric: percentOf(part, all),
      above: page.percent,
      periods: page.periods,
      badPeriods: page.badPeriods,
    });
  const limitInS = settings.slowRequest.toSeconds();
  const slowOnes = { above: settings.slowRequest.toMilliseconds(), periods: 3 };

  const open = routes.filter(({ isPublic }) => isPublic);
  const requests = ofLog('requests', FilterPattern.exists('$.status'));
  const failed = ofLog('server-errors', isFailed);
  const turnedAway = ofLog(
    'turned-away',
    FilterPattern.all(isTurnedAway, FilterPattern.stringValue('$.routeKey', '!=', '* /client/*'), ...isNoneOf(open)),
  );
  const pagesTurnedAway = ofLog('pages-turned-away', FilterPattern.all(isTurnedAway, isUnder('/client')));
  const refused = ofLog(
    'throttles',
    FilterPattern.all(FilterPattern.stringValue('$.integrationStatus', '=', '429'), ...isNoneOf(open)),
  );

  pageForShare(
    'availability',
    "are answered with a 5xx: the access log has route and request id, the function's log has the cause",
    failed(page.period),
    requests(page.period),
  );
  pageForShare(
    'turned-away',
    'of servers are answered with 429: a sale is over --rate and --burst, an app key over --rate-limit, or the table over its capacity',
    turnedAway(page.period),
    requests(page.period),
  );
  const tillAlarms = tills.map(({ name, path }) => {
    const ofTill = isOneOf(routes.filter((route) => path.test(route.path) && route.throttle === 'checkout'));
    const all = ofLog(`${name}-requests`, ofTill);
    const bad = ofLog(`${name}-server-errors`, FilterPattern.all(isFailed, ofTill));
    const latency = ofLog(`${name}-latency`, ofTill, '$.latencyInMs');
    const words = `for ${name} are answered with a 5xx`;
    const errors = pageForShare(`${name}-errors`, words, bad(page.period), all(page.period));
    alarms.add(scope, `${name}-slow`, {
      urgency: 'page',
      description: `The slowest hundredth of ${name} exceeds ${limitInS} s: see the dashboard by route`,
      metric: latency(alarmPeriod, Stats.percentile(99)),
      ...slowOnes,
    });
    return errors;
  });

  const byStem = Map.groupBy(
    // Docs and unknown paths accept any method, and belong to no family.
    routes.filter(({ method, operations }) => method !== 'ANY' || operations !== undefined),
    ({ path }) => stemOf(path),
  );
  const sizeOf = (some: readonly GatewayRoute[]) => some.reduce((sum, { operations = 1 }) => sum + operations, 0);
  const bySize = [...byStem].toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a));
  for (const [stem] of bySize.slice(0, mostFamilyAlarms)) {
    const name = `${stem.split('/').at(-1)}-family-errors`;
    alarms.add(scope, name, {
      urgency: 'ticket',
      description: `A path under ${stem} answered with a 5xx: the access log has route and request id, the function's log has the cause`,
      metric: ofLog(name, FilterPattern.all(isFailed, isUnder(stem)))(alarmPeriod),
      above: 0,
    });
  }
  alarms.add(scope, 'server-errors', {
    urgency: 'ticket',
    description:
      'The API answered with a 5xx. If no family rings with it, the cause is a public path, a small family, or the gateway itself',
    metric: failed(alarmPeriod),
    above: 0,
  });
  alarms.add(scope, 'slow', {
    urgency: 'ticket',
    description: `The slowest hundredth of all requests exceeds ${limitInS} s: see the dashboard by route`,
    metric: ofLog('latency', FilterPattern.exists('$.status'), '$.latencyInMs')(alarmPeriod, Stats.percentile(99)),
    ...slowOnes,
  });
  alarms.add(scope, 'pages-turned-away', {
    urgency: 'ticket',
    description: 'Calls of browsers are answered with 429: a flood, or more visitors than their throttle allows',
    metric: pagesTurnedAway(alarmPeriod),
    above: settings.pageThrottling.ratePerSecond,
  });
  alarms.add(scope, 'throttles', {
    urgency: 'ticket',
    description: "A function was refused an execution: the account's concurrency is used up",
    metric: refused(alarmPeriod),
    above: 0,
  });
  return tillAlarms;
}
