import { type EventType, eventTypes } from '#addons/webhooks/events/types.ts';
import { runCommand } from '../command-line.ts';

function lineOf([type, { objects, never, source }]: [string, EventType]): string {
  const what = never === undefined ? objects.map((name) => `\`${name}\``).join(', ') : `never sent: ${never}`;
  return `| \`${type}\` | ${what} | \`${source}\` |`;
}

/** Returns the table of docs/webhooks.md#types. */
export function writeEventTypes(): string {
  const head = ['| type | keys of `data` | from the record of |', '|---|---|---|'];
  return [...head, ...Object.entries(eventTypes).map(lineOf)].join('\n');
}

const usage = `Prints the table of event types for docs/webhooks.md.

  npm run event-types
`;

if (import.meta.main) await runCommand({ usage, options: {} }, async () => `${writeEventTypes()}\n`);
