import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import {
  FilterPattern,
  type IFilterPattern,
  type ILogGroup,
  MetricFilter,
  type MetricFilterProps,
} from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueName, queueVariable } from '#kernel/kit/jobs/queues.ts';
import { leftOutVariable } from '../left-out.ts';
import { type Alarms, alarmPeriod, sumMetrics } from './alarms.ts';
import { grantsOfTargets } from './event-targets.ts';
import { classes } from './job-classes.ts';
import { findKeptParts, type KeptParts, type KeptQueue } from './kept-parts.ts';
import { grantSendingAs } from './mail-rights.ts';
import { excuse } from './nag.ts';
import { createNodeFunction } from './node-function.ts';
import type { ReportPlace } from './report-rights.ts';
import type { StageSettings } from './settings.ts';

const ofQueue = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: Duration.days(14) };

/** Limits deliveries after crashes and timeouts. After an ordinary failure the worker sends the message again. */
const maxReceiveCount = 5;

/** Five million codes need about half of this time. */
const longestWait = Duration.hours(1);

export interface JobQueuesProps {
  /** The folder of the bundled handler of all workers, `index.mjs`. */
  bundleDir: string;
  table: TableV2;
  files: Bucket;
  /** The sender's address of mails. Without it no mail is sent. */
  mailSender?: string;
  /** The reports that the worker of exports makes. */
  reports?: ReportPlace | undefined;
  /** The add-ons that the stage leaves out. */
  leaveOut?: readonly string[] | undefined;
  /** Queues and buses of the account that webhooks may send to. */
  eventTargets?: readonly string[];
  /** The address of the API, for the objects in payloads of events. */
  apiUrl: string;
  stage: string;
  settings: StageSettings;
  alarms: Alarms;
}

/** Returns the largest value of several queues. */
function mostOf(metrics: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: 'MAX(METRICS())', usingMetrics, period: alarmPeriod });
}

/** Maps the queues of a stage. A queue of an add-on that the stage leaves out is absent. */
type OfQueues<T> = Readonly<Record<KeptQueue, T> & Partial<Record<QueueName, T>>>;

/**
 * Creates for each class of work a queue, and a worker with its own role and log group. All classes share one queue of
 * dead letters, because an alarm pays for each queue that it watches. SQS returns a message to the queue that it came
 * from.
 */
export class JobQueues extends Construct {
  readonly queues: OfQueues<Queue>;
  readonly deadLetters: Queue;
  readonly workers: OfQueues<LambdaFunction>;
  readonly #props: JobQueuesProps;
  readonly #parts: KeptParts;

  constructor(scope: Construct, id: string, props: JobQueuesProps) {
    super(scope, id);
    this.#props = props;
    this.#parts = findKeptParts(props.leaveOut);
    this.deadLetters = new Queue(this, 'dead-letters', ofQueue);
    excuse(this.deadLetters, 'AwsSolutions-SQS3', 'It is the dead-letter queue: its messages wait for a person.');
    this.queues = this.#ofQueues((name) => this.#makeQueue(name));
    this.workers = this.#ofQueues((name) => this.#makeWorker(name));
    this.#watch();
  }

  #ofQueues<T>(make: (name: QueueName) => T): OfQueues<T> {
    const kept = (name: QueueName) => this.#parts.queues.includes(name);
    return {
      generation: make('generation'),
      bulk: make('bulk'),
      mail: make('mail'),
      segments: make('segments'),
      exports: make('exports'),
      ...(kept('events') ? { events: make('events') } : {}),
      ...(kept('webhooks') ? { webhooks: make('webhooks') } : {}),
    };
  }

  /** Returns the environment by which a function finds the queues. */
  get environment(): Record<string, string> {
    return Object.fromEntries(this.#all.map(({ name, queue }) => [queueVariable(name), queue.queueUrl]));
  }

  /** Lets a function hand over work. */
  grantSend(lambda: LambdaFunction): void {
    for (const { queue } of this.#all) queue.grantSendMessages(lambda);
  }

  /** Counts jobs that a function ends as FAILED, from its log. */
  countGivenUp(scope: Construct, logGroup: ILogGroup): void {
    this.countStuck(scope, 'given-up', logGroup, FilterPattern.booleanValue('$.given_up', true));
  }

  /** Counts further lines of a log for the alarm of jobs that need an operator. */
  countStuck(scope: Construct, name: string, logGroup: ILogGroup, filterPattern: IFilterPattern, value = '1'): void {
    this.#count(scope, name, this.#givenUpName, { logGroup, filterPattern, metricValue: value });
  }

  #count(
    scope: Construct,
    name: string,
    metricName: string,
    lines: Pick<MetricFilterProps, 'logGroup' | 'filterPattern' | 'metricValue'>,
  ): void {
    new MetricFilter(scope, `${name}-count`, { ...lines, metricNamespace: 'Tessera', metricName });
  }

  /** Counts webhooks that were switched off, and events that a target of the account refused. */
  #countFailedWebhooks(scope: Construct, logGroup: ILogGroup): void {
    const filterPattern = FilterPattern.booleanValue('$.webhook_failed', true);
    this.#count(scope, 'failed-webhooks', this.#failedWebhooksName, { logGroup, filterPattern, metricValue: '1' });
  }

  get #failedWebhooksName(): string {
    const { stage, settings } = this.#props;
    return settings.watchesAll ? `${stage}-webhooks-failed` : this.#givenUpName;
  }

  get #givenUpName(): string {
    return `${this.#props.stage}-jobs-given-up`;
  }

  get #all(): { name: QueueName; queue: Queue }[] {
    return this.#parts.queues.flatMap((name) => {
      const queue = this.queues[name];
      return queue ? [{ name, queue }] : [];
    });
  }

  #makeQueue(name: QueueName): Queue {
    return new Queue(this, name, {
      ...ofQueue,
      // AWS advises six times the function's timeout, so that a waiting message is not delivered twice.
      visibilityTimeout: Duration.seconds(classes[name].timeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    });
  }

  #makeWorker(name: QueueName): LambdaFunction {
    const { bundleDir, table, files, reports, mailSender, eventTargets = [], apiUrl, settings } = this.#props;
    const { leaveOut = [] } = this.#props;
    const { description, grant, batchSize, maxConcurrency, timeout, memorySizeInMb } = classes[name];
    const fileRights = this.#parts.filesOf(name);
    const sender = name === 'mail' ? mailSender : undefined;
    const scope = new Construct(this, `${name}-worker`);
    const { lambda, role } = createNodeFunction(scope, {
      bundleDir,
      description,
      table,
      grant,
      files: fileRights.length > 0 ? { bucket: files, rights: fileRights } : undefined,
      reports: name === 'exports' ? reports : undefined,
      environment: {
        ...this.environment,
        ...leftOutVariable(leaveOut),
        ...(sender === undefined ? {} : { MAIL_SENDER: sender }),
        ...(name === 'events' ? { API_URL: apiUrl } : {}),
        ...(name === 'webhooks' && eventTargets.length > 0 ? { EVENT_TARGETS: eventTargets.join(' ') } : {}),
      },
      memorySizeInMb,
      timeout,
      settings,
    });
    if (sender !== undefined) grantSendingAs(sender, role);
    if (name === 'webhooks') {
      for (const statement of grantsOfTargets(eventTargets, Stack.of(this))) role.addToPolicy(statement);
      this.#countFailedWebhooks(scope, lambda.logGroup);
    }
    for (const { queue } of this.#all.filter((one) => one.name === name)) {
      // The worker sends itself the work that it can't finish now.
      queue.grantSendMessages(lambda);
      lambda.addEventSource(new SqsEventSource(queue, { batchSize, maxConcurrency, reportBatchItemFailures: true }));
    }
    this.countGivenUp(scope, lambda.logGroup);
    return lambda;
  }

  #watch(): void {
    const { alarms, settings } = this.#props;
    const period = alarmPeriod;
    alarms.add(this, 'dead-letters-not-empty', {
      urgency: 'ticket',
      description: 'Messages crashed their worker again and again: the dead-letter queue names the jobs',
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
      above: 0,
    });
    if (settings.watchesAll) {
      const ages = this.#all.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage({ period }));
      alarms.add(this, 'behind', {
        urgency: 'ticket',
        description: `A job waits for more than ${longestWait.toMinutes()} minutes: its worker is too slow, or fails`,
        metric: mostOf(ages),
        above: longestWait.toSeconds(),
      });
    }
    const sumOf = (metricName: string) =>
      new Metric({ namespace: 'Tessera', metricName, statistic: Stats.SUM, period });
    const names = new Set([this.#givenUpName, ...(this.queues.webhooks ? [this.#failedWebhooksName] : [])]);
    alarms.add(this, 'given-up', {
      urgency: 'ticket',
      description:
        'Jobs are stuck or ended as FAILED, or a webhook needs you: `npm run jobs -- list` names jobs, and the log of the workers has the cause',
      // An account has room for few alarms, and both need the same person in working hours.
      metric: sumMetrics([...names].map(sumOf)),
      above: 0,
    });
  }
}
