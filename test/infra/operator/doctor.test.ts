import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { type AskAws, type AwsReply, askByCli } from '../../../infra/aws/ask-aws.ts';
import { isFirstDeployment, listImportWarnings } from '../../../infra/aws/first-deployment.ts';
import type { DeployOptions } from '../../../infra/aws/options.ts';
import { countReserved, oldestBootstrap } from '../../../infra/operator/doctor/account.ts';
import { diagnose, writeFindings } from '../../../infra/operator/doctor/diagnose.ts';

const now = new Date('2026-11-28T12:00:00Z');
const region = 'eu-central-1';
const account = '123456789012';
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/one';

type Replies = Readonly<Record<string, AwsReply>>;

const says = (value: unknown): AwsReply => ({ ok: true, value });
const refuses = (why: string): AwsReply => ({ ok: false, why });
const parameter = (Value: string) => says({ Parameter: { Value } });
const stack = (StackStatus: string) => says({ Stacks: [{ StackStatus }] });
const executions = (quota: number, free = quota) =>
  says({ AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: free } });
const issued = (fields: object = {}) =>
  says({
    Certificate: { Status: 'ISSUED', DomainName: '*.shop.example', NotAfter: '2027-08-01T00:00:00+00:00', ...fields },
  });

const names = {
  caller: 'sts get-caller-identity',
  region: 'ssm get-parameter --name /aws/service/global-infrastructure/current-region',
  bootstrap: 'ssm get-parameter --name /cdk-bootstrap/hnb659fds/version',
  stack: 'cloudformation describe-stacks --stack-name tessera-prod',
  executions: 'lambda get-account-settings',
  roles: 'iam get-account-summary',
  tables: 'dynamodb list-tables',
  vault: 'backup describe-backup-vault --backup-vault-name tessera-prod',
  changes: 'cloudformation describe-change-set --stack-name tessera-prod --change-set-name cdk-deploy-change-set',
  ses: 'sesv2 get-account',
  sender: 'sesv2 get-email-identity --email-identity hello@shop.example',
  senderDomain: 'sesv2 get-email-identity --email-identity shop.example',
  certificate: `acm describe-certificate --region us-east-1 --certificate-arn ${certificate}`,
  service: (name: string) =>
    `ssm get-parameter --name /aws/service/global-infrastructure/regions/${region}/services/${name}`,
};

/** An account in which nothing hinders the first deployment. */
const ready: Replies = {
  [names.caller]: says({ Account: account, Arn: `arn:aws:iam::${account}:user/ops` }),
  [names.region]: parameter(region),
  [names.bootstrap]: parameter('25'),
  [names.stack]: refuses('An error occurred (ValidationError): Stack with id tessera-prod does not exist'),
  [names.executions]: executions(1_000),
  [names.roles]: says({ SummaryMap: { Roles: 90, RolesQuota: 1_000 } }),
  [names.tables]: says({ TableNames: ['orders'] }),
  [names.vault]: refuses('An error occurred (ResourceNotFoundException)'),
  [names.ses]: says({ ProductionAccessEnabled: true, SendingEnabled: true }),
  [names.sender]: says({ VerifiedForSendingStatus: true }),
  [names.senderDomain]: refuses('An error occurred (NotFoundException)'),
  [names.certificate]: issued(),
  [names.service('athena')]: parameter('athena'),
  [names.service('glue')]: parameter('glue'),
  [names.service('firehose')]: parameter('firehose'),
  [names.service('ses')]: parameter('ses'),
};

const deployed: Replies = { [names.stack]: stack('UPDATE_COMPLETE'), [names.changes]: says({ Changes: [] }) };

/** Stands for AWS at the border of the command. A call that no reply is for is a fault of the test. */
function accountWith(replies: Replies): AskAws {
  const all = { ...ready, ...replies };
  return async (args) => {
    const reply = all[args.join(' ')];
    if (reply === undefined) throw new Error(`no reply for ${args.join(' ')}`);
    return reply;
  };
}

const options: DeployOptions = { stage: 'prod' };

const judged = async (replies: Replies, more: Partial<DeployOptions> = {}) =>
  (await diagnose(accountWith(replies), { ...options, ...more }, now)).filter(({ level }) => level !== 'fine');

const withDomain = { distribution: { domain: 'api.shop.example', certificate } };
const withMail = { mailSender: 'hello@shop.example' };

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
    /npm run deploy -- --stage prod --no-execute/,
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

function changeOf(LogicalResourceId: string, ResourceType: string, Replacement?: string, more: object = {}) {
  return { ResourceChange: { Action: 'Modify', LogicalResourceId, ResourceType, Replacement, ...more } };
}

describe('the change set', () => {
  test('may replace functions, and remove what is retained', async () => {
    const Changes = [
      changeOf('live', 'AWS::Lambda::Function', 'True'),
      changeOf('facts', 'AWS::S3::Bucket', undefined, { Action: 'Remove', PolicyAction: 'Retain' }),
    ];
    expect(await judged({ ...deployed, [names.changes]: says({ Changes }) })).toEqual([]);
  });
});

test('the executions that a stage reserves are the ceilings of its workers and of its open paths, and those of tills', () => {
  // 10 of the log worker, 2 of the due worker, 2 x 40 of the readers, and 5 each of docs, preflights, console and 2 pictures.
  expect(countReserved({ stage: 'prod' })).toBe(10 + 2 + 80 + 5 * 5);
  expect(countReserved({ stage: 'prod', agents: 'read', tillExecutions: 200 })).toBe(10 + 2 + 80 + 6 * 5 + 600);
  expect(countReserved({ stage: 'prod', size: 'small' })).toBe(0);
});

test('the oldest bootstrap is the one that stacks of the CDK require', () => {
  const app = new App();
  new Stack(app, 'one');
  expect(app.synth().getStackByName('one').requiresBootstrapStackVersion).toBe(oldestBootstrap);
});

test('findings are written one below the other, each with its command', () => {
  expect(
    writeFindings([
      { level: 'fine', what: 'one' },
      { level: 'fault', what: 'two', mend: 'aws three' },
    ]),
  ).toBe('fine     one\nfault    two\n         aws three\n');
});

describe('a deployment', () => {
  test.each<[AwsReply, boolean]>([
    [refuses('Stack with id tessera-prod does not exist'), true],
    [stack('REVIEW_IN_PROGRESS'), true],
    [stack('UPDATE_COMPLETE'), false],
    [refuses('AccessDenied'), false],
  ])('is the first one if there is no stack: %j', async (reply, isFirst) => {
    expect(await isFirstDeployment(accountWith({ [names.stack]: reply }), 'prod')).toBe(isFirst);
  });

  test('prints the warnings of its own APIs', async () => {
    const tags = (stage: string) => ({ application: 'tessera', stage });
    const Items = [
      { Name: 'tessera-prod', Tags: tags('prod'), Warnings: ['no scheme'] },
      { Name: 'tessera-prod-2', Tags: tags('prod-2'), Warnings: ['another stage'] },
      { Name: 'other', Warnings: ['another application'] },
    ];
    const ask = accountWith({ 'apigatewayv2 get-apis': says({ Items }) });
    expect(await listImportWarnings(ask, 'prod')).toEqual(['tessera-prod: no scheme']);
  });
});

describe('the AWS CLI', () => {
  test('is asked for JSON, and a refusal keeps its words', async () => {
    const echo = askByCli({ command: 'echo' });
    expect(await echo(['{"a":1}'])).toMatchObject({ ok: false });
    expect(await askByCli({ command: 'true' })(['sts'])).toEqual({ ok: true, value: undefined });
    expect(await askByCli({ command: 'no-such-command' })(['sts'])).toMatchObject({ ok: false, isMissing: true });
  });
});
