import * as v from 'valibot';
import { deployedOperations, listFunctions } from '../../aws/deployed-functions.ts';
import type { DeployOptions } from '../../aws/options.ts';
import { chooseSettings } from '../../aws/settings.ts';
import { askFor, type Check, type Finding, fault, fine, unread, warning } from './finding.ts';

/** The oldest bootstrap that the templates of this CDK accept. */
export const oldestBootstrap = 6;

const parameter = v.object({ Parameter: v.object({ Value: v.string() }) });

/** Looks for the bucket and the roles by which the CDK deploys. */
export const checkBootstrap: Check = async ({ ask, account, region }) => {
  const args = ['ssm', 'get-parameter', '--name', '/cdk-bootstrap/hnb659fds/version'];
  const mend = `npx cdk bootstrap aws://${account}/${region}`;
  const found = await askFor(ask, args, parameter);
  if ('why' in found) {
    if (/ParameterNotFound/.test(found.why)) return [fault(`${account} has no bootstrap in ${region}`, mend)];
    return [unread('The bootstrap', args, found.why)];
  }
  const version = Number(found.value.Parameter.Value);
  if (version >= oldestBootstrap) return [fine(`the bootstrap has version ${version}`)];
  return [fault(`the bootstrap has version ${version}, and ${oldestBootstrap} is needed`, mend)];
};

/** Names services of options by AWS's own names of them. */
function servicesOf({ mailSender, reports, backup }: DeployOptions): readonly string[] {
  return [
    ...(mailSender === undefined ? [] : ['ses']),
    ...(reports ? ['athena', 'glue', 'firehose'] : []),
    ...(backup === undefined ? [] : ['backup']),
  ];
}

/** Looks for the services that options need in the region. */
export const checkServices: Check = async ({ ask, options, region }) => {
  const checks = servicesOf(options).map(async (service): Promise<Finding> => {
    const name = `/aws/service/global-infrastructure/regions/${region}/services/${service}`;
    const args = ['ssm', 'get-parameter', '--name', name];
    const found = await askFor(ask, args, parameter);
    if (!('why' in found)) return fine(`${region} has ${service}`);
    if (!/ParameterNotFound/.test(found.why)) return unread(`The service ${service}`, args, found.why);
    return fault(
      `${region} has no ${service}, which an option of the stage needs`,
      `AWS_REGION=<another region> npm run doctor -- --stage ${options.stage}`,
    );
  });
  return Promise.all(checks);
};

/** Counts the executions that the functions of a stage reserve. */
export function countReserved(options: DeployOptions): number {
  const { reservedConcurrency: ceilings } = chooseSettings(options);
  const ofTills = 3 * (options.tillExecutions ?? 0);
  if (ceilings === undefined) return ofTills;
  const open = listFunctions(deployedOperations, 'iam').filter(({ routes }) => routes.some(({ isPublic }) => isPublic));
  const ownPages = [
    'docs',
    'preflights',
    ...(options.console === false ? [] : ['console']),
    ...(options.agents ? ['mcp'] : []),
  ];
  const ofPublic = (open.length + ownPages.length) * ceilings.publicPath;
  return ceilings.logWorker + ceilings.dueWorker + 2 * ceilings.streamReader + ofPublic + ofTills;
}

/** AWS keeps so many executions that can't be reserved. */
const neverReserved = 100;

const executions = v.object({
  AccountLimit: v.object({ ConcurrentExecutions: v.number(), UnreservedConcurrentExecutions: v.number() }),
});

/** Compares the account's executions with the stage's reservations. */
export const checkExecutions: Check = async ({ ask, options, exists }) => {
  const args = ['lambda', 'get-account-settings'];
  const found = await askFor(ask, args, executions);
  if ('why' in found) return [unread('The concurrent executions', args, found.why)];
  const { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: free } = found.value.AccountLimit;
  const reserved = countReserved(options);
  const needed = reserved + neverReserved;
  const mend = (value: number) =>
    `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${Math.max(1_000, value)}`;
  if (reserved > 0 && quota < needed) {
    return [fault(`the account has ${quota} concurrent executions, and the stage needs ${needed}`, mend(needed))];
  }
  // A stage that exists has its own reservations among the others.
  if (reserved > 0 && !exists && free < needed) {
    const others = quota - free;
    const what = `other functions reserve ${others} of ${quota} executions, so ${free} are left, and the stage needs ${needed}`;
    return [fault(what, mend(needed + others))];
  }
  if (quota < 500) return [warning(`the account has only ${quota} concurrent executions`, mend(needed))];
  return [fine(`the account has ${quota} concurrent executions, and the stage reserves ${reserved}`)];
};

/** A stage has fewer (test/infra/stack.long.test.ts). */
const rolesOfStage = 140;

const summary = v.object({ SummaryMap: v.object({ Roles: v.number(), RolesQuota: v.number() }) });

/** Looks whether the account has room for the roles of a new stage. */
export const checkRoles: Check = async ({ ask, exists }) => {
  const args = ['iam', 'get-account-summary'];
  const found = await askFor(ask, args, summary);
  if ('why' in found) return [unread('The roles of the account', args, found.why)];
  const { Roles: count, RolesQuota: quota } = found.value.SummaryMap;
  if (exists || count + rolesOfStage <= quota) return [fine(`the account has ${count} of ${quota} roles`)];
  return [
    fault(
      `the account has ${count} of ${quota} roles, and a stage adds up to ${rolesOfStage}`,
      `aws service-quotas request-service-quota-increase --region us-east-1 --service-code iam --quota-code L-FE177D64 --desired-value ${quota + 1_000}`,
    ),
  ];
};
