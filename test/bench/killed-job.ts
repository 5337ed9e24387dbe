import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { actionItem } from '#kernel/kit/jobs/action.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import type { Table } from '#kernel/table/table.ts';
import { jobReply } from './sides/job.ts';

const program = join(import.meta.dirname, 'sides', 'job.ts');
const lookEveryInMs = 100;

export interface Ended {
  /** The action's progress at each kill, and at the end. */
  killedAt: readonly number[];
  done: number;
  state: string;
  milliseconds: number;
  /** Figures of the last worker, which was not killed. */
  last: { done: number; calls: number; cpuMilliseconds: number; milliseconds: number };
}

/** Runs a job in a separate process, kills the process at each of these points, and starts it again. */
export async function runAndKill(
  table: Table,
  { endpoint, tableName, key, killAt }: { endpoint: string; tableName: string; key: Key; killAt: readonly number[] },
): Promise<Ended> {
  const doneCount = async () => {
    const [stored] = await table.getMany([key]);
    return parseStored(actionItem, stored ?? {}).done_count;
  };
  const killedAt: number[] = [];
  const startedAt = performance.now();
  for (;;) {
    const begunAt = performance.now();
    const doneBefore = await doneCount();
    const child = fork(program, [endpoint, tableName, key.pk, key.sk]);
    const gone = once(child, 'exit');
    const reply = once(child, 'message').then(([message]) => v.parse(jobReply, message));
    // A killed process sends no answer.
    reply.catch(() => {});
    const limit = killAt[killedAt.length];
    if (limit === undefined) {
      const ended = await Promise.race([reply, gone.then(() => undefined)]);
      if (!ended) throw new Error('the worker has ended without a word');
      await gone;
      const milliseconds = performance.now() - begunAt;
      const done = await doneCount();
      const { state, ...figures } = ended;
      const last = { ...figures, milliseconds, done: done - doneBefore };
      return { killedAt, done, state, milliseconds: performance.now() - startedAt, last };
    }
    while (child.exitCode === null && (await doneCount()) < limit) await wait(lookEveryInMs);
    if (child.exitCode !== null) throw new Error('the job was done before it could be killed');
    child.kill('SIGKILL');
    await gone;
    killedAt.push(await doneCount());
  }
}
