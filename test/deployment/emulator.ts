import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Installs and runs the emulator: a Python program that serves AWS's interfaces on a port of this machine. */

const startInMs = 30_000;
const region = 'eu-central-1';

export interface Emulator {
  readonly endpoint: string;
  readonly port: number;
  readonly region: string;
  readonly logPath: string;
  /** Holds the environment of commands that shall call the emulator in place of AWS. */
  readonly env: NodeJS.ProcessEnv;
  /** Ends the emulator and every function that it has started. */
  readonly stop: () => Promise<void>;
}

/** Installs the pinned packages into a folder. Returns the reason if this machine gives no Python for it. */
export function installEmulator(folder: string): string | undefined {
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const python = join(folder, 'bin', 'python');
  for (const [program, ...args] of [
    ['python3', '-m', 'venv', folder],
    [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements],
  ]) {
    const { status, error, stderr } = spawnSync(program ?? '', args, { encoding: 'utf8' });
    if (status !== 0) return (error?.message ?? stderr.trim().split('\n').at(-1)) || `${program} failed`;
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('this machine gives no loopback port');
  return address.port;
}

/** Leaves out this machine's own settings of AWS, so that nothing reaches an account. */
function withoutAws(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(AWS_|CDK_)/.test(name)));
}

async function answers(endpoint: string, child: ChildProcess): Promise<boolean> {
  const end = performance.now() + startInMs;
  while (performance.now() < end && child.exitCode === null) {
    const reply = await fetch(`${endpoint}/_ministack/health`).catch(() => undefined);
    if (reply?.ok) return true;
    await wait(100);
  }
  return false;
}

export interface Start {
  /** Holds the emulator's virtual environment. */
  readonly python: string;
  /** Holds everything that the emulator writes. */
  readonly folder: string;
}

export async function startEmulator({ python, folder }: Start): Promise<Emulator> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const logPath = join(folder, 'emulator.log');
  await mkdir(folder, { recursive: true });
  // Functions run on the Node.js of this program, version 24.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const own = { PATH, HOME: folder, TMPDIR: folder, STATE_DIR: join(folder, 'state'), S3_DATA_DIR: join(folder, 's3') };
  const place = { BIND_HOST: '127.0.0.1', MINISTACK_HOST: 'localhost', GATEWAY_PORT: String(port) };
  const env = {
    ...own,
    ...place,
    MINISTACK_REGION: region,
    AWS_REGION: region,
  };
  // The functions are in its process group, so one signal ends all.
  const child = spawn(join(python, 'bin', 'python'), [join(import.meta.dirname, 'emulator.py')], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logPath);
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  };
  process.once('exit', kill);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const stop = async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    kill();
    await ended;
  };
  if (!(await answers(endpoint, child))) {
    await stop();
    throw new Error(`the emulator did not start: see ${logPath}`);
  }
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: region };
  const called = { ...withoutAws(process.env), ...credentials, AWS_ENDPOINT_URL: endpoint, HOME: folder };
  return { endpoint, port, region, logPath, env: { ...called, CI: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' }, stop };
}
