import { App } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { deployedOperations } from '../../infra/aws/deployed-functions.ts';
import { readOptions } from '../../infra/aws/options.ts';
import type { BackupOptions } from '../../infra/aws/table-backup.ts';
import { deployed, stackWith } from '../support/stack.ts';
import { templatesOf } from '../support/template.ts';

/** Lists the paths of the till, which alarms watch by name. */
const operations = deployedOperations.filter(({ family }) =>
  ['validations', 'redemptions', 'qualifications'].includes(family),
);

function backedUp(backup: BackupOptions, stage = 'prod') {
  const app = new App({ treeMetadata: false });
  const root = templatesOf(stackWith({ stage, backup, operations }, app)).get('tessera');
  if (!root) throw new Error('the root template is missing');
  return { app, root };
}

describe('--backup', () => {
  test.each([
    [{ rhythm: 'daily', days: 90 }, 'cron(0 3 * * ? *)'],
    [{ rhythm: 'weekly', days: 400 }, 'cron(0 3 ? * SUN *)'],
  ] as const)('%j takes backups of the table alone into a vault that stays, and keeps them so long', (backup, cron) => {
    const { root } = backedUp(backup);
    const [vault] = Object.keys(root.findResources('AWS::Backup::BackupVault', { DeletionPolicy: 'Retain' }));
    root.hasResourceProperties('AWS::Backup::BackupPlan', {
      BackupPlan: {
        BackupPlanRule: [
          {
            ScheduleExpression: cron,
            Lifecycle: { DeleteAfterDays: backup.days },
            TargetBackupVault: { 'Fn::GetAtt': [vault, 'BackupVaultName'] },
          },
        ],
      },
    });
    const [table] = Object.keys(root.findResources('AWS::DynamoDB::GlobalTable'));
    root.hasResourceProperties('AWS::Backup::BackupSelection', {
      BackupSelection: { Resources: [{ 'Fn::GetAtt': [table, 'Arn'] }] },
    });
    root.hasResourceProperties('AWS::CloudWatch::Alarm', { MetricName: 'NumberOfBackupJobsFailed', Threshold: 0 });
  });

  test("has no finding of AWS's rules for solutions without an excuse", () => {
    const { app } = backedUp({ rhythm: 'daily', days: 90 });
    app.synth();
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });

  test('deletes the vault with a stage that does not keep its data', () => {
    const { root } = backedUp({ rhythm: 'daily', days: 7 }, 'dev');
    root.hasResource('AWS::Backup::BackupVault', { DeletionPolicy: 'Delete' });
  });

  test('is off by default', () => {
    expect(readOptions({ stage: 'prod' })).not.toHaveProperty('backup');
    expect(readOptions({ stage: 'prod', backup: 'off' })).not.toHaveProperty('backup');
    expect(readOptions({ stage: 'prod' }, { prod: { backup: false } })).not.toHaveProperty('backup');
    deployed('plain').template.resourceCountIs('AWS::Backup::BackupPlan', 0);
  });

  test('reads its days from the command line or the file of stages', () => {
    expect(readOptions({ stage: 'prod', backup: 'daily' })).toMatchObject({ backup: { rhythm: 'daily', days: 90 } });
    const prod = { backup: 'weekly', 'backup-days': 365 };
    expect(readOptions({ stage: 'prod' }, { prod })).toMatchObject({ backup: { rhythm: 'weekly', days: 365 } });
    expect(() => readOptions({ stage: 'prod', backup: 'hourly' })).toThrow('backup');
    expect(() => readOptions({ stage: 'prod', backup: 'daily', 'backup-days': '0' })).toThrow('36500');
    expect(() => readOptions({ stage: 'prod', 'backup-days': '7' })).toThrow('needs the option backup');
  });
});
