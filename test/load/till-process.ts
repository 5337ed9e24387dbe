import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('till-program.ts', import.meta.url));

/** Runs the API in a process that can be killed, over a shared table. */
export interface Till {
  readonly baseUrl: string;
  /** Kills the process without any shutdown, as when a machine dies. */
  readonly kill: () => Promise<void>;
}

interface Options {
  endpoint: string;
  tableName: string;
  /** Sets the clock ahead by this many milliseconds. */
  laterByMs?: number;
}

export async function startTill({ endpoint, tableName, laterByMs = 0 }: Options): Promise<Till> {
  const env = { TILL_ENDPOINT: endpoint, TILL_TABLE: tableName, TILL_LATER_BY_MS: String(laterByMs) };
  const child: ChildProcess = fork(program, { env: { ...process.env, ...env } });
  const ended = once(child, 'close');
  const started = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (!started) throw new Error('a till did not start');
  return {
    baseUrl: String(started[0]),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
