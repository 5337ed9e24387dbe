import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { type Generator, listGenerators, pythonIn } from '../support/client-generators.ts';
import { testDependencies } from '../support/dependencies.ts';
import { killRunning, runWithin, type Step } from '../support/limited-child.ts';
import { theDocument } from '../support/openapi.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { isLong } from '../support/sampled.ts';

/**
 * Makes clients from the document, compiles them, and uses two of them. A generator that cannot be had on this machine says so in an
 * annotation and in the output. A quick run makes the TypeScript client alone.
 */

/** Limits each program, and all of them together. */
const stepInMs = 120_000;
const allInMs = 300_000;
const atATime = 2;

const home = mkdtempSync(join(tmpdir(), 'generated-clients-'));
const document = join(home, 'openapi.json');
const use = 'ten-things.ts';

function folderOf(name: string): string {
  const folder = join(home, name);
  mkdirSync(folder);
  return folder;
}

const all = listGenerators({ folderOf, document, use });
const generators = isLong ? all : all.slice(0, 1);

/** Programs that use a client, and what they read back. */
const users: { name: string; command: string; args: string[]; expected: object }[] = [
  {
    name: 'openapi-typescript',
    command: process.execPath,
    args: ['compiled/ten-things.js'],
    expected: {
      ...{ customer: 'Typed Customer', campaign: 15, voucher: 2_500, product: 700, sku: 900, order: 2_700 },
      ...{ rule: 'Typed rule', reward: 'COIN', segment: 'Typed segment', category: 3 },
    },
  },
  {
    name: 'openapi-python-client',
    command: pythonIn(join(home, 'openapi-python-client')),
    args: ['ten_things.py'],
    expected: {
      ...{ customer: 'Parsed Customer', campaign: 25, voucher: 3_500, product: 800, sku: 950, order: 3_800 },
      ...{ rule: 'Parsed rule', reward: 'COIN', segment: 'Parsed segment', category: 4 },
    },
  },
];

const dependencies = testDependencies();
let server: RunningServer;
let project: TestProject;

const began = performance.now();
const endings = new Map<string, ReturnType<typeof runWithin>>();

/** Runs a step, once for all generators that need it. */
function run(step: Step): ReturnType<typeof runWithin> {
  const key = JSON.stringify(step);
  const known = endings.get(key) ?? runWithin(Math.min(stepInMs, began + allInMs - performance.now()), step);
  endings.set(key, known);
  return known;
}

interface Outcome {
  /** Why the client was not made, compiled or used here. Then this proves nothing about the document. */
  readonly notHad?: string;
  readonly failure?: string;
  /** The output of the last program. */
  readonly output?: string;
}

const lastOf = (output: string) => output.trim().slice(-2_000);

/** Runs steps until one does not succeed. The document is at fault only if a program that runs here fails. */
async function outcomeOf(steps: readonly Step[], gets: readonly Step[] = []): Promise<Outcome> {
  let output = '';
  for (const step of steps) {
    const ended = await run(step);
    const name = `${step.command} ${step.args.join(' ')}`.replaceAll(`${home}/`, '').slice(0, 100);
    if (ended.is === 'not found') return { notHad: `${step.command} is absent` };
    if (ended.is === 'too slow') return { notHad: `the limit of time ended ${name}` };
    output = lastOf(ended.output);
    if (ended.is === 'failed')
      return gets.includes(step) ? { notHad: `${name} failed: ${output}` } : { failure: output };
  }
  return { output };
}

/** Compiles the client of a generator, and uses it. */
async function follow({ name, gets, makes, reads }: Generator): Promise<{ made: Outcome; used: Outcome }> {
  const made = await outcomeOf([...gets, ...makes, ...reads], gets);
  const user = users.find((one) => one.name === name);
  if (user === undefined || made.output === undefined) return { made, used: made };
  const { 'x-app-id': APP_ID = '', 'x-app-token': APP_TOKEN = '' } = project.credentials;
  const env = { BASE_URL: server.baseUrl, APP_ID, APP_TOKEN };
  return { made, used: await outcomeOf([{ ...user, folder: join(home, name), env }]) };
}

const followed = new Map<string, ReturnType<typeof follow>>();

/** Starts all generators in order, two at a time, so that a test only waits for its own. */
function startAll(): void {
  const lanes: Promise<unknown>[] = Array.from({ length: atATime }, () => Promise.resolve());
  for (const [index, generator] of generators.entries()) {
    const outcomes = (lanes[index % atATime] ?? Promise.resolve()).then(() => follow(generator));
    lanes[index % atATime] = outcomes;
    followed.set(generator.name, outcomes);
  }
}

beforeAll(async () => {
  writeFileSync(document, JSON.stringify(theDocument()));
  const from = join(import.meta.dirname, 'generated');
  copyFileSync(join(from, 'ten-things.ts.txt'), join(home, 'openapi-typescript', use));
  copyFileSync(join(from, 'ten_things.py'), join(home, 'openapi-python-client', 'ten_things.py'));
  server = await startServer({ dependencies, port: 0 });
  project = await loadProject({}, dependencies);
  startAll();
});

afterAll(async () => {
  killRunning();
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

/** Returns the output of a success. Annotates a client that cannot be had, and returns nothing for it. */
async function outputOf(
  { notHad, failure, output }: Outcome,
  { task, annotate }: { task: { name: string }; annotate: (message: string) => Promise<unknown> },
): Promise<string | undefined> {
  expect(failure).toBeUndefined();
  if (notHad === undefined) return output;
  await annotate(`not had: ${notHad}`);
  process.stdout.write(`${task.name} was not had here, and proves nothing: ${notHad}\n`);
  return undefined;
}

describe('a client that compiles is made from the document by', () => {
  test.for(generators)('$name', async ({ name }, context) => {
    await outputOf((await followed.get(name))?.made ?? { failure: 'not started' }, context);
  });
});

describe('ten kinds of things are written and read back by the client of', () => {
  const used = users.filter(({ name }) => generators.some((generator) => generator.name === name));
  test.for(used)('$name', async ({ name, expected }, context) => {
    const output = await outputOf((await followed.get(name))?.used ?? { failure: 'not started' }, context);
    if (output !== undefined) expect(JSON.parse(output)).toEqual(expected);
  });
});
