import * as v from 'valibot';
import type { AskAws } from '../../aws/ask-aws.ts';
import type { DeployOptions } from '../../aws/options.ts';
import { checkBootstrap, checkExecutions, checkRoles, checkServices } from './account.ts';
import { askFor, type Check, type Finding, fault, fine } from './finding.ts';
import { checkCertificate, checkMail } from './senders.ts';
import { checkChanges, checkLeftovers, checkRoutes, lookAtStack } from './stage.ts';

const caller = v.object({ Account: v.string(), Arn: v.string() });
const parameter = v.object({ Parameter: v.object({ Value: v.string() }) });

const checks: readonly Check[] = [
  checkBootstrap,
  checkServices,
  checkExecutions,
  checkRoles,
  checkRoutes,
  checkMail,
  checkCertificate,
  checkLeftovers,
  checkChanges,
];

/** Looks at everything that a deployment of the stage needs. Without credentials or region it looks at nothing else. */
export async function diagnose(ask: AskAws, options: DeployOptions, now: Date): Promise<readonly Finding[]> {
  const identity = ['sts', 'get-caller-identity'];
  const reply = await ask(identity);
  if (!reply.ok && reply.isMissing) {
    return [
      fault(
        'the AWS CLI, by which this command looks at the account, is not installed',
        'https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html',
      ),
    ];
  }
  const found = await askFor(async () => reply, identity, caller);
  if ('why' in found)
    return [fault(`no usable credentials: ${found.why}`, 'aws sso login, or export AWS_PROFILE=<profile>')];
  const { Account: account, Arn: arn } = found.value;
  const current = ['ssm', 'get-parameter', '--name', '/aws/service/global-infrastructure/current-region'];
  const place = await askFor(ask, current, parameter);
  if ('why' in place) return [fault(`no region is chosen: ${place.why}`, 'export AWS_REGION=<region>')];
  const region = place.value.Parameter.Value;
  const { exists, finding } = await lookAtStack(ask, options.stage);
  const looking = { ask, options, now, account, region, exists };
  const others = await Promise.all(checks.map((check) => check(looking)));
  return [fine(`${arn} deploys to ${account} in ${region}`), finding, ...others.flat()];
}

/** Writes each finding on a line, with the command that mends it below. */
export function writeFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ level, what, mend }) => [
    `${level.padEnd(7)}  ${what}`,
    ...(mend === undefined ? [] : [`         ${mend}`]),
  ]);
  return `${lines.join('\n')}\n`;
}
