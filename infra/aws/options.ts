import * as v from 'valibot';
import { describeIssues } from '../../lib/core/issues.ts';
import { email } from '../../lib/core/schema.ts';
import { closest } from '../../lib/core/spelling.ts';
import { addressHeader } from '../../lib/http/client-address.ts';
import { deployedGuards } from '../../lib/http/composition.ts';
import { ratePerMinute } from '../../lib/http/rate-limit.ts';
import type { Options } from '../command-line.ts';
import {
  type DistributionOptions,
  distributionEntries,
  distributionOf,
  distributionOptions,
  refuseHalf,
} from './distribution-options.ts';
import { stageSizes } from './settings.ts';
import { declaredOptions, defaultStagesFile, OptionsError, readStages, type Stages, stageName } from './stages.ts';
import { type BackupOptions, backupRhythms, defaultBackupDays } from './table-backup.ts';

/** Options of a deployment, by their names on the command line, in the file of stages and in the CDK's context. */
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
    words: 'has the options of each stage; an option here comes before it',
    default: defaultStagesFile,
  },
  size: {
    type: 'string',
    value: 'SIZE',
    words: 'small, or full with reserved executions and more calls a second (full)',
  },
  protection: { type: 'string', value: 'ON|OFF', words: 'keeps table, key and logs when the stack is deleted (on)' },
  backup: {
    type: 'string',
    value: 'RHYTHM',
    words: 'whole backups of the table beside its recovery of 35 days: daily, weekly or off (off)',
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
    words: 'calls a second that the gateway takes, in place of those of the size',
  },
  burst: { type: 'string', value: 'CALLS', words: 'calls at once above that rate, in place of those of the size' },
  'write-quota': {
    type: 'string',
    value: 'UNITS',
    words: "write units a second that the account's quota lets the table take (40000)",
  },
  distribution: {
    type: 'string',
    value: 'ON|OFF',
    words: 'puts all paths and the console behind one address of CloudFront (off)',
  },
  ...distributionOptions,
  'alarm-email': { type: 'string', value: 'ADDRESS', words: 'who gets alarms by mail, and confirms it once' },
  'ticket-email': {
    type: 'string',
    value: 'ADDRESS',
    words: 'who gets alarms that can wait for working hours, in place of --alarm-email',
  },
  'mail-sender': {
    type: 'string',
    value: 'ADDRESS',
    words: 'whom invitations are mailed from: an identity that SES knows',
  },
  'management-guard': {
    type: 'string',
    value: 'GUARD',
    words: 'what guards the management paths, iam or keys (iam)',
  },
  'rate-limit': { type: 'string', value: 'CALLS', words: 'calls a minute that each container takes of an app key' },
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
  'client-address-header': {
    type: 'string',
    value: 'HEADER',
    words: 'where a CDN says who called, by which calls of pages are counted',
  },
} as const satisfies Options;

const onOrOff = v.union(
  [
    v.boolean(),
    v.pipe(
      v.picklist(['on', 'off']),
      v.transform((word) => word === 'on'),
    ),
  ],
  'must be on or off, or true or false in the file of stages',
);

/** A number of the command line is text; the file of stages may have a number. */
const wholeNumberUpTo = (most: number) =>
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform(String),
    v.regex(/^[1-9]\d{0,5}$/, `must be a whole number, 1 to ${most}`),
    v.transform(Number),
    v.maxValue(most, `must be a whole number, 1 to ${most}`),
  );

/** API Gateway's limits for an account begin at 10,000 a second and 5,000 at once, and can be raised. */
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
  ...distributionEntries,
  'alarm-email': v.optional(email),
  'ticket-email': v.optional(email),
  'mail-sender': v.optional(email),
  // There is none that leaves the paths open.
  'management-guard': v.optional(v.picklist(deployedGuards), 'iam'),
  'rate-limit': v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String), ratePerMinute)),
  'till-executions': v.optional(wholeNumberUpTo(99_999)),
  'project-metrics': v.optional(onOrOff, false),
  'client-address-header': v.optional(addressHeader),
});

export interface DeployOptions {
  /** Names the stack. */
  stage: string;
  /** Chooses throttles and reserved executions; full unless it says otherwise. */
  size?: (typeof stageSizes)[number];
  /** Whether the data outlive the stack; they do unless it says otherwise. */
  protection?: boolean;
  /** Whole backups of the table; without it the table has its point-in-time recovery alone. */
  backup?: BackupOptions;
  /** Whether new versions of the till's functions are put in place by degrees; protected stages do unless it says otherwise. */
  gradual?: boolean;
  /** Calls a second that the gateway takes, and calls at once above that. */
  rate?: number;
  burst?: number;
  /** Write units a second of the table; each reader of the stream has one execution for 1,000 of them. */
  writeQuota?: number;
  /** Puts the APIs, divided by path, behind one address; without it one API has all paths. */
  distribution?: DistributionOptions;
  /** Calls that each container takes of an app key. */
  rateLimitPerMinute?: number;
  /** Executions reserved for each of the main checkout functions; without it they share what all share. */
  tillExecutions?: number;
  /** Whether CloudWatch counts calls, refusals and 429 of each project. */
  projectMetrics?: boolean;
  /** The header in which a CDN says who called. */
  clientAddressHeader?: string;
  /** What guards the management paths; IAM unless it says otherwise. */
  managementGuard?: (typeof deployedGuards)[number];
  /** Whom invitations are mailed from: an identity that SES has verified in the stack's region. */
  mailSender?: string;
  /** Who gets alarms by mail, and confirms it once. Anything else subscribes to the topic. */
  alarmEmail?: string;
  /** Who gets alarms that can wait for working hours, where these are not for `alarmEmail`. */
  ticketEmail?: string;
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

/** A word that nobody knows would be left out unseen. */
function refuseUnknown(declared: Readonly<Record<string, unknown>>, stage: string): void {
  const known = Object.keys(schema.entries);
  for (const name of Object.keys(declared).filter((one) => !known.includes(one))) {
    const meant = closest(name, known);
    const instead = meant === undefined ? `one of ${known.join(', ')}` : meant;
    throw new OptionsError(`stage ${stage} in the file of stages: ${name} is no option: write ${instead}`);
  }
}

/** Returns the options of a stage: of the command line first, then of its entry in the file of stages, then by default. */
export function readOptions(options: Readonly<Record<string, unknown>>, stages?: Stages): DeployOptions {
  const { stage, stages: file } = parsed(given, options, 'an option');
  const { stage: _stage, stages: _stages, ...own } = options;
  const declared = declaredOptions(stage, stages ?? readStages(file));
  refuseUnknown(declared, stage);
  // Each by itself first: a fault then says whose it is, and none hides behind the other.
  parsed(schema, declared, `stage ${stage} in the file of stages`);
  const chosen = Object.entries(own).filter(([, value]) => value !== undefined);
  const output = parsed(schema, { ...declared, ...Object.fromEntries(chosen) }, 'an option');
  refuseHalf(output);
  if (output['backup-days'] !== undefined && output.backup === 'off') {
    throw new OptionsError('an option: backup-days needs the option backup, daily or weekly');
  }
  return {
    ...(output.backup === 'off'
      ? {}
      : { backup: { rhythm: output.backup, days: output['backup-days'] ?? defaultBackupDays } }),
    ...(output.distribution ? { distribution: distributionOf(output) } : {}),
    stage,
    size: output.size,
    protection: output.protection,
    ...(output.gradual === undefined ? {} : { gradual: output.gradual }),
    managementGuard: output['management-guard'],
    ...(output['rate-limit'] === undefined ? {} : { rateLimitPerMinute: output['rate-limit'] }),
    ...(output['till-executions'] === undefined ? {} : { tillExecutions: output['till-executions'] }),
    ...(output['project-metrics'] ? { projectMetrics: true } : {}),
    ...(output['client-address-header'] === undefined ? {} : { clientAddressHeader: output['client-address-header'] }),
    ...(output['mail-sender'] === undefined ? {} : { mailSender: output['mail-sender'] }),
    ...(output.rate === undefined ? {} : { rate: output.rate }),
    ...(output.burst === undefined ? {} : { burst: output.burst }),
    ...(output['write-quota'] === undefined ? {} : { writeQuota: output['write-quota'] }),
    ...(output['ticket-email'] === undefined ? {} : { ticketEmail: output['ticket-email'] }),
    ...(output['alarm-email'] === undefined ? {} : { alarmEmail: output['alarm-email'] }),
  };
}
