import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs programs that end in any case: each has a limit of time, no input, and a process group that is killed with it. */

export interface Step {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

export type Ending =
  | { readonly is: 'done'; readonly output: string }
  | { readonly is: 'failed'; readonly output: string }
  | { readonly is: 'not found' }
  | { readonly is: 'too slow' };

const running = new Set<ChildProcess>();

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    // A program may have started others. They belong to its group, which only Windows does not have.
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
}

/** Kills everything that still runs. */
export function killRunning(): void {
  for (const child of running) killGroup(child);
}

process.on('exit', killRunning);

/** Runs the step for at most this time. */
export async function runWithin(limitInMs: number, { command, args, folder, env }: Step): Promise<Ending> {
  if (limitInMs <= 0) return { is: 'too slow' };
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  running.add(child);
  const limit = AbortSignal.timeout(Math.ceil(limitInMs));
  const stop = () => {
    killGroup(child);
    // A program that has left the group would hold the pipes open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  limit.addEventListener('abort', stop);
  const pieces: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
  }
  try {
    const [code] = await once(child, 'close');
    const output = pieces.join('');
    if (limit.aborted) return { is: 'too slow' };
    return { is: code === 0 ? 'done' : 'failed', output };
  } catch {
    return { is: 'not found' };
  } finally {
    limit.removeEventListener('abort', stop);
    killGroup(child);
    running.delete(child);
  }
}
