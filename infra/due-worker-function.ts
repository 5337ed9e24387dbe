import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import { nodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';
import type { TableGrant } from './table-grants.ts';

/** It reads what is due, and changes cards with their ledgers in transactions, which need the actions of their parts. */
export const dueWorkerGrant: TableGrant = {
  actions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
  indexes: ['due'],
};

export interface DueWorkerFunctionProps {
  /** Folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  table: TableV2;
  settings: StageSettings;
  alarms: Alarms;
}

/**
 * What does at its time what is due though nobody asks, with what belongs to it alone: role, log group, schedule and alarm.
 * Hourly, for pending points ripen at any time of the day; an hour with nothing to do is sixteen queries that find nothing.
 */
export class DueWorkerFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { bundleDir, table, settings, alarms }: DueWorkerFunctionProps) {
    super(scope, id);

    const { lambda } = nodeFunction(this, {
      bundleDir,
      description: 'Writes off points whose day has passed, ends tiers and turns pending points into points',
      table,
      grant: dueWorkerGrant,
      memorySizeInMb: 1024,
      // As long as Lambda allows; what is left when it is up is there an hour later.
      timeout: Duration.minutes(15),
      settings,
      reservedConcurrency: settings.reservedConcurrency?.dueWorker,
    });
    this.function = lambda;
    // The next hour is the retry.
    this.function.configureAsyncInvoke({ retryAttempts: 0 });

    new Rule(this, 'schedule', {
      description: 'Each hour, for points and tiers whose time has come',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new FunctionTarget(this.function)],
    });

    alarms.add(this, 'errors', {
      description: 'Something that is due could not be settled: the log of the due worker tells what',
      metric: this.function.metricErrors({ period: Duration.hours(1) }),
      above: 0,
    });
  }
}
