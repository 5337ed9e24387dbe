import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import * as v from 'valibot';
import { type AccountTarget, readTarget } from '#addons/webhooks/target-address.ts';
import type { Options } from '../command-line.ts';

/** Names the queues and buses of the account that webhooks may send to, and grants nothing else. */

export const eventTargetOptions = {
  'event-targets': {
    type: 'string',
    value: 'TARGETS',
    words: 'queues and buses of the account that webhooks may send to, such as "sqs:orders eventbridge:shop"',
  },
} as const satisfies Options;

function isInAccount(address: string): boolean {
  const { kind } = readTarget(address);
  return kind === 'sqs' || kind === 'eventbridge';
}

export const eventTargetEntries = {
  'event-targets': v.optional(
    v.pipe(
      v.union([v.string(), v.array(v.string())], 'must be a text or a list'),
      v.transform((given) => [given].flat().flatMap((part) => part.split(/[\s,]+/).filter(Boolean))),
      v.everyItem(isInAccount, 'must name targets as sqs:QUEUE or eventbridge:BUS'),
      v.transform((names) => [...new Set(names)]),
    ),
  ),
};

/** The operations that set the target of a webhook, and refuse unlisted targets. */
const choosers: readonly string[] = ['create-webhook', 'update-webhook'];

/** Returns the variable with the list of a function that refuses other targets. */
export function targetsFor(operation: string, targets: readonly string[] = []): Record<string, string> {
  return choosers.includes(operation) && targets.length > 0 ? { EVENT_TARGETS: targets.join(' ') } : {};
}

function namesOf(targets: readonly string[], kind: AccountTarget['kind']): string[] {
  return targets.map(readTarget).flatMap((target) => (target.kind === kind ? [target.name] : []));
}

/** Grants sending to each target by its name, in the account and region of the stack. */
export function grantsOfTargets(targets: readonly string[], stack: Stack): PolicyStatement[] {
  const queues = namesOf(targets, 'sqs').map((resource) => stack.formatArn({ service: 'sqs', resource }));
  const buses = namesOf(targets, 'eventbridge').map((resourceName) =>
    stack.formatArn({
      service: 'events',
      resource: 'event-bus',
      resourceName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    }),
  );
  return [
    ...(queues.length > 0 ? [new PolicyStatement({ actions: ['sqs:SendMessage'], resources: queues })] : []),
    ...(buses.length > 0 ? [new PolicyStatement({ actions: ['events:PutEvents'], resources: buses })] : []),
  ];
}
