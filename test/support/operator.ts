import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';
import { fileTable } from './dependencies.ts';

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** The file's table, as an operator names it. */
export const namedTable = () => ({ DYNAMODB_ENDPOINT: inject('endpoint'), TABLE_NAME: fileTable() });

/** Runs a command as an operator does, in a process of its own. */
export function operate(
  command: string,
  args: readonly string[],
  { env = namedTable(), heapInMb = 256 }: { env?: Record<string, string>; heapInMb?: number } = {},
): Promise<Run> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const program = join(import.meta.dirname, '../../infra/operator', `${command}.ts`);
  return new Promise((done) => {
    // Left to itself, the young generation grows beyond so small a heap, and V8 then does little but collect garbage.
    const nodeArgs = [`--max-old-space-size=${heapInMb}`, '--max-semi-space-size=8', program, ...args];
    execFile(process.execPath, nodeArgs, { env: { PATH, NODE_COMPILE_CACHE, ...env } }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
  });
}
