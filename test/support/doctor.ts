import type { AskAws, AwsReply } from '../../infra/aws/ask-aws.ts';
import type { DeployOptions } from '../../infra/aws/options.ts';
import { diagnose } from '../../infra/operator/doctor/diagnose.ts';

/** Stands for AWS at the border of `npm run doctor`: a reply for each call, in the words of the AWS CLI. */

const now = new Date('2026-11-28T12:00:00Z');
const region = 'eu-central-1';
const account = '123456789012';
const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/one';

export type Replies = Readonly<Record<string, AwsReply>>;

export const says = (value: unknown): AwsReply => ({ ok: true, value });
export const refuses = (why: string): AwsReply => ({ ok: false, why });
export const parameter = (Value: string) => says({ Parameter: { Value } });
export const stack = (StackStatus: string) => says({ Stacks: [{ StackStatus }] });
export const executions = (quota: number, free = quota) =>
  says({ AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: free } });
export const issued = (fields: object = {}) =>
  says({
    Certificate: { Status: 'ISSUED', DomainName: '*.shop.example', NotAfter: '2027-08-01T00:00:00+00:00', ...fields },
  });

export const names = {
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

export const deployed: Replies = { [names.stack]: stack('UPDATE_COMPLETE'), [names.changes]: says({ Changes: [] }) };

/** Stands for AWS at the border of the command. A call that no reply is for is a fault of the test. */
export function accountWith(replies: Replies): AskAws {
  const all = { ...ready, ...replies };
  return async (args) => {
    const reply = all[args.join(' ')];
    if (reply === undefined) throw new Error(`no reply for ${args.join(' ')}`);
    return reply;
  };
}

const options: DeployOptions = { stage: 'prod' };

export const judged = async (replies: Replies, more: Partial<DeployOptions> = {}) =>
  (await diagnose(accountWith(replies), { ...options, ...more }, now)).filter(({ level }) => level !== 'fine');

export const withDomain = { distribution: { domain: 'api.shop.example', certificate } };
export const withMail = { mailSender: 'hello@shop.example' };
