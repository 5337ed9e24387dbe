import { Duration, Stack } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, type Function as LambdaFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { recordFilters } from '../lib/outbox/worker.ts';
import { type Alarms, alarmPeriod } from './alarms.ts';
import { excuse } from './nag.ts';
import { nodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';
import type { TableGrant } from './table-grants.ts';

/** Codes are inserted in batches by PartiQL; all else moves a job on, and takes away mails that were sent. */
export const streamWorkerGrant: TableGrant = {
  actions: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PartiQLInsert', 'UpdateItem'],
};

/** Records wait in seconds; this much says that the worker doesn't get through them. */
const longestWait = Duration.minutes(5);

/**
 * Whichever identity of the account SES takes for the sender's (the address, its domain), with the configuration set that
 * belongs to it; in SES's sandbox also that of who receives the mail.
 */
function maySendAs(sender: string, stack: Stack): PolicyStatement {
  const ofSes = (resource: string) => stack.formatArn({ service: 'ses', resource, resourceName: '*' });
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [ofSes('identity'), ofSes('configuration-set')],
    conditions: { StringEquals: { 'ses:FromAddress': sender } },
  });
}

export interface StreamWorkerFunctionProps {
  /** Folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  table: TableV2;
  /** Who sends mails; without it none are sent. */
  mailSender?: string;
  settings: StageSettings;
  alarms: Alarms;
}

/**
 * The worker on the table's stream with what belongs to it alone: role, log group, event source, the queue of what it
 * could not do, and alarms.
 */
export class StreamWorkerFunction extends Construct {
  readonly function: LambdaFunction;
  readonly deadLetters: Queue;

  constructor(
    scope: Construct,
    id: string,
    { bundleDir, table, mailSender, settings, alarms }: StreamWorkerFunctionProps,
  ) {
    super(scope, id);

    const { lambda, role } = nodeFunction(this, {
      bundleDir,
      description: 'Does what requests left to be done later, from the stream of the table',
      table,
      grant: streamWorkerGrant,
      environment: mailSender === undefined ? {} : { MAIL_SENDER: mailSender },
      // Memory buys CPU (1,769 MB is one core): drawing codes and signing batches of inserts computes more than a request.
      memorySizeInMb: 1024,
      timeout: Duration.seconds(60),
      settings,
      reservedConcurrency: settings.reservedConcurrency?.streamWorker,
    });
    this.function = lambda;
    if (mailSender !== undefined) role.addToPolicy(maySendAs(mailSender, Stack.of(this)));

    // Holds no record, only where in the stream it is: enough to find it for as long as the stream keeps it.
    this.deadLetters = new Queue(this, 'dead-letters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    excuse(
      this.deadLetters,
      'AwsSolutions-SQS3',
      'It is the dead-letter queue of the stream: what is in it waits for a person.',
    );

    if (table.tableStreamArn === undefined) throw new Error('the table has no stream');
    table.grantStreamRead(role);
    this.function.addEventSourceMapping('stream', {
      eventSourceArn: table.tableStreamArn,
      // Nothing is lost that was written between the table's creation and this mapping's.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: recordFilters.map((pattern) => FilterCriteria.filter(pattern)),
      batchSize: 10,
      parallelizationFactor: 10,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 30,
      // As long as the stream keeps a record.
      maxRecordAge: Duration.hours(24),
      onFailure: new SqsDlq(this.deadLetters),
    });

    const period = alarmPeriod;
    // A batch that fails in part is no error of the function: the age tells of it, and at last the queue.
    alarms.add(this, 'errors', {
      description: 'The stream worker crashed, ran out of time or did not start',
      metric: lambda.metricErrors({ period }),
      above: 0,
    });
    alarms.add(this, 'iterator-age', {
      description: `The stream worker is more than ${longestWait.toMinutes()} minutes behind`,
      metric: lambda.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
      above: longestWait.toMilliseconds(),
    });
    alarms.add(this, 'dead-letters-not-empty', {
      description: 'The stream worker has given records up: its queue tells which',
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
      above: 0,
    });
  }
}
