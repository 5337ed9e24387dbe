import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { createTable } from '../../infra/local/create-table.ts';
import { liveThroughDemo } from '../../infra/local/demo-life.ts';
import { startJobs } from '../../infra/local/jobs.ts';
import { startQueueService } from '../../infra/local/queue-service.ts';
import { startServer } from '../../infra/local/server.ts';
import { steps } from '../../infra/operator/smoke/steps.ts';
import { engineClient, standingClock, testDependencies, uniqueId } from '../support/dependencies.ts';
import { loadFile } from '../support/project.ts';

/** Runs every command of README.md and docs/walk.md, from the top, while the history of the demo is made. */

const root = join(import.meta.dirname, '../..');
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

interface Block {
  readonly page: string;
  readonly commands: string;
  /** The reply below the commands, if the page shows it. */
  readonly reply: string | undefined;
}

/** Returns the blocks of a page that call the API, in their order. */
function blocksOf(page: string): Block[] {
  return [...textOf(page).matchAll(/```sh\n((?:(?!```).)*?)```(?:\n\n```(?:json)?\n((?:(?!```).)*?)```)?/gs)]
    .map(([, commands = '', reply]) => ({ page, commands, reply }))
    .filter(({ commands }) => /\$api|127\.0\.0\.1:3000/.test(commands));
}

/** These differ at each run. */
const differing = new Set(['id', 'request_id', 'created_at', 'updated_at', 'access_token', 'expires_at', 'jti']);

/** Matches a refusal, also as far as `jq` prints it. */
const refused = /"request_id"|"(?:id|type|total|name|brand)": ?null|^null$/m;

/** Keeps the value of every other field. */
function settled(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, part]) => [name, differing.has(name) ? typeof part : part]);
  return Object.fromEntries(fields);
}

/** Reads the JSON values of a text, one after the other. */
function valuesIn(text: string): unknown[] {
  const parts = text.trim().split(/\n(?=[{"\d[])/);
  return parts.filter(Boolean).map((part) => JSON.parse(JSON.stringify(JSON.parse(part), settled)));
}

const demo = JSON.parse(textOf('infra/local/demo-project.json'));
const [{ app_id, app_token }] = demo.app_keys;
// The points of the walk expire by month, so its day matters.
const now = new Date('2026-11-26T12:00:00Z');
const dependencies = testDependencies({ clock: standingClock(now), tableName: uniqueId('tessera-walk-') });
const engine = engineClient();
await createTable(engine, dependencies.tableName);
await loadFile(demo, now, dependencies);
const server = await startServer({ dependencies, port: 0 });
const jobs = await startJobs(dependencies, async () => {}, await startQueueService());
const folder = await mkdtemp(join(tmpdir(), 'tessera-walk-'));

afterAll(async () => {
  await server.close();
  await jobs.stop();
  await engine.send(new DeleteTableCommand({ TableName: dependencies.tableName }));
  engine.destroy();
  await rm(folder, { recursive: true });
});

const variables = /^api=.*\napp=.*$/m.exec(textOf('docs/walk.md'))?.[0] ?? '';

async function run(commands: string): Promise<string> {
  const script = [variables, commands].join('\n').replaceAll('http://127.0.0.1:3000', server.baseUrl);
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder })).stdout;
}

test('each command of README and walk gets the reply that is shown, while the history of the demo is made', async () => {
  let isNeeded = true;
  const life = liveThroughDemo(dependencies, { app_id, app_token }, () => isNeeded);
  const blocks = [...blocksOf('README.md'), ...blocksOf('docs/walk.md')];
  expect(blocks.length).toBeGreaterThanOrEqual(13);
  for (const { page, commands, reply } of blocks) {
    const answered = await run(commands);
    if (reply !== undefined) expect(valuesIn(answered), `${page}: ${commands}`).toEqual(valuesIn(reply));
    else expect(answered, `${page}: ${commands}`).not.toMatch(refused);
  }
  await life;
  isNeeded = false;
  // After the whole history, what only reads still shows the same.
  const [card] = blocksOf('README.md');
  expect(valuesIn(await run(card?.commands ?? ''))).toEqual([
    { ...Object(valuesIn(card?.reply ?? '{}')[0]), balance: 1_100 },
  ]);
});

test('the README counts the lists of the demo and the calls of the smoke test', () => {
  const { campaigns, vouchers, customers } = demo;
  const text = textOf('README.md');
  expect(text).toContain(
    `project  ${campaigns.length} campaigns, ${vouchers.length} vouchers, ${customers.length} customers from `,
  );
  for (const page of ['README.md', 'docs/operations.md']) {
    const calls = [...textOf(page).matchAll(/(\d+) calls (?:which parts|that show|and prints)|in (\d+) calls which/g)];
    expect(calls.length, page).toBeGreaterThan(0);
    for (const [, one, other] of calls) expect(Number(one ?? other)).toBe(steps.length);
  }
});
