import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

/** Tickets count over this period. */
export const alarmPeriod = Duration.minutes(5);

/** CloudWatch accepts no more metrics in one alarm. */
const mostMetrics = 10;

/** Adds metrics up, and counts a metric without data as 0. CloudWatch has no data if nothing happened. */
export function sumMetrics(metrics: readonly IMetric[]): MathExpression {
  if (metrics.length > mostMetrics) throw new Error(`an alarm adds up ${mostMetrics} metrics, not ${metrics.length}`);
  return new MathExpression({
    expression: metrics.map((_, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: alarmPeriod,
  });
}

/** A page wakes a person because callers are harmed now. A ticket waits for working hours. */
export type Urgency = 'page' | 'ticket';

interface Watched {
  urgency: Urgency;
  /** Says what happened and where to look. `docs/operations.md` has more, under the alarm's id. */
  description: string;
  metric: IMetric;
  /** The number of periods in a row. */
  periods?: number;
  /** Rings if this many of the periods are bad: all of them by default. */
  badPeriods?: number;
}

/** Rings above a number, or below a number. Missing data rings only an alarm with a lower limit. */
type AlarmProps = Watched & ({ above: number; atLeast?: never } | { atLeast: number; above?: never });

export interface AlarmAddresses {
  /** Gets pages. It also gets tickets if they have no separate address. */
  email?: string;
  ticketEmail?: string;
  /** Gets pages as SNS sends them, and must confirm the subscription itself. */
  pagerUrl?: string;
}

/** Creates every alarm, and owns the two topics that alarms go to. */
export class Alarms extends Construct {
  readonly topics: Readonly<Record<Urgency, Topic>>;

  constructor(scope: Construct, id: string, { email, ticketEmail = email, pagerUrl }: AlarmAddresses = {}) {
    super(scope, id);
    this.topics = { page: this.#topic('topic', email), ticket: this.#topic('tickets', ticketEmail) };
    if (pagerUrl !== undefined) this.topics.page.addSubscription(new UrlSubscription(pagerUrl));
  }

  #topic(id: string, email: string | undefined): Topic {
    const topic = new Topic(this, id, { enforceSSL: true });
    const stack = Stack.of(this);
    // This policy replaces the default policy, which would let all alarms of the account publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': stack.account },
          ArnLike: {
            'aws:SourceArn': stack.formatArn({
              service: 'cloudwatch',
              resource: 'alarm',
              resourceName: '*',
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        },
      }),
    );
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
    return topic;
  }

  add(scope: Construct, id: string, { urgency, description, metric, above, atLeast, ...spans }: AlarmProps): Alarm {
    const { periods = 1, badPeriods = periods } = spans;
    const alarm = new Alarm(scope, id, {
      metric,
      alarmDescription: description,
      evaluationPeriods: periods,
      datapointsToAlarm: badPeriods,
      ...(above === undefined
        ? {
            comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
            threshold: atLeast,
            treatMissingData: TreatMissingData.BREACHING,
          }
        : {
            comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
            threshold: above,
            treatMissingData: TreatMissingData.NOT_BREACHING,
          }),
    });
    const action = new SnsAction(this.topics[urgency]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  }
}
