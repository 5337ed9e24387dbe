import * as v from 'valibot';
import { shownAs } from '../../core/documented.ts';
import { findClosest } from '../../core/spelling.ts';
import { eventTypes, misspeltTypes } from '../../kit/events/types.ts';
import { required, resource } from '../../kit/resource/resource.ts';
import { activityTypes } from '../../ledger/activities/activity.ts';

/** The types that a webhook can choose: the public ones, and the activities of customers. */
export const chosenTypes: readonly string[] = [
  ...new Set([...Object.keys(eventTypes), ...Object.values(activityTypes)]),
];

const known: ReadonlySet<string> = new Set(chosenTypes);

function explainUnknown(name: string): string {
  const meant = findClosest(name, chosenTypes);
  return `must be a type of event${meant === undefined ? '' : `: is ${meant} meant?`}`;
}

export const chosenType = shownAs(
  v.pipe(
    v.string(),
    v.transform((name) => (Object.hasOwn(misspeltTypes, name) ? (misspeltTypes[name] ?? name) : name)),
    v.check(
      (name) => known.has(name),
      ({ input }) => explainUnknown(String(input)),
    ),
  ),
  { type: 'string', enum: chosenTypes },
);

/** URLs are as long as browsers and proxies take them. */
const maxUrlLength = 2_048;

const ofThisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function isTarget(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && ofThisMachine.test(hostname));
}

const targetUrl = shownAs(
  v.pipe(
    v.string(),
    v.maxLength(maxUrlLength, `must have at most ${maxUrlLength} characters`),
    v.check(isTarget, 'must be an https address without a user name, or an http address of this machine'),
  ),
  { type: 'string', format: 'uri', maxLength: maxUrlLength },
);

const chosen = v.pipe(
  v.array(chosenType),
  v.minLength(1, 'must name a type of event'),
  v.maxLength(200, 'must name at most 200 types of events'),
  v.transform((types) => [...new Set(types)]),
);

/** A project has at most this many webhooks. One query reads them all, for each batch of the stream. */
const maxWebhooks = 100;

/** Sends a project's events to one address. */
export const webhook = resource('webhook', {
  prefix: 'wh',
  number: 'few',
  fields: {
    target_url: required(targetUrl, 'The address that gets the events, by POST.'),
    events: required(chosen, 'The types of events to send. An update replaces them.'),
    active: required(
      v.optional(v.boolean(), true),
      'Says whether events are sent. It is `false` after a last retry failed.',
    ),
  },
  unique: ['target_url'],
  most: maxWebhooks,
  fileKey: 'webhooks',
});
