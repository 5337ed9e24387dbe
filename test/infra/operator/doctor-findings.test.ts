import { expect, test } from 'vitest';
import type { DeployOptions } from '../../../infra/aws/options.ts';
import {
  deployed,
  executions,
  issued,
  judged,
  names,
  parameter,
  type Replies,
  refuses,
  says,
  stack,
  withDomain,
  withMail,
} from '../../support/doctor.ts';

function changeOf(LogicalResourceId: string, ResourceType: string, Replacement?: string, more: object = {}) {
  return { ResourceChange: { Action: 'Modify', LogicalResourceId, ResourceType, Replacement, ...more } };
}

test('an account in which all is ready has no finding, with every option that is looked at', async () => {
  expect(await judged({}, { ...withDomain, ...withMail, reports: true, tillExecutions: 200 })).toEqual([]);
  expect(await judged(deployed, { ...withDomain, ...withMail })).toEqual([]);
});

test.each<[string, Replies, Partial<DeployOptions>, 'fault' | 'warning', RegExp, RegExp]>([
  ['no AWS CLI', { [names.caller]: { ok: false, why: '', isMissing: true } }, {}, 'fault', /AWS CLI/, /install/],
  [
    'no credentials',
    { [names.caller]: refuses('Token has expired') },
    {},
    'fault',
    /Token has expired/,
    /aws sso login/,
  ],
  ['no region', { [names.region]: refuses('You must specify a region') }, {}, 'fault', /no region/, /AWS_REGION/],
  [
    'no bootstrap',
    { [names.bootstrap]: refuses('An error occurred (ParameterNotFound)') },
    {},
    'fault',
    /no bootstrap in eu-central-1/,
    /npx cdk bootstrap aws:\/\/123456789012\/eu-central-1/,
  ],
  ['a bootstrap too old', { [names.bootstrap]: parameter('5') }, {}, 'fault', /version 5, and 6/, /npx cdk bootstrap/],
  [
    'a bootstrap that may not be read',
    { [names.bootstrap]: refuses('AccessDeniedException') },
    {},
    'warning',
    /can't be read: AccessDenied/,
    /aws ssm get-parameter/,
  ],
  [
    'an account with ten executions',
    { [names.executions]: executions(10) },
    {},
    'fault',
    /has 10 concurrent executions, and the stage needs 217/,
    /L-B99A9384 --desired-value 1000/,
  ],
  [
    'ten executions for a small stage',
    { [names.executions]: executions(10) },
    { size: 'small' },
    'warning',
    /only 10 concurrent/,
    /L-B99A9384/,
  ],
  [
    'executions that other functions reserve',
    { [names.executions]: executions(1_000, 200) },
    {},
    'fault',
    /reserve 800 of 1000 executions, so 200 are left, and the stage needs 217/,
    /--desired-value 1017/,
  ],
  [
    'tills that reserve more than the account has',
    { [names.executions]: executions(1_000) },
    { tillExecutions: 300 },
    'fault',
    /needs 1117/,
    /--desired-value 1117/,
  ],
  [
    'roles that are nearly used up',
    { [names.roles]: says({ SummaryMap: { Roles: 950, RolesQuota: 1_000 } }) },
    {},
    'fault',
    /950 of 1000 roles/,
    /L-FE177D64 --desired-value 2000/,
  ],
  [
    'a region without a service of an option',
    { [names.service('athena')]: refuses('An error occurred (ParameterNotFound)') },
    { reports: true },
    'fault',
    /eu-central-1 has no athena/,
    /AWS_REGION/,
  ],
  [
    'SES in its sandbox',
    { [names.ses]: says({ ProductionAccessEnabled: false, SendingEnabled: true }) },
    withMail,
    'warning',
    /sandbox/,
    /put-account-details --production-access-enabled/,
  ],
  [
    'SES that was stopped',
    { [names.ses]: says({ ProductionAccessEnabled: true, SendingEnabled: false }) },
    withMail,
    'fault',
    /stopped/,
    /support/,
  ],
  [
    'a sender that SES does not know',
    { [names.sender]: refuses('An error occurred (NotFoundException)') },
    withMail,
    'fault',
    /verified neither hello@shop.example nor shop.example/,
    /create-email-identity --email-identity shop.example/,
  ],
  [
    'a certificate that waits for its DNS record',
    { [names.certificate]: issued({ Status: 'PENDING_VALIDATION' }) },
    withDomain,
    'fault',
    /PENDING_VALIDATION/,
    /DomainValidationOptions/,
  ],
  [
    'a certificate of another domain',
    { [names.certificate]: issued({ DomainName: 'shop.example' }) },
    withDomain,
    'fault',
    /for shop.example, not for api.shop.example/,
    /request-certificate/,
  ],
  [
    'a certificate that does not exist',
    { [names.certificate]: refuses('An error occurred (ResourceNotFoundException)') },
    withDomain,
    'fault',
    /does not exist/,
    /request-certificate/,
  ],
  [
    'a certificate that ends soon',
    { [names.certificate]: issued({ NotAfter: '2026-12-10T00:00:00+00:00' }) },
    withDomain,
    'warning',
    /ends on 2026-12-10/,
    /renew-certificate/,
  ],
  [
    'an update that could not be undone',
    { ...deployed, [names.stack]: stack('UPDATE_ROLLBACK_FAILED') },
    {},
    'fault',
    /could not undo/,
    /continue-update-rollback --stack-name tessera-prod/,
  ],
  [
    'a first deployment that failed',
    { [names.stack]: stack('ROLLBACK_COMPLETE') },
    {},
    'fault',
    /can only be deleted/,
    /delete-stack --stack-name tessera-prod/,
  ],
  [
    'another deployment that is running',
    { ...deployed, [names.stack]: stack('UPDATE_IN_PROGRESS') },
    {},
    'fault',
    /another deployment/,
    /describe-stack-events/,
  ],
  [
    'a table of an earlier stack',
    { [names.tables]: says({ TableNames: ['tessera-prod-table8235A42E-1X', 'tessera-prod-2-table8235A42E-1Y'] }) },
    {},
    'warning',
    /tessera-prod-table8235A42E-1X is left/,
    /cdk import/,
  ],
  [
    'a backup vault of an earlier stack',
    { [names.vault]: says({ BackupVaultName: 'tessera-prod' }) },
    {},
    'fault',
    /vault tessera-prod is left/,
    /delete-backup-vault/,
  ],
  [
    'no change set of an update',
    { ...deployed, [names.changes]: refuses('An error occurred (ChangeSetNotFound)') },
    {},
    'warning',
    /no change set/,
    /npm run deploy -- --stage prod --method prepare-change-set/,
  ],
  [
    'a change set that replaces the table',
    { ...deployed, [names.changes]: says({ Changes: [changeOf('table', 'AWS::DynamoDB::GlobalTable', 'True')] }) },
    {},
    'fault',
    /replaces table/,
    /delete-change-set/,
  ],
  [
    'a nested change set that deletes a queue',
    {
      ...deployed,
      [names.changes]: says({
        Changes: [changeOf('jobs', 'AWS::CloudFormation::Stack', 'False', { ChangeSetId: 'one' })],
      }),
      'cloudformation describe-change-set --change-set-name one': says({
        Changes: [changeOf('queue', 'AWS::SQS::Queue', undefined, { Action: 'Remove', PolicyAction: 'Delete' })],
      }),
    },
    {},
    'fault',
    /deletes queue/,
    /delete-change-set/,
  ],
])('%s is found, with the command that mends it', async (_, replies, more, level, what, mend) => {
  const findings = await judged(replies, more);
  expect(findings).toEqual([{ level, what: expect.stringMatching(what), mend: expect.stringMatching(mend) }]);
});

test('a change set may replace functions, and remove what is retained', async () => {
  const Changes = [
    changeOf('live', 'AWS::Lambda::Function', 'True'),
    changeOf('facts', 'AWS::S3::Bucket', undefined, { Action: 'Remove', PolicyAction: 'Retain' }),
  ];
  expect(await judged({ ...deployed, [names.changes]: says({ Changes }) })).toEqual([]);
});
