import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type FileRight, worksOnFiles } from '../../lib/core/files/access.ts';
import { type QueueName, queueNames, queueVariable } from '../../lib/kit/jobs/queues.ts';
import { listIndexes } from '../../lib/table/listing.ts';
import { type Alarms, alarmPeriod } from './alarms.ts';
import { excuse } from './nag.ts';
import { nodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';
import { get, grants, type TableGrant } from './table-grants.ts';

interface QueueClass {
  description: string;
  grant: TableGrant;
  fileRights?: readonly FileRight[];
  /** Messages in one call: each that is slow holds up the others of its call. */
  batchSize: number;
  /** Calls at once: an account's functions share 1,000, and what waits here harms nobody. */
  maxConcurrency: number;
  timeout: Duration;
  memorySizeInMb: number;
}

const classes: Readonly<Record<QueueName, QueueClass>> = {
  generation: {
    description: 'Generates codes, a chunk of 1,000 a call',
    // Codes are inserted in batches by PartiQL.
    grant: { actions: [...get, 'PartiQLInsert', 'UpdateItem'] },
    batchSize: 1,
    maxConcurrency: 20,
    timeout: Duration.seconds(60),
    // Memory buys CPU (1,769 MB is one core): drawing codes and signing batches of inserts computes more than a request.
    memorySizeInMb: 1024,
  },
  bulk: {
    description:
      'Does rows that came in one request, takes away what has lost its parent, finds who is in a new segment, ends what shows as MODIFYING',
    // What the operations may that it does behind them.
    grant: grants.write,
    fileRights: ['read rows', 'read uploads'],
    batchSize: 1,
    maxConcurrency: 10,
    timeout: Duration.seconds(60),
    // A body of 4 MB as objects, and rows under way at once.
    memorySizeInMb: 1024,
  },
  mail: {
    description: 'Sends mails',
    grant: { actions: [...get, 'DeleteItem', 'UpdateItem'] },
    batchSize: 1,
    maxConcurrency: 2,
    timeout: Duration.seconds(60),
    memorySizeInMb: 512,
  },
  segments: {
    description: 'Looks which segments a customer who has changed enters and leaves',
    grant: { actions: [...get, 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'] },
    batchSize: 10,
    maxConcurrency: 20,
    timeout: Duration.seconds(60),
    memorySizeInMb: 512,
  },
  exports: {
    description: 'Writes what is exported, a slice a call, erases persons, archives and removes old records',
    grant: {
      actions: [...get, 'DeleteItem', 'Query', 'UpdateItem'],
      indexes: [listIndexes.first, listIndexes.third],
    },
    fileRights: worksOnFiles,
    batchSize: 1,
    maxConcurrency: 5,
    // A file is put together within one call.
    timeout: Duration.minutes(5),
    // What is sorted is held whole; and one core, as lines are computed.
    memorySizeInMb: 1769,
  },
};

/** Deliveries of a message whose call crashed or ran out of time each time. What fails in order sends itself again. */
const maxReceiveCount = 5;

const sendsAsOneOnly =
  'Which identity SES takes (the address, its domain, in the sandbox the receiver) is known to SES only; the condition lets the worker send as the one sender.';

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

/** Five million codes take about half of it. */
const longestWait = Duration.hours(1);

export interface JobQueuesProps {
  /** Folder of the bundled handler of all workers, `index.mjs`. */
  bundleDir: string;
  table: TableV2;
  files: Bucket;
  /** Who sends mails; without it none are sent. */
  mailSender?: string;
  stage: string;
  settings: StageSettings;
  alarms: Alarms;
}

interface Made {
  queue: Queue;
  deadLetters: Queue;
}

/** The largest of what several queues have. */
function mostOf(metrics: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: 'MAX(METRICS())', usingMetrics, period: alarmPeriod });
}

/** For each class of work a queue, what it could not do, and a worker with a role and a log group of its own. */
export class JobQueues extends Construct {
  readonly queues: Readonly<Record<QueueName, Made>>;
  readonly workers: Readonly<Record<QueueName, LambdaFunction>>;
  readonly #props: JobQueuesProps;

  constructor(scope: Construct, id: string, props: JobQueuesProps) {
    super(scope, id);
    this.#props = props;
    this.queues = {
      generation: this.#makeQueue('generation'),
      bulk: this.#makeQueue('bulk'),
      mail: this.#makeQueue('mail'),
      segments: this.#makeQueue('segments'),
      exports: this.#makeQueue('exports'),
    };
    this.workers = {
      generation: this.#makeWorker('generation'),
      bulk: this.#makeWorker('bulk'),
      mail: this.#makeWorker('mail'),
      segments: this.#makeWorker('segments'),
      exports: this.#makeWorker('exports'),
    };
    this.#watch();
  }

  /** By which a function finds the queues. */
  get environment(): Record<string, string> {
    return Object.fromEntries(queueNames.map((name) => [queueVariable(name), this.queues[name].queue.queueUrl]));
  }

  /** Lets a function hand work over. */
  grantSend(lambda: LambdaFunction): void {
    for (const name of queueNames) this.queues[name].queue.grantSendMessages(lambda);
  }

  /** Jobs that a function ends as FAILED, as its log says. */
  countGivenUp(scope: Construct, logGroup: ILogGroup): void {
    new MetricFilter(scope, 'given-up-count', {
      logGroup,
      filterPattern: FilterPattern.booleanValue('$.given_up', true),
      metricNamespace: 'Tessera',
      metricName: this.#givenUpName,
      metricValue: '1',
    });
  }

  get #givenUpName(): string {
    return `${this.#props.stage}-jobs-given-up`;
  }

  #makeQueue(name: QueueName): Made {
    const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: Duration.days(14) };
    const deadLetters = new Queue(this, `${name}-dead-letters`, common);
    excuse(deadLetters, 'AwsSolutions-SQS3', 'It is a dead-letter queue: what is in it waits for a person.');
    const queue = new Queue(this, name, {
      ...common,
      // Six times the function's, as AWS advises: a message that waits for a free container is not delivered twice.
      visibilityTimeout: Duration.seconds(classes[name].timeout.toSeconds() * 6),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount },
    });
    return { queue, deadLetters };
  }

  #makeWorker(name: QueueName): LambdaFunction {
    const { bundleDir, table, files, mailSender, settings } = this.#props;
    const { description, grant, fileRights, batchSize, maxConcurrency, timeout, memorySizeInMb } = classes[name];
    const { queue } = this.queues[name];
    const sender = name === 'mail' ? mailSender : undefined;
    const scope = new Construct(this, `${name}-worker`);
    const { lambda, role } = nodeFunction(scope, {
      bundleDir,
      description,
      table,
      grant,
      files: fileRights && { bucket: files, rights: fileRights },
      environment: { ...this.environment, ...(sender === undefined ? {} : { MAIL_SENDER: sender }) },
      memorySizeInMb,
      timeout,
      settings,
    });
    if (sender !== undefined) {
      role.addToPolicy(maySendAs(sender, Stack.of(this)));
      for (const kind of ['identity', 'configuration-set']) {
        const place = `arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:${kind}/*`;
        excuse(role, `AwsSolutions-IAM5[Resource::${place}]`, sendsAsOneOnly);
      }
    }
    // What it can't end now it sends itself again.
    queue.grantSendMessages(lambda);
    lambda.addEventSource(new SqsEventSource(queue, { batchSize, maxConcurrency, reportBatchItemFailures: true }));
    this.countGivenUp(scope, lambda.logGroup);
    return lambda;
  }

  #watch(): void {
    const { alarms } = this.#props;
    const period = alarmPeriod;
    const all = queueNames.map((name) => this.queues[name]);
    alarms.add(this, 'dead-letters-not-empty', {
      urgency: 'ticket',
      description: 'Messages crashed their worker again and again: the dead-letter queues say which jobs',
      metric: mostOf(all.map(({ deadLetters }) => deadLetters.metricApproximateNumberOfMessagesVisible({ period }))),
      above: 0,
    });
    alarms.add(this, 'behind', {
      urgency: 'ticket',
      description: `A job waits for more than ${longestWait.toMinutes()} minutes: its worker does not get through them, or fails`,
      metric: mostOf(all.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage({ period }))),
      above: longestWait.toSeconds(),
    });
    alarms.add(this, 'given-up', {
      urgency: 'ticket',
      description: 'Jobs were ended as FAILED: `npm run jobs -- list` says which, the log of the workers why',
      metric: new Metric({ namespace: 'Tessera', metricName: this.#givenUpName, statistic: Stats.SUM, period }),
      above: 0,
    });
  }
}
