import { setTimeout as pause } from 'node:timers/promises';
import { chosenTypes } from '#addons/webhooks/resource.ts';
import { findClosest } from '#kernel/core/spelling.ts';
import { Complaint, Misuse, runCommand } from '../command-line.ts';
import { watchLauncher } from '../local/launcher.ts';
import { type HeardEvent, Listener } from './listen/listener.ts';
import { connectManagement, managementNotes } from './listen/management.ts';

const usage = `Prints the events of a project while they happen, one JSON body a line, until Ctrl-C.
The project needs no webhook, and this machine no public address. Standard error says whether the signatures are right.

  npm run listen --silent -- --types 'redemption.*,customer.created'
  npm run listen --silent -- --url https://api.shop.example --project proj_shop --forward http://localhost:4000/hooks
`;

const options = {
  url: { type: 'string', value: 'URL', words: 'address of the API', default: 'http://127.0.0.1:3000' },
  project: { type: 'string', value: 'PROJECT', words: 'id of the project', default: 'proj_demo' },
  types: {
    type: 'string',
    value: 'TYPES',
    words: 'types of events with commas between them; * matches any text',
    default: '*',
  },
  forward: { type: 'string', value: 'URL', words: 'also posts each event to this address, with its headers' },
} as const;

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Misuse(`"${text}" is not an http or https address`);
  return url;
}

/** Returns the types that the patterns select. */
function selectTypes(patterns: string): string[] {
  const selected = patterns
    .split(/[\s,]+/)
    .filter(Boolean)
    .flatMap((pattern) => {
      const rule = new RegExp(`^${pattern.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`);
      const found = chosenTypes.filter((type) => rule.test(type));
      if (found.length > 0) return found;
      const meant = findClosest(pattern, chosenTypes);
      throw new Misuse(`${pattern} selects no type of event${meant === undefined ? '' : `: is ${meant} meant?`}`);
    });
  if (selected.length === 0) throw new Misuse('--types must name a type of event');
  return [...new Set(selected)];
}

const forwardTimeoutInMs = 10_000;

/** Posts the event, and returns the outcome. */
async function forwardTo(url: URL, { body, headers }: HeardEvent): Promise<string> {
  const from = performance.now();
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(forwardTimeoutInMs),
  }).then(
    async ({ status, body: content }) => {
      await content?.cancel();
      return String(status);
    },
    (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
  );
  return `${url} answered ${answer} in ${Math.round(performance.now() - from)} ms`;
}

const pollEveryMs = 1_000;

await runCommand({ usage, options, notes: managementNotes }, async ({ values }) => {
  const address = readUrl(values.url);
  const forward = values.forward === undefined ? undefined : readUrl(values.forward);
  const events = selectTypes(values.types);
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  await watchLauncher(process.env, end);
  const note = (line: string) => process.stderr.write(`${line}\n`);
  const listener = new Listener(connectManagement(address, process.env), values.project);
  let wrong = 0;
  await listener.open(events, new Date());
  note(`listening to ${events.length} types of events of ${values.project}`);
  try {
    while (!ending.signal.aborted) {
      for (const event of await listener.readNew(new Date())) {
        process.stdout.write(`${event.body}\n`);
        if (!event.isVerified) wrong += 1;
        const forwarded = forward ? `, ${await forwardTo(forward, event)}` : '';
        note(`${event.type} ${event.id} ${event.isVerified ? 'is signed' : 'HAS A WRONG SIGNATURE'}${forwarded}`);
      }
      await pause(pollEveryMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  } finally {
    await listener.close();
  }
  if (wrong > 0) throw new Complaint(`${wrong} events had a wrong signature`);
  return undefined;
});
