import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, type Function as LambdaFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FilterPattern } from '../../lib/table/stream.ts';
import { type Alarms, alarmPeriod } from './alarms.ts';
import { excuse } from './nag.ts';
import { nodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';
import type { TableGrant } from './table-grants.ts';

/** Records wait in seconds; this much says that the reader doesn't get through them. */
const longestWait = Duration.minutes(5);

export interface StreamReaderProps {
  /** Folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  description: string;
  table: TableV2;
  grant: TableGrant;
  environment?: Readonly<Record<string, string>>;
  filters: readonly FilterPattern[];
  batchSize: number;
  /**
   * Lambda names the shard of a batch only where it groups batches by time; the reply must then have a `state`. After each
   * window with records in it comes one more call without any.
   */
  window?: Duration;
  settings: StageSettings;
  reservedConcurrency: number | undefined;
  alarms: Alarms;
  /**
   * In the alarms' words: who reads, what a call that fails keeps from being done, and what a given-up record leaves behind.
   * Without `failure` a failed call rings nothing: what goes on failing is behind soon, and given up later.
   */
  words: { name: string; failure?: string; givenUp: string };
}

/**
 * A reader of the table's stream, of which a shard takes two, with what belongs to it alone: role, log group, event source, the
 * queue of what it could not do, and alarms. What fails is tried again by half a batch, so that one record stops the others of
 * its shard for a while and not for good.
 */
export class StreamReaderFunction extends Construct {
  readonly function: LambdaFunction;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: StreamReaderProps) {
    super(scope, id);
    const { table, filters, batchSize, window, alarms, words } = props;

    const { lambda, role } = nodeFunction(this, { ...props, memorySizeInMb: 512, timeout: Duration.seconds(60) });
    this.function = lambda;

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
      filters: filters.map((pattern) => FilterCriteria.filter(pattern)),
      batchSize,
      ...(window === undefined ? {} : { tumblingWindow: window }),
      bisectBatchOnError: true,
      retryAttempts: 30,
      // As long as the stream keeps a record.
      maxRecordAge: Duration.hours(24),
      onFailure: new SqsDlq(this.deadLetters),
    });

    const period = alarmPeriod;
    if (words.failure !== undefined) {
      alarms.add(this, 'errors', {
        urgency: 'ticket',
        description: `${words.name} could not do its work: ${words.failure}`,
        metric: lambda.metricErrors({ period }),
        above: 0,
      });
    }
    alarms.add(this, 'iterator-age', {
      urgency: 'ticket',
      description: `${words.name} is more than ${longestWait.toMinutes()} minutes behind`,
      metric: lambda.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
      above: longestWait.toMilliseconds(),
    });
    alarms.add(this, 'dead-letters-not-empty', {
      urgency: 'ticket',
      description: `${words.name} has given records up: ${words.givenUp}`,
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
      above: 0,
    });
  }
}
