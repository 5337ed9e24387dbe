import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import { email } from '#kernel/core/schema.ts';
import { findClosest } from '#kernel/core/spelling.ts';
import { addressHeader } from '#kernel/http/client-address.ts';
import { deployedGuards } from '#kernel/http/composition.ts';
import { ratePerMinute } from '#kernel/http/rate-limit.ts';
import type { Options } from '../command-line.ts';
import { type AgentRight, agentEntries, agentOptions } from './agent-options.ts';
import {
  type DistributionOptions,
  distributionEntries,
  distributionOptions,
  readDistributionOptions,
  refuseHalf,
} from './distribution-options.ts';
import { eventTargetEntries, eventTargetOptions } from './event-targets.ts';
import { leftOutEntries, leftOutOptions, readLeftOut } from './left-out-options.ts';
import {
  type MonitoringOptions,
  monitoringEntries,
  monitoringOptions,
  readMonitoringOptions,
  refuseSilentBudget,
} from './monitoring-options.ts';
import { onOrOff, wholeNumberUpTo } from './option-values.ts';
import { stageSizes } from './settings.ts';
import { defaultStagesFile, findStageOptions, OptionsError, readStages, type Stages, stageName } from './stages.ts';
import { type BackupOptions, backupRhythms, defaultBackupDays } from './table-backup.ts';

/** Lists a deployment's options, by their names on the command line, in the file of stages and in the CDK's context. */
export const deployOptions = {
  stage: {
    type: 'string',
    value: 'STAGE',
    words: 'names the stack, and its entry in the file of stages',
    default: 'dev',
  },
  stages: {
    type: 'string',
    value: 'FILE',
    words: 'has the options of each stage; an option on the command line wins',
    default: defaultStagesFile,
  },
  size: {
    type: 'string',
    value: 'SIZE',
    words: 'small, or full with reserved executions and more calls in a second (full)',
  },
  protection: { type: 'string', value: 'ON|OFF', words: 'keeps table, key and logs when the stack is deleted (on)' },
  backup: {
    type: 'string',
    value: 'RHYTHM',
    words: 'whole backups of the table, besides its recovery of 35 days: daily, weekly or off (off)',
  },
  'backup-days': { type: 'string', value: 'DAYS', words: `days that a backup is kept (${defaultBackupDays})` },
  gradual: {
    type: 'string',
    value: 'ON|OFF',
    words: "gives a new version of a till's function a tenth of the calls first (as protection)",
  },
  rate: {
    type: 'string',
    value: 'CALLS',
    words: 'calls in a second that the gateway accepts, instead of the default of the size',
  },
  burst: { type: 'string', value: 'CALLS', words: 'simultaneous calls above that rate, instead of the default' },
  'write-quota': {
    type: 'string',
    value: 'UNITS',
    words: "write units in a second that the account's quota allows the table (40000)",
  },
  distribution: {
    type: 'string',
    value: 'ON|OFF',
    words: 'gives all paths and the console one address of CloudFront (off)',
  },
  console: { type: 'string', value: 'ON|OFF', words: 'serves the web console under /console (on)' },
  ...distributionOptions,
  'mail-sender': {
    type: 'string',
    value: 'ADDRESS',
    words: 'sender of invitations: an identity that SES has verified',
  },
  'management-guard': {
    type: 'string',
    value: 'GUARD',
    words: 'guard of the management paths, iam or keys (iam)',
  },
  'rate-limit': {
    type: 'string',
    value: 'CALLS',
    words: 'calls in a minute that each container accepts from an app key',
  },
  'till-executions': {
    type: 'string',
    value: 'COUNT',
    words: 'executions reserved for each of redemptions, validations and qualifications',
  },
  'project-metrics': {
    type: 'string',
    value: 'ON|OFF',
    words: 'counts calls, refusals and 429 of each project in CloudWatch (off)',
  },
  reports: { type: 'string', value: 'ON|OFF', words: 'keeps facts in S3, and answers reports by Athena (off)' },
  ...leftOutOptions,
  ...monitoringOptions,
  ...agentOptions,
  ...eventTargetOptions,
  'client-address-header': {
    type: 'string',
    value: 'HEADER',
    words: "header with the caller's address from a CDN, which counts browser calls",
  },
} as const satisfies Options;

/** API Gateway's limits for an account start at 10,000 calls a second and 5,000 simultaneous calls. AWS can raise them. */
const callsOfGateway = wholeNumberUpTo(100_000);

const schema = v.object({
  size: v.optional(v.picklist(stageSizes), 'full'),
  protection: v.optional(onOrOff, true),
  backup: v.optional(
    v.pipe(
      v.union([v.literal(false), v.picklist(['off', ...backupRhythms])], 'must be daily, weekly or off'),
      v.transform((rhythm) => rhythm || 'off'),
    ),
    'off',
  ),
  'backup-days': v.optional(wholeNumberUpTo(36_500)),
  gradual: v.optional(onOrOff),
  rate: v.optional(callsOfGateway),
  burst: v.optional(callsOfGateway),
  'write-quota': v.optional(wholeNumberUpTo(999_999)),
  distribution: v.optional(onOrOff, false),
  console: v.optional(onOrOff, true),
  ...distributionEntries,
  'mail-sender': v.optional(email),
  // No guard leaves the paths open.
  'management-guard': v.optional(v.picklist(deployedGuards), 'iam'),
  'rate-limit': v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String), ratePerMinute)),
  'till-executions': v.optional(wholeNumberUpTo(99_999)),
  'project-metrics': v.optional(onOrOff, false),
  reports: v.optional(onOrOff, false),
  ...leftOutEntries,
  ...monitoringEntries,
  ...agentEntries,
  ...eventTargetEntries,
  'client-address-header': v.optional(addressHeader),
});

export interface DeployOptions extends MonitoringOptions {
  stage: string;
  size?: (typeof stageSizes)[number];
  /** Says whether the data outlive the stack: they do by default. */
  protection?: boolean;
  /** Sets whole backups of the table. Without it the table has point-in-time recovery only. */
  backup?: BackupOptions;
  /** Says whether the till's functions get new versions by degrees: in protected stages they do by default. */
  gradual?: boolean;
  /** Sets the gateway's calls in a second, and its simultaneous calls above that rate. */
  rate?: number;
  burst?: number;
  /** Sets the table's quota of write units in a second. Each stream reader has one execution for 1,000 of them. */
  writeQuota?: number;
  /** Gives the APIs, divided by path, one address. Without it one API has all paths. */
  distribution?: DistributionOptions;
  /** Says whether the stage serves the web console: it does by default. */
  console?: boolean;
  /** Limits the calls of an app key in each container. */
  rateLimitPerMinute?: number;
  /** Reserves executions for each of the main checkout functions. Without it they share the common executions. */
  tillExecutions?: number;
  projectMetrics?: boolean;
  /** Keeps facts, and answers reports: off by default. */
  reports?: boolean;
  /** Names add-ons that the stage does not have, such as `webhooks`. */
  leaveOut?: readonly string[];
  /** Serves `/mcp` to agents, which may only read, or also act. Without it the path does not exist. */
  agents?: AgentRight;
  /** Names queues and buses of the account that webhooks may send to, such as `sqs:orders`. */
  eventTargets?: readonly string[];
  /** Names the header in which a CDN sends the caller's address. */
  clientAddressHeader?: string;
  /** Names the guard of the management paths: IAM by default. */
  managementGuard?: (typeof deployedGuards)[number];
  /** The sender of invitations, an identity that SES has verified in the stack's region. */
  mailSender?: string;
}

function parsed<S extends v.GenericSchema>(schema: S, value: unknown, root: string): v.InferOutput<S> {
  const { success, issues, output } = v.safeParse(schema, value);
  if (!success) throw new OptionsError(describeIssues(issues, root).join('\n'));
  return output;
}

const given = v.object({
  stage: v.optional(stageName, deployOptions.stage.default),
  stages: v.optional(v.string()),
});

/** Refuses unknown options, because a misspelt option would have no effect. */
function refuseUnknown(declared: Readonly<Record<string, unknown>>, stage: string): void {
  const known = Object.keys(schema.entries);
  for (const name of Object.keys(declared).filter((one) => !known.includes(one))) {
    const meant = findClosest(name, known);
    const instead = meant === undefined ? `one of ${known.join(', ')}` : meant;
    throw new OptionsError(`stage ${stage} in the file of stages: ${name} is not an option: write ${instead}`);
  }
}

/** Returns the options of a stage, from the command line, else its entry in the file of stages, else the defaults. */
export function readOptions(options: Readonly<Record<string, unknown>>, stages?: Stages): DeployOptions {
  const { stage, stages: file } = parsed(given, options, 'an option');
  const { stage: _stage, stages: _stages, ...own } = options;
  const declared = findStageOptions(stage, stages ?? readStages(file));
  refuseUnknown(declared, stage);
  // Each source is checked alone first, so that a fault names its source and hides no other fault.
  parsed(schema, declared, `stage ${stage} in the file of stages`);
  const chosen = Object.entries(own).filter(([, value]) => value !== undefined);
  const output = parsed(schema, { ...declared, ...Object.fromEntries(chosen) }, 'an option');
  refuseHalf(output);
  refuseSilentBudget(output);
  if (output['backup-days'] !== undefined && output.backup === 'off') {
    throw new OptionsError('an option: backup-days needs the option backup, daily or weekly');
  }
  return {
    ...(output.backup === 'off'
      ? {}
      : { backup: { rhythm: output.backup, days: output['backup-days'] ?? defaultBackupDays } }),
    ...(output.distribution ? { distribution: readDistributionOptions(output) } : {}),
    stage,
    size: output.size,
    protection: output.protection,
    managementGuard: output['management-guard'],
    ...defined({ gradual: output.gradual }),
    ...defined({ rate: output.rate, burst: output.burst, writeQuota: output['write-quota'] }),
    ...defined({ rateLimitPerMinute: output['rate-limit'], tillExecutions: output['till-executions'] }),
    ...defined({ clientAddressHeader: output['client-address-header'], mailSender: output['mail-sender'] }),
    ...defined({ eventTargets: output['event-targets'] }),
    ...(output['project-metrics'] ? { projectMetrics: true } : {}),
    ...(output.reports ? { reports: true } : {}),
    ...readLeftOut(output),
    ...readMonitoringOptions(output),
    ...(output.agents === 'off' ? {} : { agents: output.agents }),
    ...(output.console ? {} : { console: false }),
  };
}
