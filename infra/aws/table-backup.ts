import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { type Alarms, alarmPeriod } from './alarms.ts';
import { excuse } from './nag.ts';
import type { StageSettings } from './settings.ts';

export const backupRhythms = ['daily', 'weekly'] as const;

/** Chooses whole backups of the table, in addition to its point-in-time recovery, which ends after 35 days. */
export interface BackupOptions {
  readonly rhythm: (typeof backupRhythms)[number];
  /** The number of days for which a backup is kept. */
  readonly days: number;
}

export const defaultBackupDays = 90;

/** The hour is in UTC. AWS Backup begins within the next eight hours. */
const schedules = {
  daily: Schedule.cron({ hour: '3', minute: '0' }),
  weekly: Schedule.cron({ weekDay: 'SUN', hour: '3', minute: '0' }),
};

const ownPolicy = 'service-role/AWSBackupServiceRolePolicyForBackup';

interface Backed {
  readonly stage: string;
  readonly table: TableV2;
  readonly settings: StageSettings;
  readonly alarms: Alarms;
}

/**
 * Lets AWS Backup back the table up into the stage's own vault. Rings if a backup fails.
 *
 * A protected stage has its vault also without backups. A vault must have a name and stays when the stack no longer has
 * it, so the option could otherwise not be switched on again. An empty vault costs nothing.
 */
export function createBackup(
  scope: Construct,
  options: BackupOptions | undefined,
  { stage, table, settings, alarms }: Backed,
): void {
  if (options === undefined && !settings.keepData) return;
  const vault = new BackupVault(scope, 'backup-vault', {
    backupVaultName: `tessera-${stage}`,
    removalPolicy: settings.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  if (options === undefined) return;
  const { rhythm, days } = options;
  const plan = new BackupPlan(scope, 'backup-plan', {
    backupVault: vault,
    backupPlanRules: [
      new BackupPlanRule({ ruleName: rhythm, scheduleExpression: schedules[rhythm], deleteAfter: Duration.days(days) }),
    ],
  });
  const role = new Role(scope, 'backup-role', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(ownPolicy)],
  });
  excuse(
    role,
    `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${ownPolicy}]`,
    "AWS keeps this policy in step with what AWS Backup calls; only AWS Backup can assume the role, for this plan's one table.",
  );
  plan.addSelection('table', {
    resources: [BackupResource.fromDynamoDbTable(table)],
    role,
    disableDefaultBackupPolicy: true,
  });
  alarms.add(scope, 'backup', {
    urgency: 'ticket',
    description: 'A backup of the table has failed: its job in AWS Backup has the cause',
    metric: new Metric({
      namespace: 'AWS/Backup',
      metricName: 'NumberOfBackupJobsFailed',
      dimensionsMap: { BackupVaultName: vault.backupVaultName },
      statistic: Stats.SUM,
      period: alarmPeriod,
    }),
    above: 0,
  });
}
