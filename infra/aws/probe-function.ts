import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import { createNodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';

export interface ProbeFunctionProps {
  /** The folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  table: TableV2;
  settings: StageSettings;
  alarms: Alarms;
  /** The address that callers use. */
  apiUrl: string;
}

/** Calls the service once a minute, as a shop does. Rings if the call fails three times or does not happen. */
export class ProbeFunction extends Construct {
  constructor(scope: Construct, id: string, { bundleDir, table, settings, alarms, apiUrl }: ProbeFunctionProps) {
    super(scope, id);
    const { lambda } = createNodeFunction(this, {
      bundleDir,
      description: 'Asks the service for a validation once a minute',
      table,
      grant: { actions: [] },
      environment: { API_URL: apiUrl },
      settings,
      memorySizeInMb: 256,
      timeout: Duration.seconds(20),
    });
    // The next minute is the retry.
    lambda.configureAsyncInvoke({ retryAttempts: 0 });
    const period = Duration.minutes(1);
    new Rule(this, 'schedule', {
      description: 'Runs each minute, to see whether the service answers',
      schedule: Schedule.rate(period),
      targets: [new FunctionTarget(lambda)],
    });
    const statistic = Stats.SUM;
    alarms.add(this, 'answered', {
      urgency: 'page',
      description: 'No call of the probe got the expected reply for three minutes: its log has the replies',
      metric: new MathExpression({
        expression: 'calls - FILL(failures, 0)',
        usingMetrics: {
          calls: lambda.metricInvocations({ period, statistic }),
          failures: lambda.metricErrors({ period, statistic }),
        },
        period,
      }),
      atLeast: 1,
      periods: 3,
    });
  }
}
