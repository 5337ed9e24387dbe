import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { eventTypes } from '#addons/webhooks/events/types.ts';
import { writeEventTypes } from '../../infra/docs/event-types.ts';

test.each(['README.md', 'CHANGELOG.md'])('%s says how many types there are', async (name) => {
  const page = await readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
  const counts = [...page.matchAll(/(\d+) types of events|[Ee]vents of (\d+) types/g)].map(
    ([, one, other]) => one ?? other,
  );
  expect(counts).toEqual(['63']);
});

test('the docs have the table of the types of events, as the code has it', async () => {
  expect(Object.keys(eventTypes)).toHaveLength(63);
  const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  expect(page).toContain(writeEventTypes());
});
