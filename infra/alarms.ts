import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

export const alarmPeriod = Duration.minutes(5);

export interface AlarmProps {
  /** What happened and where to look, for whoever is woken by it. `infra/OPERATIONS.md` says more, by the alarm's id. */
  description: string;
  metric: IMetric;
  above: number;
  /** How many periods in a row. */
  periods?: number;
}

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

  add(scope: Construct, id: string, { description, metric, above, periods = 1 }: AlarmProps): void {
    const alarm = new Alarm(scope, id, {
      metric,
      alarmDescription: description,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: above,
      evaluationPeriods: periods,
      // No calls, no trouble.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
