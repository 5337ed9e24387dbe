import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type AlarmProps, type Alarms, alarmPeriod } from './alarms.ts';
import { nodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';
import type { TableGrant } from './table-grants.ts';

/** Memory buys CPU (1,769 MB is one core). A request waits for the table far more than it computes. */
export const endpointMemorySizeInMb = 512;

export interface EndpointFunctionProps {
  /** Folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  description: string;
  table: TableV2;
  grant: TableGrant;
  environment: Readonly<Record<string, string>>;
  settings: StageSettings;
  alarms: Alarms;
  /** The gateway's replies of 5xx; without it, what the function itself reports as an error. */
  serverErrors?: AlarmProps['metric'];
}

/** One endpoint's function with what belongs to it alone: role, log group and alarms. */
export class EndpointFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, operation: string, props: EndpointFunctionProps) {
    super(scope, operation);
    const { bundleDir, description, table, grant, environment, settings, alarms } = props;

    const { lambda } = nodeFunction(this, {
      bundleDir,
      description,
      table,
      grant,
      environment,
      memorySizeInMb: endpointMemorySizeInMb,
      // Time for retries. However they add up, the calls of the table end before it does (lib/time-limit.ts), so that the caller
      // gets a reply of ours; the gateway waits longer.
      timeout: Duration.seconds(20),
      settings,
    });
    this.function = lambda;

    const period = alarmPeriod;
    // The endpoint wrapper answers its own failures as 500: the function counts as errors only crashes, timeouts and failed starts,
    // the gateway counts all of them.
    alarms.add(this, 'server-errors', {
      description: `${operation} answered with a 5xx: find the cause in its log, by level = "error"`,
      metric: props.serverErrors ?? lambda.metricErrors({ period }),
      above: 0,
    });
    alarms.add(this, 'slow', {
      description: `The slowest hundredth of ${operation} takes longer than ${settings.slowRequest.toSeconds()} s`,
      metric: lambda.metricDuration({ period, statistic: Stats.percentile(99) }),
      above: settings.slowRequest.toMilliseconds(),
      periods: 3,
    });
    alarms.add(this, 'throttles', {
      description: `${operation} was refused an execution: the account's concurrency is used up`,
      metric: lambda.metricThrottles({ period }),
      above: 0,
    });
  }
}
