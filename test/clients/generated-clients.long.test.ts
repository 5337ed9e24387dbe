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
const allInMs = 330_000;
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

const dependencies = testDependencies();
let server: RunningServer;
let project: TestProject;

const began = performance.now();
const ending = new Map<string, ReturnType<typeof runWithin>>();

/** Runs a step, once for all generators that need it. */
function run(step: Step): ReturnType<typeof runWithin> {
  const known = ending.get(JSON.stringify(step));
  if (known !== undefined) return known;
  const running = runWithin(Math.min(stepInMs, began + allInMs - performance.now()), step);
  ending.set(JSON.stringify(step), running);
  return running;
}

interface Outcome {
  /** Why the client was not made or not compiled here, if this proves nothing about the document. */
  readonly notHad?: string;
  readonly failure?: string;
}

const lastOf = (output: string) => output.trim().slice(-2_000);

/** Gets, makes and compiles. The document is at fault only if a program that runs here fails. */
async function outcomeOf({ gets, makes, reads }: Generator): Promise<Outcome> {
  for (const step of [...gets, ...makes, ...reads]) {
    const ended = await run(step);
    const name = `${step.command} ${step.args[0] ?? ''}`.replaceAll(`${home}/`, '');
    if (ended.is === 'not found') return { notHad: `${step.command} is absent` };
    if (ended.is === 'too slow') return { notHad: `${name} was stopped at the limit of time` };
    if (ended.is === 'failed' && gets.includes(step)) return { notHad: `${name} failed: ${lastOf(ended.output)}` };
    if (ended.is === 'failed') return { failure: `${name}: ${lastOf(ended.output)}` };
  }
  return {};
}

const outcomes = new Map<string, Promise<Outcome>>();

/** Starts all generators in order, two at a time, so that a test only waits for its own. */
function startAll(): void {
  const lanes: Promise<unknown>[] = Array.from({ length: atATime }, () => Promise.resolve());
  for (const [index, generator] of generators.entries()) {
    const outcome = (lanes[index % atATime] ?? Promise.resolve()).then(() => outcomeOf(generator));
    lanes[index % atATime] = outcome;
    outcomes.set(generator.name, outcome);
  }
}

beforeAll(async () => {
  writeFileSync(document, JSON.stringify(theDocument()));
  copyFileSync(join(import.meta.dirname, 'generated', 'ten-things.ts.txt'), join(home, 'openapi-typescript', use));
  copyFileSync(
    join(import.meta.dirname, 'generated', 'ten_things.py'),
    join(home, 'openapi-python-client', 'ten_things.py'),
  );
  server = await startServer({ dependencies, port: 0 });
  project = await loadProject({}, dependencies);
  startAll();
});

afterAll(async () => {
  killRunning();
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

type Annotate = (message: string) => Promise<unknown>;

/** Returns whether the client was made. A client that cannot be had is annotated. */
async function isMade(name: string, annotate: Annotate): Promise<boolean> {
  const { notHad, failure } = (await outcomes.get(name)) ?? { failure: `${name} was not started` };
  expect(failure).toBeUndefined();
  if (notHad === undefined) return true;
  await annotate(`not had: ${notHad}`);
  process.stdout.write(`${name} was not had here, and proves nothing: ${notHad}\n`);
  return false;
}

describe('a client that compiles is made from the document by', () => {
  test.for(generators)('$name', async ({ name }, { annotate }) => {
    await isMade(name, annotate);
  });
});

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

describe('ten kinds of things are written and read back by the client of', () => {
  const used = users.filter(({ name }) => generators.some((generator) => generator.name === name));
  test.for(used)('$name', async ({ name, command, args, expected }, { annotate }) => {
    if (!(await isMade(name, annotate))) return;
    const { 'x-app-id': APP_ID = '', 'x-app-token': APP_TOKEN = '' } = project.credentials;
    const env = { BASE_URL: server.baseUrl, APP_ID, APP_TOKEN };
    const ended = await runWithin(stepInMs, { command, args, folder: join(home, name), env });
    if (ended.is !== 'done') throw new Error(JSON.stringify(ended));
    expect(JSON.parse(ended.output)).toEqual(expected);
  });
});
