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
import { type GatewayRoute, routeKeyOf } from './gateway-route.ts';
import type { StageSettings } from './settings.ts';

/** A stack is to have 40 alarms at most. Further families, of the fewest operations, ring that of the whole API only. */
const mostFamilyAlarms = 13;

/** A page rings for a share of requests, in three of five minutes: one failure among few calls wakes nobody. */
const page = { period: Duration.minutes(1), periods: 5, badPeriods: 3, leastRequests: 20, percent: 1 } as const;

/** Families of calls on which a shop's checkout waits, by the ends of their paths. */
const tills = [
  { name: 'validations', path: /\/(validations?|validate)$/ },
  { name: 'redemptions', path: /\/(redemptions?|rollbacks?)$/ },
  { name: 'qualifications', path: /\/qualifications?$/ },
] as const;

/** Returns how the paths of a family begin: `/v1/vouchers` of `/v1/vouchers/{code}/enable`. */
function stemOf(path: string): string {
  return /^(?:\/v1)?\/[^/]+/.exec(path)?.[0] ?? path;
}

const statusIs = (status: string) => FilterPattern.stringValue('$.status', '=', status);

/** Matches replies of 5xx. The function, Lambda and the gateway make them. */
const isFailed = statusIs('5*');

/** Requests over the throttle of the gateway, over the rate of an app key, or without an execution of their function. */
const isTurnedAway = statusIs('429');

function isUnder(stem: string): JsonPattern {
  return FilterPattern.any(
    FilterPattern.stringValue('$.routeKey', '=', `* ${stem}`),
    FilterPattern.stringValue('$.routeKey', '=', `* ${stem}/*`),
  );
}

const isOneOf = (routes: readonly GatewayRoute[]) =>
  FilterPattern.any(...routes.map((route) => FilterPattern.stringValue('$.routeKey', '=', routeKeyOf(route))));

const isNoneOf = (routes: readonly GatewayRoute[]) =>
  routes.map((route) => FilterPattern.stringValue('$.routeKey', '!=', routeKeyOf(route)));

/** Returns how many of a hundred requests are in `part`, and 0 where requests are too few to say. */
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

/**
 * Watches the API by the gateway's log, over all of its routes, the tills' routes and the routes of each large family. The number
 * of alarms doesn't grow with operations. Returns the alarms of tills' errors, which undo a deployment.
 */
export function watchApi(
  scope: Construct,
  { stage, settings, alarms, accessLog, routes }: ApiAlarmsProps,
): readonly Alarm[] {
  const ofLog = (name: string, filterPattern: IFilterPattern, metricValue = '1') => {
    const filter = new MetricFilter(scope, `count-${name}`, {
      logGroup: accessLog,
      filterPattern,
      metricNamespace: 'Tessera',
      metricName: `${stage}-${name}`,
      metricValue,
    });
    return (period: Duration, statistic: string = Stats.SUM) => filter.metric({ statistic, period });
  };
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
    'are answered with a 5xx: the access log has route and request id, the log of the function the cause',
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
      description: `The slowest hundredth of ${name} takes longer than ${limitInS} s: see the dashboard by route`,
      metric: latency(alarmPeriod, Stats.percentile(99)),
      ...slowOnes,
    });
    return errors;
  });

  const byStem = Map.groupBy(
    // Docs and unknown paths take any method.
    routes.filter(({ method }) => method !== 'ANY'),
    ({ path }) => stemOf(path),
  );
  const bySize = [...byStem].toSorted(([, a], [, b]) => b.length - a.length);
  for (const [stem] of bySize.slice(0, mostFamilyAlarms)) {
    const name = `${stem.split('/').at(-1)}-family-errors`;
    alarms.add(scope, name, {
      urgency: 'ticket',
      description: `A path under ${stem} answered with a 5xx: the access log has route and request id, the function's log the cause`,
      metric: ofLog(name, FilterPattern.all(isFailed, isUnder(stem)))(alarmPeriod),
      above: 0,
    });
  }
  alarms.add(scope, 'server-errors', {
    urgency: 'ticket',
    description:
      'The API answered with a 5xx. Where no family rings with it, it was a public path, a small family, or the gateway itself',
    metric: failed(alarmPeriod),
    above: 0,
  });
  alarms.add(scope, 'slow', {
    urgency: 'ticket',
    description: `The slowest hundredth of all requests takes longer than ${limitInS} s: see the dashboard by route`,
    metric: ofLog('latency', FilterPattern.exists('$.status'), '$.latencyInMs')(alarmPeriod, Stats.percentile(99)),
    ...slowOnes,
  });
  alarms.add(scope, 'pages-turned-away', {
    urgency: 'ticket',
    description: 'Calls of web pages are answered with 429: a flood, or more visitors than the throttle of pages takes',
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
