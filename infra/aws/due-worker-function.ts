import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { leftOutVariable } from '../left-out.ts';
import type { Alarms } from './alarms.ts';
import type { JobQueues } from './job-queues.ts';
import { findKeptParts } from './kept-parts.ts';
import { createNodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';
import { get, type TableGrant } from './table-grants.ts';

/**
 * Grants reads of due items, and transactions over cards and their ledgers. A transaction needs the actions of its
 * parts.
 */
const dueWorkerGrant: TableGrant = {
  actions: [...get, 'PutItem', 'Query', 'UpdateItem'],
  indexes: ['due'],
};

export interface DueWorkerFunctionProps {
  /** The folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  table: TableV2;
  jobQueues: JobQueues;
  /** The add-ons that the stage leaves out. */
  leaveOut?: readonly string[] | undefined;
  stage: string;
  settings: StageSettings;
  alarms: Alarms;
}

/**
 * Creates the worker for everything that becomes due at a time, with its role, log group, schedule and alarms. It runs
 * hourly, because pending points ripen at any time of the day. An empty hour is sixteen queries. Deliveries of webhooks
 * are looked at each minute, with as many queries.
 */
export class DueWorkerFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(
    scope: Construct,
    id: string,
    { bundleDir, table, jobQueues, leaveOut = [], stage, settings, alarms }: DueWorkerFunctionProps,
  ) {
    super(scope, id);

    const { lambda } = createNodeFunction(this, {
      bundleDir,
      description: 'Writes off expired points, ends tiers, activates pending points, and continues unfinished jobs',
      table,
      grant: dueWorkerGrant,
      environment: { ...jobQueues.environment, ...leftOutVariable(leaveOut) },
      memorySizeInMb: 1024,
      // Lambda allows no longer time. The next hour does the rest.
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
      description: 'Runs each hour, for points and tiers that became due',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new FunctionTarget(this.function)],
    });
    if (findKeptParts(leaveOut).isSweptEachMinute) {
      new Rule(this, 'each-minute', {
        description: 'Runs each minute, for deliveries of webhooks that are tried again',
        schedule: Schedule.rate(Duration.minutes(1)),
        targets: [new FunctionTarget(this.function, { event: RuleTargetInput.fromObject({ only: 'deliveries' }) })],
      });
    }

    this.#watch(lambda.logGroup, { jobQueues, stage, settings, alarms });
  }

  #watch(
    logGroup: ILogGroup,
    { jobQueues, stage, settings, alarms }: Pick<DueWorkerFunctionProps, 'jobQueues' | 'stage' | 'settings' | 'alarms'>,
  ): void {
    const isRun = FilterPattern.stringValue('$.job', '=', 'settle-due');
    const hasFailed = FilterPattern.all(isRun, FilterPattern.numberValue('$.failed', '>', 0));
    if (!settings.watchesAll) {
      // The run sweeps a job that has not ended a run for an hour.
      const wasStuck = FilterPattern.all(isRun, FilterPattern.numberValue('$.swept', '>', 0));
      jobQueues.countStuck(this, 'swept', logGroup, wasStuck, '$.swept');
      jobQueues.countStuck(this, 'unsettled', logGroup, hasFailed, '$.failed');
      return;
    }
    const ofLog = (name: string, filterPattern: IFilterPattern, metricValue: string) =>
      new MetricFilter(this, `${name}-count`, {
        ...{ logGroup, filterPattern, metricValue },
        metricNamespace: 'Tessera',
        metricName: `${stage}-due-${name}`,
      }).metric({ statistic: Stats.SUM, period: Duration.hours(1) });
    alarms.add(this, 'unsettled', {
      urgency: 'ticket',
      description: 'A due item failed, and is tried again each hour: the log of the due worker names it',
      metric: ofLog('unsettled', hasFailed, '$.failed'),
      above: 0,
    });
    alarms.add(this, 'finished', {
      urgency: 'ticket',
      description:
        'The due worker has not finished a run for two hours: see its log, its schedule, and the free executions',
      metric: ofLog('finished', FilterPattern.all(isRun, FilterPattern.booleanValue('$.finished', true)), '1'),
      atLeast: 1,
      periods: 2,
    });
  }
}
