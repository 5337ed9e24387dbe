import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Returns a folder for the data that an engine can't hold in memory. The engine makes and removes it, but makes no
 * folder above it. Removes the folders that killed processes have left.
 */
export async function prepareSpill(folder: string): Promise<string> {
  const above = join(folder, 'spill');
  await mkdir(above, { recursive: true });
  for (const name of await readdir(above)) {
    if (!isAlive(Number.parseInt(name, 10))) await rm(join(above, name), { recursive: true, force: true });
  }
  return join(above, `${process.pid}-${randomUUID()}`);
}
