import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as v from 'valibot';

/** The other end of a process that measures: it answers each message with a message. */
export interface Side<Turn, Reply> {
  take: (turn: Turn) => Promise<Reply>;
  /** Returns the printed lines since the last call. */
  printed: () => string[];
  stop: () => Promise<void>;
}

/**
 * Starts a process for one of the compared sides. Its memory is its own, and neither side warms the other's code. `module` calls
 * `serveTurns`.
 */
export function startSide<Turn extends object, S extends v.GenericSchema>(
  module: string,
  args: readonly string[],
  reply: S,
  env: NodeJS.ProcessEnv = process.env,
): Side<Turn, v.InferOutput<S>> {
  const child: ChildProcess = fork(module, args, {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env,
  });
  const lines: string[] = [];
  const output = createInterface(child.stdout ?? Readable.from([])).on('line', (line) => lines.push(line));
  const allPrinted = once(output, 'close');
  const gone = once(child, 'exit').then(() => {
    throw new Error(`the process of ${module} has ended`);
  });
  gone.catch(() => {});
  return {
    take: async (turn) => {
      child.send(turn);
      const [answer] = await Promise.race([once(child, 'message'), gone]);
      return v.parse(reply, answer);
    },
    printed: () => lines.splice(0),
    stop: async () => {
      if (child.connected) child.disconnect();
      await Promise.all([gone.catch(() => {}), allPrinted]);
    },
  };
}

/** Serves the turns in the side's process. */
export function serveTurns(serve: (turn: unknown) => Promise<object>): void {
  process.on('message', async (turn) => {
    process.send?.(await serve(turn));
  });
}

/** Measures elapsed time and processor time. Other work on the processor does not lengthen the latter. */
export async function timedInBoth(work: () => Promise<unknown>) {
  const before = process.cpuUsage();
  const milliseconds = await timed(work);
  const { user, system } = process.cpuUsage(before);
  return { milliseconds, cpuMilliseconds: (user + system) / 1_000 };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
