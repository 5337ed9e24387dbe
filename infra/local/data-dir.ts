import { access, constants, mkdir, mkdtemp, open, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Complaint } from '../command-line.ts';

const lockFile = 'server.lock';

/** Keeps the locks reachable. A database without a reference is collected, and its lock ends with it. */
const held = new Set<DatabaseSync>();

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function unusable(path: string, what: string, error: unknown): Complaint {
  return new Complaint(`DATA_DIR ${path}: ${what} (${codeOf(error)}).`, [
    'Name a folder that this user may write, or make this folder and its files writable.',
    `  chown -R "$(id -u)" ${path}`,
    'Without DATA_DIR the data are deleted when the server ends.',
  ]);
}

/** Refuses a folder in which an engine would fail, because engines report that late or not at all. */
async function checkWritable(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw unusable(path, 'the folder cannot be created', error);
  });
  const probe = await mkdtemp(join(path, '.probe-')).catch((error: unknown) => {
    throw unusable(path, 'the folder cannot be written', error);
  });
  await rmdir(probe);
  for (const name of await readdir(path)) {
    await access(join(path, name), constants.R_OK | constants.W_OK).catch((error: unknown) => {
      throw unusable(path, `${name} in it cannot be read and written`, error);
    });
  }
}

/**
 * Creates the folder, and locks it for this process until the returned function is called. Two servers on one folder
 * would change each other's data in memory. The lock belongs to the operating system, so it ends with the process in
 * any case.
 */
export async function holdDataDir(path: string): Promise<() => void> {
  await checkWritable(path);
  const place = join(path, lockFile);
  const made = await open(place, 'a').catch((error: unknown) => {
    throw unusable(path, `${lockFile} in it cannot be written`, error);
  });
  await made.close();
  const lock = new DatabaseSync(place, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
    throw new Complaint(`DATA_DIR ${path} is in use by another server: stop that server, or name another folder.`);
  }
  held.add(lock);
  return () => {
    if (held.delete(lock)) lock.close();
  };
}
