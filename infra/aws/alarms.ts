import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

export const alarmPeriod = Duration.minutes(5);

/** CloudWatch takes so many for one alarm. */
const mostMetrics = 10;

/** CloudWatch has nothing where nothing happened, and a sum with nothing in it is nothing. */
export function sumOf(metrics: readonly IMetric[]): MathExpression {
  if (metrics.length > mostMetrics) throw new Error(`an alarm adds up ${mostMetrics} metrics, not ${metrics.length}`);
  return new MathExpression({
    expression: metrics.map((_, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: alarmPeriod,
  });
}

interface Watched {
  /** What happened and where to look, for whoever is woken by it. `docs/operations.md` says more, by the alarm's id. */
  description: string;
  metric: IMetric;
  /** How many periods in a row. */
  periods?: number;
}

/** Rings above a number, or below one: then nothing measured is too little, and otherwise no calls are no trouble. */
type AlarmProps = Watched & ({ above: number; atLeast?: never } | { atLeast: number; above?: never });

/** The one topic that every alarm goes to, and the one way to make an alarm. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { email }: { email?: string } = {}) {
    super(scope, id);
    this.topic = new Topic(this, 'topic', { enforceSSL: true });
    const stack = Stack.of(this);
    // A policy of its own takes the place of the default one, by which alarms of the account might publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
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
    if (email !== undefined) this.topic.addSubscription(new EmailSubscription(email));
  }

  add(scope: Construct, id: string, { description, metric, above, atLeast, periods = 1 }: AlarmProps): void {
    const alarm = new Alarm(scope, id, {
      metric,
      alarmDescription: description,
      evaluationPeriods: periods,
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
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
