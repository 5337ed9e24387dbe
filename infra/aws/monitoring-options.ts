import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { email } from '#kernel/core/schema.ts';
import type { Options } from '../command-line.ts';
import { onOrOff, wholeNumberUpTo } from './option-values.ts';
import { OptionsError } from './stages.ts';

const monitoringSizes = ['standard', 'full'] as const;

/** Holds what a stage pays to be watched, and who gets its alarms besides the mail addresses. */
export interface MonitoringOptions {
  /** Standard watches the tills and the money by few metrics. Full also watches families, routes, queues and the account. */
  monitoring?: (typeof monitoringSizes)[number];
  /** Creates a dashboard: only with full monitoring by default. */
  dashboard?: boolean;
  /** Calls the service each minute as a shop does: only with full monitoring by default. */
  probe?: boolean;
  /** Encrypts the table by a key of this account: by a key of AWS by default. */
  ownKey?: boolean;
  /** The mail address for alarms, which its owner confirms once. Other receivers subscribe to the topic. */
  alarmEmail?: string;
  /** The mail address for alarms that can wait for working hours, if it differs from `alarmEmail`. */
  ticketEmail?: string;
  /** The address at which a pager receives pages from SNS. */
  pagerUrl?: string;
  /** Dollars a month: a mail reports when the stage is expected to cost more. */
  budget?: number;
}

export const monitoringOptions = {
  monitoring: {
    type: 'string',
    value: 'SIZE',
    words: 'standard, or full with more alarms, metrics of routes, and traces (standard)',
  },
  dashboard: { type: 'string', value: 'ON|OFF', words: 'creates a dashboard (on with full monitoring)' },
  probe: {
    type: 'string',
    value: 'ON|OFF',
    words: 'calls the service each minute as a shop does (on with full monitoring)',
  },
  'own-key': {
    type: 'string',
    value: 'ON|OFF',
    words: 'encrypts the table by a KMS key of the account, for a dollar a month (off)',
  },
  'alarm-email': { type: 'string', value: 'ADDRESS', words: 'mail address for alarms; its owner confirms it once' },
  'ticket-email': {
    type: 'string',
    value: 'ADDRESS',
    words: 'mail address for alarms that can wait for working hours, instead of --alarm-email',
  },
  'pager-url': {
    type: 'string',
    value: 'URL',
    words: 'address at which a pager receives alarms of callers that are affected now',
  },
  budget: {
    type: 'string',
    value: 'DOLLARS',
    words: 'sends a mail when the stage will cost more in a month; needs --alarm-email or --ticket-email',
  },
} as const satisfies Options;

export const monitoringEntries = {
  monitoring: v.optional(v.picklist(monitoringSizes)),
  dashboard: v.optional(onOrOff),
  probe: v.optional(onOrOff),
  'own-key': v.optional(onOrOff),
  'alarm-email': v.optional(email),
  'ticket-email': v.optional(email),
  'pager-url': v.optional(
    v.pipe(v.string(), v.url('must be an address'), v.startsWith('https://', 'must begin with https://')),
  ),
  budget: v.optional(wholeNumberUpTo(999_999)),
};

const parsed = v.object(monitoringEntries);

type Parsed = v.InferOutput<typeof parsed>;

/** Rejects a budget whose mail would have no receiver. */
export function refuseSilentBudget({ budget, 'alarm-email': alarmEmail, 'ticket-email': ticketEmail }: Parsed): void {
  if (budget !== undefined && (ticketEmail ?? alarmEmail) === undefined) {
    throw new OptionsError('an option: budget needs alarm-email or ticket-email, which receives its mail');
  }
}

export function readMonitoringOptions(output: Parsed): MonitoringOptions {
  const { monitoring, dashboard, probe, budget } = output;
  return defined({
    ...{ monitoring, dashboard, probe, budget },
    ownKey: output['own-key'],
    alarmEmail: output['alarm-email'],
    ticketEmail: output['ticket-email'],
    pagerUrl: output['pager-url'],
  });
}
