import * as v from 'valibot';
import { shownAs } from '#kernel/core/documented.ts';

/** Reads the address of a webhook. Its scheme defines the kind of target. docs/webhooks.md#targets lists the kinds. */

/** URLs are at most as long as browsers and proxies accept. */
const maxUrlLength = 2_048;

const ofThisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The names that AWS allows for queues and buses. */
const nameRules = {
  sqs: /^[\w-]{1,75}(?:\.fifo)?$/,
  eventbridge: /^[\w./-]{1,256}$/,
  log: /^[\w-]{1,64}$/,
} as const;

/** A queue or a bus of the account. */
export interface AccountTarget {
  readonly kind: 'sqs' | 'eventbridge';
  readonly name: string;
}

export type WebhookTarget =
  | AccountTarget
  | { readonly kind: 'log'; readonly name: string }
  | { readonly kind: 'address'; readonly url: string };

function isNamedKind(scheme: string): scheme is keyof typeof nameRules {
  return Object.hasOwn(nameRules, scheme);
}

/** Returns the target of an address, such as `sqs:orders`. Any other address receives requests. */
export function readTarget(address: string): WebhookTarget {
  const [kind = '', name = ''] = address.split(/:(.*)/s);
  return isNamedKind(kind) && nameRules[kind].test(name) ? { kind, name } : { kind: 'address', url: address };
}

function isAddress(text: string): boolean {
  if (readTarget(text).kind !== 'address') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && ofThisMachine.test(hostname));
}

const words =
  'must be an https address without a user name, an http address of this machine, sqs:QUEUE, eventbridge:BUS or log:NAME';

export const targetUrl = shownAs(
  v.pipe(
    v.string(),
    v.maxLength(maxUrlLength, `must have at most ${maxUrlLength} characters`),
    v.check(isAddress, words),
  ),
  { type: 'string', format: 'uri', maxLength: maxUrlLength },
);
