import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdDataDir } from '../../../infra/local/data-dir.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts another process that holds the folder. */
async function holder(path: string) {
  const program = `
    import { holdDataDir } from './infra/local/data-dir.ts';
    await holdDataDir(process.argv[1]);
    // The reference keeps the lock from being collected.
    globalThis.gc();
    process.stdout.write('held');
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program, path]);
  await once(child.stdout, 'data');
  return child;
}

describe('a folder of data', () => {
  test('is created, and locked by one server until it ends, even by SIGKILL', async () => {
    const path = join(folder, 'made', 'here');
    const child = await holder(path);
    await expect(holdDataDir(path)).rejects.toThrow(`DATA_DIR ${path} is in use by another server`);
    child.kill('SIGKILL');
    await once(child, 'close');
    const release = await holdDataDir(path);
    await expect(holdDataDir(path)).rejects.toThrow('in use');
    release();
    (await holdDataDir(path))();
  });

  test('is locked by exactly one of twenty parallel servers', async () => {
    const path = join(folder, 'wanted');
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => holdDataDir(path)));
    const held = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(held).toHaveLength(1);
    for (const release of held) release();
  });

  test('is refused if a file has its name, with a remedy', async () => {
    const path = join(folder, 'file');
    await writeFile(path, '');
    await expect(holdDataDir(path)).rejects.toThrow(`DATA_DIR ${path}: the folder cannot be created (EEXIST)`);
    await expect(holdDataDir(join(path, 'within'))).rejects.toMatchObject({
      lines: expect.arrayContaining([expect.stringContaining('Name a folder that this user may write')]),
    });
  });
});
