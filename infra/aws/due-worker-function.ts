import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import type { JobQueues } from './job-queues.ts';
import { nodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';
import { get, type TableGrant } from './table-grants.ts';

/** It reads what is due, and changes cards with their ledgers in transactions, which need the actions of their parts. */
export const dueWorkerGrant: TableGrant = {
  actions: [...get, 'PutItem', 'Query', 'UpdateItem'],
  indexes: ['due'],
};

export interface DueWorkerFunctionProps {
  /** Folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  table: TableV2;
  jobQueues: JobQueues;
  stage: string;
  settings: StageSettings;
  alarms: Alarms;
}

/**
 * What does at its time what is due though nobody asks, with what belongs to it alone: role, log group, schedule and alarms.
 * Hourly, for pending points ripen at any time of the day; an hour with nothing to do is sixteen queries that find nothing.
 */
export class DueWorkerFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(
    scope: Construct,
    id: string,
    { bundleDir, table, jobQueues, stage, settings, alarms }: DueWorkerFunctionProps,
  ) {
    super(scope, id);

    const { lambda } = nodeFunction(this, {
      bundleDir,
      description:
        'Writes off points whose day has passed, ends tiers, ripens points, goes on with what was left undone',
      table,
      grant: dueWorkerGrant,
      environment: jobQueues.environment,
      memorySizeInMb: 1024,
      // As long as Lambda allows; what is left when it is up is there an hour later.
      timeout: Duration.minutes(15),
      settings,
      reservedConcurrency: settings.reservedConcurrency?.dueWorker,
    });
    this.function = lambda;
    jobQueues.grantSend(lambda);
    jobQueues.countGivenUp(this, lambda.logGroup);
    // The next hour is the retry.
    this.function.configureAsyncInvoke({ retryAttempts: 0 });

    new Rule(this, 'schedule', {
      description: 'Each hour, for points and tiers whose time has come',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new FunctionTarget(this.function)],
    });

    const period = Duration.hours(1);
    const ofLog = (name: string, pattern: IFilterPattern, metricValue: string) =>
      new MetricFilter(this, `${name}-count`, {
        logGroup: lambda.logGroup,
        filterPattern: pattern,
        metricNamespace: 'Tessera',
        metricName: `${stage}-due-${name}`,
        metricValue,
      }).metric({ statistic: Stats.SUM, period });
    const isRun = FilterPattern.stringValue('$.job', '=', 'settle-due');
    alarms.add(this, 'unsettled', {
      urgency: 'ticket',
      description:
        'Something that is due could not be settled, and is tried again each hour: the log of the due worker says what',
      metric: ofLog('unsettled', FilterPattern.all(isRun, FilterPattern.exists('$.failed')), '$.failed'),
      above: 0,
    });
    alarms.add(this, 'finished', {
      urgency: 'ticket',
      description:
        'For two hours the due worker has not run, or has not come to its end: see its log, its schedule, and whether an execution was left for it',
      metric: ofLog('finished', FilterPattern.all(isRun, FilterPattern.booleanValue('$.finished', true)), '1'),
      atLeast: 1,
      periods: 2,
    });
  }
}
