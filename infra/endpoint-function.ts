import { Duration } from 'aws-cdk-lib';
import { type Alarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Route } from '../lib/routes/route.ts';
import { nodeFunction } from './node-function.ts';

type Access = Route['access'];

const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];

/** A transaction needs the actions of its parts and none of its own. */
export const tableActions: Readonly<Record<Access, readonly string[]>> = {
  none: [],
  read: readActions,
  write: [
    ...readActions,
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
    'dynamodb:ConditionCheckItem',
  ],
};

export interface EndpointFunctionProps {
  /** Folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  description: string;
  table: TableV2;
  access: Access;
  environment: Readonly<Record<string, string>>;
  /** Whether the log outlives the stack. */
  keepLog: boolean;
}

/** One endpoint's function with what belongs to it alone: role, log group and alarm. */
export class EndpointFunction extends Construct {
  readonly function: LambdaFunction;
  readonly errorAlarm: Alarm;

  constructor(scope: Construct, operation: string, props: EndpointFunctionProps) {
    super(scope, operation);
    const { bundleDir, description, table, access, environment, keepLog } = props;

    const { lambda } = nodeFunction(this, {
      bundleDir,
      description,
      table,
      tableActions: tableActions[access],
      environment,
      // Memory buys CPU (1,769 MB is one core). A request waits for the table far more than it computes.
      memorySizeInMb: 512,
      // The SDK's own timeouts are shorter, and so is the patience with others at the same item (lib/conflicts.ts), so that a
      // request has time for a retry; the gateway waits 29 s.
      timeout: Duration.seconds(20),
      keepLog,
    });
    this.function = lambda;

    // The endpoint wrapper answers its own failures as 500: what is counted here are crashes, timeouts and failed starts.
    this.errorAlarm = this.function.metricErrors({ period: Duration.minutes(5) }).createAlarm(this, 'errors', {
      alarmDescription: `${operation} crashed, ran out of time or did not start`,
      threshold: 1,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
