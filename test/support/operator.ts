import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';
import { fileTable } from './dependencies.ts';

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Returns the environment in which an operator names the file's table. */
export const namedTable = () => ({ DYNAMODB_ENDPOINT: inject('endpoint'), TABLE_NAME: fileTable() });

/** Runs a command in a separate process, as an operator does. */
export function operate(
  command: string,
  args: readonly string[],
  { env = namedTable(), heapInMb = 256 }: { env?: Record<string, string>; heapInMb?: number } = {},
): Promise<Run> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const program = join(import.meta.dirname, '../../infra/operator', `${command}.ts`);
  return new Promise((done) => {
    // Without this limit the young generation outgrows the small heap, and V8 spends its time collecting garbage.
    const nodeArgs = [`--max-old-space-size=${heapInMb}`, '--max-semi-space-size=8', program, ...args];
    execFile(process.execPath, nodeArgs, { env: { PATH, NODE_COMPILE_CACHE, ...env } }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
  });
}
