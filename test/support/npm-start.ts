import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

const direct = [process.execPath, 'infra/local/start.ts'] as const;

const running = new Set<ChildProcessWithoutNullStreams>();

/** Starts `npm start` with another environment. The engine that this run names is used, or else the native engine. */
export function launch(env: Record<string, string>, [command, ...args]: readonly [string, ...string[]] = direct) {
  const child = spawn(command, args, {
    env: { ...process.env, PORT: '0', PROJECT_FILE: '', DATA_DIR: '', DEMO_LIFE: 'off', ...env },
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const exit = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code, ...output };
  });
  /** Waits until the output matches the pattern, and returns the match. */
  const seen = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = pattern.exec(output.stdout)?.[0];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', look);
      look();
    });
  return { child, output, exit, seen };
}

export const lineOf = (greeting: string, label: string) => new RegExp(`${label} +(.*)`).exec(greeting)?.[1] ?? '';

/** Returns once the server answers. */
export async function serve(...[env, command]: Parameters<typeof launch>) {
  const launched = launch(env, command);
  const failed = launched.exit.then(({ stderr }) => Promise.reject(new Error(stderr)));
  await Promise.race([launched.seen(/Ctrl-C/), failed]);
  const greeting = launched.output.stdout;
  const engine = / at (http\S+):/.exec(greeting)?.[1] ?? '';
  return { ...launched, greeting, address: lineOf(greeting, 'address'), engine };
}

type Served = Awaited<ReturnType<typeof serve>>;

/** Shares one server among the tests that only read from it. Starts another server after a test has ended it. */
export function servedOnce(start: () => Promise<Served>): () => Promise<Served> {
  let served: Served | undefined;
  return async () => {
    if (!served || !running.has(served.child)) served = await start();
    return served;
  };
}

/** Call it at the end of a test file. */
export function killLaunched(): void {
  for (const child of running) child.kill('SIGKILL');
}
