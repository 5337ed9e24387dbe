import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, type Function as LambdaFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FilterPattern } from '#kernel/table/stream.ts';
import { type Alarms, alarmPeriod } from './alarms.ts';
import { excuse } from './nag.ts';
import { createNodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';
import type { TableGrant } from './table-grants.ts';

/** Records normally wait for seconds. This wait shows that the reader is too slow. */
const longestWait = Duration.minutes(5);

export interface StreamReaderProps {
  /** The folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  description: string;
  table: TableV2;
  grant: TableGrant;
  environment?: Readonly<Record<string, string>>;
  filters: readonly FilterPattern[];
  batchSize: number;
  /**
   * Groups batches by time, because only then does Lambda name the shard of a batch. The reply must then have a
   * `state`. After each window with records, one more call has none.
   */
  window?: Duration;
  settings: StageSettings;
  reservedConcurrency: number | undefined;
  alarms: Alarms;
  /**
   * Words the alarms: the reader, the effect of a failed call, and the effect of a lost record. Without `failure` a
   * failed call rings nothing. A lasting failure shows as delay, and later as lost records.
   */
  words: { name: string; failure?: string; givenUp: string };
}

/**
 * Creates a reader of the table's stream, with its role, log group, event source, dead-letter queue and alarms. A
 * shard allows two readers. A failed batch is divided and tried again, so that one bad record delays its shard but
 * does not stop it.
 */
export class StreamReaderFunction extends Construct {
  readonly function: LambdaFunction;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: StreamReaderProps) {
    super(scope, id);
    const { table, filters, batchSize, window, settings, alarms, words } = props;

    const { lambda, role } = createNodeFunction(this, { ...props, memorySizeInMb: 512, timeout: Duration.seconds(60) });
    this.function = lambda;

    // The queue holds positions in the stream and no records. They suffice while the stream keeps the record.
    this.deadLetters = new Queue(this, 'dead-letters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    excuse(
      this.deadLetters,
      'AwsSolutions-SQS3',
      'It is the dead-letter queue of the stream: its messages wait for a person.',
    );

    if (table.tableStreamArn === undefined) throw new Error('the table has no stream');
    table.grantStreamRead(role);
    this.function.addEventSourceMapping('stream', {
      eventSourceArn: table.tableStreamArn,
      // The mapping begins at the oldest record, so it misses none written before its creation.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: filters.map((pattern) => FilterCriteria.filter(pattern)),
      batchSize,
      ...(window === undefined ? {} : { tumblingWindow: window }),
      bisectBatchOnError: true,
      retryAttempts: 30,
      // The retries last as long as the stream keeps a record.
      maxRecordAge: Duration.hours(24),
      onFailure: new SqsDlq(this.deadLetters),
    });

    const period = alarmPeriod;
    if (words.failure !== undefined && settings.watchesAll) {
      alarms.add(this, 'errors', {
        urgency: 'ticket',
        description: `${words.name} failed: ${words.failure}`,
        metric: lambda.metricErrors({ period }),
        above: 0,
      });
    }
    if (settings.watchesAll) {
      alarms.add(this, 'iterator-age', {
        urgency: 'ticket',
        description: `${words.name} lags by more than ${longestWait.toMinutes()} minutes`,
        metric: lambda.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
        above: longestWait.toMilliseconds(),
      });
    }
    alarms.add(this, 'dead-letters-not-empty', {
      urgency: 'ticket',
      description: `${words.name} has given records up: ${words.givenUp}`,
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
      above: 0,
    });
  }
}
