import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as v from 'valibot';

const memoryUsage = v.object({ rss: v.number(), heapUsed: v.number(), external: v.number() });

/** In bytes, after a forced garbage collection. `engineRss` is the memory of the engine's process, if it is visible. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
  /** Buffers: memory outside the heap that the heap holds. */
  readonly external: number;
  readonly engineRss: number | undefined;
}

const lookEveryMs = 20;
const readAtOnceInBytes = 1024 * 1024;
const keptErrors = 5;

/** Four keys stand for a shop's tills, and need more calls a minute than one key may make by default. */
const noRateLimit = '999999999';

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** Returns the resident memory of a process's largest child. The server's largest child is its engine. */
async function largestChild(pid: number | undefined): Promise<number | undefined> {
  const list = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,rss=']).catch(() => undefined);
  const children = (list?.stdout ?? '')
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number))
    .filter(([parent]) => parent === pid)
    .map(([, kibibytes = 0]) => kibibytes * 1024);
  return children.length > 0 ? Math.max(...children) : undefined;
}

/** Runs the server of `npm start` in a separate process, with a separate engine. */
export class ServerProcess {
  readonly baseUrl: string;
  /** The server's own name for its engine. */
  readonly engine: string;
  readonly #child: ChildProcess;
  readonly #log: FileHandle;

  private constructor(child: ChildProcess, log: FileHandle, greeting: string) {
    this.#child = child;
    this.#log = log;
    this.baseUrl = /^ +address +(\S+)$/m.exec(greeting)?.[1] ?? '';
    this.engine = /^ +engine +(.+?) at /m.exec(greeting)?.[1] ?? '';
  }

  /**
   * Starts the server. Nothing remains even if everything is killed, because the log is a file without a name.
   * `profileFolder` receives a profile of the server's time.
   */
  static async start(project: unknown, profileFolder?: string): Promise<ServerProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'tessera-load-'));
    try {
      const projectFile = join(folder, 'project.json');
      await writeFile(projectFile, JSON.stringify(project));
      const log = await open(join(folder, 'log'), 'w+');
      const child = spawn(
        process.execPath,
        [
          '--expose-gc',
          '--import',
          new URL('memory-probe.ts', import.meta.url).href,
          ...(profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]),
          'infra/local/start.ts',
        ],
        {
          stdio: ['ignore', log.fd, 'inherit', 'ipc'],
          env: {
            RATE_LIMIT_PER_MINUTE: noRateLimit,
            ...process.env,
            PORT: '0',
            PROJECT_FILE: projectFile,
            DATA_DIR: '',
            DYNAMODB_ENDPOINT: '',
            MANAGEMENT_GUARD: 'open',
          },
        },
      );
      return new ServerProcess(child, log, await greetingOf(child, log));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  async memory(): Promise<Memory> {
    const gone = new AbortController();
    this.#child.once('exit', () => gone.abort());
    const answered = once(this.#child, 'message', { signal: gone.signal });
    if (hasEnded(this.#child)) throw new Error('the server has ended');
    this.#child.send('memory');
    const [message] = await answered;
    return { ...v.parse(memoryUsage, message), engineRss: await largestChild(this.#child.pid) };
  }

  /** Returns the number of errors in its log, and the first of them. */
  async errorsLogged(): Promise<{ count: number; first: string[] }> {
    const first: string[] = [];
    let count = 0;
    for await (const line of this.#lines()) {
      if (!line.includes('"level":"error"')) continue;
      count += 1;
      if (first.length < keptErrors) first.push(line);
    }
    return { count, first };
  }

  /** Ends the server as Ctrl-C does, and returns its exit code. */
  async stop(): Promise<number | null> {
    if (!hasEnded(this.#child)) {
      const exit = once(this.#child, 'exit');
      this.#child.kill('SIGINT');
      await exit;
    }
    return this.#child.exitCode;
  }

  async closeLog(): Promise<void> {
    await this.#log.close();
  }

  async *#lines(): AsyncGenerator<string> {
    const buffer = Buffer.alloc(readAtOnceInBytes);
    let rest = '';
    for (let position = 0; ; ) {
      // Reads at its own position, while the server writes at another.
      const { bytesRead } = await this.#log.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const lines = (rest + buffer.toString('latin1', 0, bytesRead)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  }
}

async function greetingOf(child: ChildProcess, log: FileHandle): Promise<string> {
  const buffer = Buffer.alloc(readAtOnceInBytes);
  for (;;) {
    if (hasEnded(child)) throw new Error('the server has not started');
    const { bytesRead } = await log.read(buffer, 0, buffer.length, 0);
    const said = buffer.toString('utf8', 0, bytesRead);
    if (said.includes('Ctrl-C stops the server.')) return said;
    await wait(lookEveryMs);
  }
}
