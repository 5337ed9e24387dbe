import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBServiceException, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { EngineError, type Program } from './engine-program.ts';

/** Limits the wait for an engine's start. A cold Java on a busy machine needs seconds. */
const readyWithinInMs = 60_000;
const pollEveryMs = 20;
const stopWithinInMs = 3_000;
/** Limits the attempts, because another process may bind the chosen port before the engine starts. */
const portAttempts = 3;
const keptOutputLength = 8_000;

export interface RunningEngine {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
  /** Resolves when the engine has ended without being stopped. */
  readonly died: Promise<void>;
}

/** Returns the reason why nothing answers. Returns undefined if something does, even with an error of DynamoDB. */
export async function findRefusal(endpoint: string): Promise<string | undefined> {
  const client = createDynamodbClient(endpoint);
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

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new EngineError('this machine gives no loopback port');
  return address.port;
}

/**
 * Starts the program on a free port of this machine, and returns when it answers. The program ends with this process at
 * the latest.
 */
export async function run(program: Program, env: NodeJS.ProcessEnv): Promise<RunningEngine> {
  for (let attempt = 1; ; attempt += 1) {
    const { host = '127.0.0.1' } = program;
    const port = await freePort(host);
    const child = new Child(program, port, env);
    const endpoint = `http://${host}:${port}`;
    if (await child.answers(endpoint)) {
      program.prepare?.();
      return { endpoint, stop: () => child.stop(), died: child.died };
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

/** Ends the engine on a signal. If nothing else listens to the signal, this process then ends by it, as usual. */
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

function unbind(child: Child): void {
  living.delete(child);
  if (living.size > 0) return;
  process.off('exit', killAll);
  for (const signal of endingSignals) process.off(signal, onSignal);
}

/** Holds an engine's process, which ends with this process. */
class Child {
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  readonly died: Promise<void>;
  readonly #scratch: string | undefined;
  #hasEnded = false;
  #isStopped = false;
  #output = '';

  constructor({ command, args, scratch }: Program, port: number, env: NodeJS.ProcessEnv) {
    this.#scratch = scratch;
    // The engine gets a separate process group. Otherwise Ctrl-C would end it during a call, and that looks like a
    // failure.
    const child = spawn(command, args(port), { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-keptOutputLength);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const endGuard = child.pid === undefined ? () => {} : guard(child.pid, scratch);
    this.#ended = new Promise((done) => {
      const end = () => {
        endGuard();
        this.#hasEnded = true;
        unbind(this);
        this.removeScratch();
        done();
      };
      child.once('close', end);
      child.once('error', (error) => {
        this.#output += `\n${error.message}`;
        end();
      });
    });
    this.died = new Promise((died) => {
      this.#ended.then(() => {
        if (!this.#isStopped) died();
      });
    });
    this.#process = child;
    bindToThisProcess(this);
  }

  get portWasTaken(): boolean {
    return /already in use/i.test(this.#output);
  }

  /** Returns the last line of its output, without stack frames. */
  get complaint(): string {
    const lines = this.#output.split('\n').map((line) => line.trim());
    return lines.findLast((line) => line !== '' && !/^(at |\.\.\. )/.test(line)) ?? 'it ended without output';
  }

  /** Returns whether it runs and answers a call in time. */
  async answers(endpoint: string): Promise<boolean> {
    const deadline = performance.now() + readyWithinInMs;
    while (!this.#hasEnded && performance.now() < deadline) {
      if ((await findRefusal(endpoint)) === undefined) return !this.#hasEnded;
      await Promise.race([wait(pollEveryMs), this.#ended]);
    }
    if (!this.#hasEnded) this.#output += `\nit did not answer within ${readyWithinInMs / 1000} s`;
    return false;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
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

/**
 * A line on its input ends the guard, because the process has ended. The end of its input means that this process has
 * ended, by any signal. The folder is removed last, with everything that the process still wrote.
 */
const guardScript = 'read -r line || { kill -9 "$1"; [ -z "$2" ] || rm -rf "$2"; } 2>/dev/null';

/**
 * Ends a child of this process and removes its folder if this process ends without doing so. A SIGKILL runs no handler
 * here, so a shell waits for it, in a separate session that signals to this group do not end. Without a shell nothing
 * guards. Returns a function to call when the child has ended.
 */
function guard(pid: number, folder: string | undefined): () => void {
  const shell = spawn('sh', ['-c', guardScript, 'guard', String(pid), folder ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ignore = () => {};
  shell.on('error', ignore);
  shell.stdin.on('error', ignore);
  shell.unref();
  return () => {
    shell.stdin.end('ended\n');
  };
}
