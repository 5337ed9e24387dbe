import { Duration, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscriptionFilter, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { countedDeliveryKeys } from '#engine/campaigns/count-validations.ts';
import { countedBehindKeys } from '#engine/campaigns/counters.ts';
import { validatedOnField } from '#engine/checkout/validations/tally.ts';
import { createNodeFunction } from './node-function.ts';
import { factEnvironment, grantFacts, type ReportPlace } from './report-rights.ts';
import type { StageSettings } from './settings.ts';
import { get } from './table-grants.ts';

interface LogWorkerProps {
  /** The folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  table: TableV2;
  settings: StageSettings;
  /** Lists the logs of the functions that validate. */
  logGroups: readonly ILogGroup[];
  reports?: ReportPlace | undefined;
}

/**
 * Counts validations for campaign summaries from the log lines of the validating functions, so that no request writes.
 * It hands over refusals as facts in deployments with reports. A log group of CloudWatch Logs has at most two
 * subscriptions, and this worker uses one subscription. A failure rings no alarm. The summary then shows too few
 * validations.
 */
export class LogWorkerFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { bundleDir, table, settings, logGroups, reports }: LogWorkerProps) {
    super(scope, id);
    const { lambda } = createNodeFunction(this, {
      bundleDir,
      description: 'Counts validations for campaigns, from the logs of the functions that validate',
      table,
      grant: { actions: [...get, 'PutItem', 'UpdateItem'], keys: [countedBehindKeys, countedDeliveryKeys] },
      ...(reports ? { environment: factEnvironment(reports) } : {}),
      settings,
      memorySizeInMb: 256,
      timeout: Duration.seconds(30),
      // Lambda keeps waiting deliveries for up to six hours, and tills don't wait for them.
      reservedConcurrency: settings.reservedConcurrency?.logWorker,
    });
    this.function = lambda;
    if (reports) grantFacts(lambda, reports);
    const permission = new CfnPermission(this, 'logs-may-call', {
      action: 'lambda:InvokeFunction',
      functionName: lambda.functionName,
      principal: 'logs.amazonaws.com',
      sourceAccount: Stack.of(this).account,
    });
    for (const logGroup of logGroups) {
      const subscription = new CfnSubscriptionFilter(logGroup, 'validations', {
        logGroupName: logGroup.logGroupName,
        destinationArn: lambda.functionArn,
        filterPattern: `{ $.${validatedOnField} = * }`,
      });
      subscription.addDependency(permission);
    }
  }
}
