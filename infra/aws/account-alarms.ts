import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';

/** Warns before the quota is used up, because a sale needs some minutes of warning. Callers are turned away at 100. */
const mostPercent = 80;

/** Watches the concurrent executions that all functions of the account share, in percent of the current quota. */
export function watchAccount(scope: Construct, alarms: Alarms): void {
  const period = Duration.minutes(1);
  const used = new Metric({
    namespace: 'AWS/Usage',
    metricName: 'ResourceCount',
    dimensionsMap: { Service: 'Lambda', Type: 'Resource', Resource: 'ConcurrentExecutions', Class: 'None' },
    statistic: Stats.MAXIMUM,
    period,
  });
  alarms.add(scope, 'concurrency', {
    urgency: 'page',
    description: `The functions of the account use more than ${mostPercent} % of its concurrent executions: raise the quota, or find the caller`,
    metric: new MathExpression({ expression: '100 * used / SERVICE_QUOTA(used)', usingMetrics: { used }, period }),
    above: mostPercent,
    periods: 5,
    badPeriods: 3,
  });
}
