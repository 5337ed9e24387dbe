import * as v from 'valibot';
import { activityTypes } from '#engine/ledger/activities/activity.ts';
import { described, named, shownAs } from '#kernel/core/documented.ts';
import { object, text } from '#kernel/core/schema.ts';
import { findClosest } from '#kernel/core/spelling.ts';
import { optional, required, resource } from '#kernel/kit/resource/resource.ts';
import { eventTypes, misspeltTypes } from './events/types.ts';
import { sentHeaders } from './headers.ts';
import { targetUrl } from './target-address.ts';

/** The types that a webhook can choose: the public types, and the activities of customers. */
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

const chosen = v.pipe(
  v.array(chosenType),
  v.minLength(1, 'must name a type of event'),
  v.maxLength(200, 'must name at most 200 types of events'),
  v.transform((types) => [...new Set(types)]),
);

/** A project has at most this many webhooks. One query reads them all, for each batch of the stream. */
const maxWebhooks = 100;

const stored = resource('webhook', {
  prefix: 'wh',
  number: 'few',
  fields: {
    target_url: required(
      targetUrl,
      'The address that gets the events, by POST. `sqs:QUEUE` and `eventbridge:BUS` name a queue and a bus of the account, and `log:NAME` keeps events in the log alone.',
    ),
    events: required(chosen, 'The types of events to send. An update replaces them.'),
    active: required(
      v.optional(v.boolean(), true),
      'Says whether events are sent. It is `false` after a last retry failed.',
    ),
    header_names: optional(v.array(text), 'The names of the headers that its requests have besides those that sign.'),
    sealed_headers: optional(text, 'The headers, for the sender alone.'),
  },
  unique: ['target_url'],
  most: maxWebhooks,
  fileKey: 'webhooks',
});

const headers = described(
  v.optional(v.nullable(sentHeaders)),
  'At most 10 headers for each request, by name, such as `Authorization`. Replies show the names alone. `null` removes them.',
);

const kept = ['header_names', 'sealed_headers'] as const;

const isOfFiles = ([name]: [string, unknown]) => !kept.some((one) => one === name);

/** Sends a project's events to one address. Only its item has the sealed headers. */
export const webhook = {
  ...stored,
  createBody: object({ ...v.omit(stored.createBody, kept).entries, headers }),
  updateBody: object({ ...v.omit(stored.updateBody, kept).entries, headers }),
  reply: named('Webhook', v.omit(stored.reply, ['sealed_headers'])),
  fileEntry: object(Object.fromEntries(Object.entries(stored.fileEntry.entries).filter(isOfFiles))),
};
