import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { excuse } from './nag.ts';

const awsKeepsThePolicy =
  "CodeDeploy's own policy for Lambda: it moves aliases, reads alarms and calls hooks whose names begin with CodeDeployHook_. AWS keeps it up to date.";

/**
 * Puts new versions of functions in place by degrees: a tenth of the calls for ten minutes, then all. An alarm needs
 * three bad minutes and the log's delay. An alarm in this time returns all calls to the version before, and
 * CloudFormation undoes the whole deployment.
 */
export class Rollout extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #groups: LambdaDeploymentGroup[] = [];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#application = new LambdaApplication(this, 'application');
    this.#role = new Role(this, 'role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    const policy = 'arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited';
    excuse(this.#role, `AwsSolutions-IAM4[Policy::${policy}]`, awsKeepsThePolicy);
  }

  /** Returns the alias that represents the function and divides its calls. */
  aliasOf(scope: Construct, lambda: LambdaFunction): Alias {
    const alias = lambda.addAlias('live');
    const group = new LambdaDeploymentGroup(scope, 'rollout', {
      application: this.#application,
      role: this.#role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    this.#groups.push(group);
    return alias;
  }

  /** Lets each of these alarms stop the deployment of every function. */
  brakeBy(alarms: readonly Alarm[]): void {
    for (const group of this.#groups) for (const alarm of alarms) group.addAlarm(alarm);
  }
}
