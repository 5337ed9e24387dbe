import * as v from 'valibot';
import { addressHeader } from '../../lib/http/client-address.ts';
import { deployedGuards } from '../../lib/http/composition.ts';
import { ratePerMinute } from '../../lib/http/rate-limit.ts';
import { describeIssues } from '../../lib/issues.ts';
import { email } from '../../lib/schema.ts';
import type { Options } from '../command-line.ts';

/** What a deployment may choose, by the name of the option on the command line and in the CDK's context. */
export const deployOptions = {
  stage: {
    type: 'string',
    value: 'STAGE',
    words: 'names the stack and chooses its settings: dev, prod, a branch',
    default: 'dev',
  },
  'alarm-email': { type: 'string', value: 'ADDRESS', words: 'who gets alarms by mail, and confirms it once' },
  'mail-sender': {
    type: 'string',
    value: 'ADDRESS',
    words: 'whom invitations are mailed from: an identity that SES knows',
  },
  'management-guard': {
    type: 'string',
    value: 'GUARD',
    words: 'what guards the management paths, iam or keys',
    default: 'iam',
  },
  'rate-limit': { type: 'string', value: 'CALLS', words: 'calls a minute that each container takes of an app key' },
  'client-address-header': {
    type: 'string',
    value: 'HEADER',
    words: 'where a CDN says who called, by which calls of pages are counted',
  },
} as const satisfies Options;

const schema = v.object({
  // It becomes part of names that AWS limits.
  stage: v.optional(
    v.pipe(
      v.string('must be a text'),
      v.regex(/^[a-z][a-z0-9-]{0,15}$/, 'must be 1 to 16 lower-case letters, digits or hyphens, a letter first'),
    ),
    deployOptions.stage.default,
  ),
  'alarm-email': v.optional(email),
  'mail-sender': v.optional(email),
  // There is none that leaves the paths open.
  'management-guard': v.optional(v.picklist(deployedGuards), deployOptions['management-guard'].default),
  'rate-limit': v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String), ratePerMinute)),
  'client-address-header': v.optional(addressHeader),
});

export interface DeployOptions {
  /** Chooses the settings, and names the stack. */
  stage: string;
  /** Calls that each container takes of an app key. */
  rateLimitPerMinute?: number;
  /** The header in which a CDN says who called. */
  clientAddressHeader?: string;
  /** What guards the management paths; IAM unless it says otherwise. */
  managementGuard?: (typeof deployedGuards)[number];
  /** Whom invitations are mailed from: an identity that SES has verified in the stack's region. */
  mailSender?: string;
  /** Who gets alarms by mail, and confirms it once. Anything else subscribes to the topic. */
  alarmEmail?: string;
}

/** A mistake in them is found before anything is deployed, by this error. */
export class OptionsError extends Error {}

export function readOptions(given: Readonly<Record<string, unknown>>): DeployOptions {
  const { success, issues, output } = v.safeParse(schema, given);
  if (!success) throw new OptionsError(describeIssues(issues, 'an option').join('\n'));
  return {
    stage: output.stage,
    managementGuard: output['management-guard'],
    ...(output['rate-limit'] === undefined ? {} : { rateLimitPerMinute: output['rate-limit'] }),
    ...(output['client-address-header'] === undefined ? {} : { clientAddressHeader: output['client-address-header'] }),
    ...(output['mail-sender'] === undefined ? {} : { mailSender: output['mail-sender'] }),
    ...(output['alarm-email'] === undefined ? {} : { alarmEmail: output['alarm-email'] }),
  };
}
