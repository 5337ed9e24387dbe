import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { liveThroughDemo } from '../../infra/local/demo-life.ts';
import { startServer } from '../../infra/local/server.ts';
import { loadDemo } from '../support/demo.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';

/** Runs the examples with figures of README.md and docs/walk.md while the history of the demo is made. */

const root = join(import.meta.dirname, '../..');
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** Returns each command block of a page with the reply after it, as far as both name a card of the demo. */
function figuresOf(page: string): { commands: string; reply: string }[] {
  return [...textOf(page).matchAll(/```sh\n((?:(?!```).)*?)```\n\n```json\n(.*?)```/gs)]
    .map(([, commands = '', reply = '']) => ({ commands, reply }))
    .filter(({ commands }) => commands.includes('CREW-'));
}

/** Reads the JSON values of a text, one after the other. */
function valuesIn(text: string): unknown[] {
  const parts = text.trim().split(/\n(?=\{)/);
  return parts.map((part) => JSON.parse(part));
}

/** The walk's points expire by month, so its day matters. */
const dependencies = testDependencies({ clock: standingClock(new Date('2026-11-26T12:00:00Z')) });
const server = await startServer({ dependencies, port: 0 });
const project = await loadDemo(dependencies);
const { 'x-app-id': app_id = '', 'x-app-token': app_token = '' } = project.credentials;

async function run(commands: string): Promise<string> {
  const script = [
    `api='${server.baseUrl}'`,
    `app=(-H 'X-App-Id: ${app_id}' -H 'X-App-Token: ${app_token}')`,
    commands,
  ].join('\n');
  const known = script
    .replaceAll('http://127.0.0.1:3000', server.baseUrl)
    .replaceAll('demo-app', app_id)
    .replaceAll('demo-token-for-local-use-only', app_token)
    .replace(/^api=http.*\n/m, '');
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', known])).stdout;
}

/** The walk sends this event before it moves points, without figures in its reply. */
const event =
  /curl [^\n]*\/v1\/events (?:(?!```).)*?\| jq '\{type, customer\}'/s.exec(textOf('docs/walk.md'))?.[0] ?? '';

test('the balances of README and walk are right while the history of the demo is made', async () => {
  const figures = [...figuresOf('README.md'), ...figuresOf('docs/walk.md')];
  expect(figures).toHaveLength(3);
  let isNeeded = true;
  const life = liveThroughDemo(dependencies, { app_id, app_token }, () => isNeeded);
  await run(event);
  for (const { commands, reply } of figures) {
    expect(valuesIn(await run(commands)), commands).toEqual(valuesIn(reply));
  }
  await life;
  isNeeded = false;
  // After the whole history, what only reads still shows the same.
  const [readme] = figures;
  expect(valuesIn(await run(readme?.commands ?? ''))).toEqual([
    { ...Object(valuesIn(readme?.reply ?? '{}')[0]), balance: 1_100 },
  ]);
  await server.close();
});
