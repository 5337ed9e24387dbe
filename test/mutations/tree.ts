import { rmSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import type { Sources } from './imports.ts';

const root = join(import.meta.dirname, '..', '..');
const folders = ['lib', 'functions', 'infra', 'test'];
/** A copy leaves these out: git's data, installed packages and build results. */
const left = ['.git', 'node_modules', 'cdk.out', '.dist', 'coverage'];

/** Shells report this code for an interrupted program. */
const interrupted = 130;

/** Reads every source of the project. */
export async function readSources(): Promise<Sources> {
  const all = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      return names.filter((name) => name.endsWith('.ts')).map((name) => [folder, ...name.split(sep)].join('/'));
    }),
  );
  const paths = all.flat().sort();
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const)),
  );
}

/** Copies the project while `use` runs, so that a tree in use is never changed. Packages are shared. */
export async function withCopy<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-mutations-'));
  const leave = () => process.exit(interrupted);
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.once('SIGINT', leave).once('SIGTERM', leave).once('exit', clean);
  try {
    const names = (await readdir(root)).filter((name) => !left.includes(name));
    await Promise.all(names.map((name) => cp(join(root, name), join(folder, name), { recursive: true })));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    return await use(folder);
  } finally {
    process.off('SIGINT', leave).off('SIGTERM', leave).off('exit', clean);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
