import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { type Bundle, bundleFunctions, functionNames } from './bundle.ts';

/**
 * Keeps bundles in a folder that the processes of one run share, such as a CI run. A bundle is made once, and again
 * after a change of its sources.
 */

const projectDir = join(import.meta.dirname, '..', '..');
const bundled = ['functions', 'infra', 'lib'];

const about = v.pipe(v.string(), v.parseJson(), v.object({ gzipBytes: v.number(), sources: v.array(v.string()) }));

/** Hashes everything that bundles are made of. */
async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256');
  const found = await Promise.all(
    bundled.map((folder) => readdir(join(projectDir, folder), { recursive: true, withFileTypes: true })),
  );
  const files = found.flat().flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name)] : []));
  for (const file of [...files, join(projectDir, 'package-lock.json')].sort()) {
    hash.update(`${file.slice(projectDir.length)}\0`).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 32);
}

/** Sources do not change during a process, so the hash is computed once. */
let hashed: Promise<string> | undefined;

async function kept(folder: string, name: string): Promise<Bundle | undefined> {
  const text = await readFile(join(folder, name, 'bundle.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { ...v.parse(about, text), dir: join(folder, name, 'files') };
}

async function make(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, 'own-'));
  const bundles = await bundleFunctions(join(own, 'files'), names);
  for (const [name, { dir, ...rest }] of Object.entries(bundles)) {
    const whole = join(own, name);
    await mkdir(whole);
    await rename(dir, join(whole, 'files'));
    await writeFile(join(whole, 'bundle.json'), JSON.stringify(rest));
    // Another process may write the same folder. The first complete folder wins.
    await rename(whole, join(folder, name)).catch(() => undefined);
  }
  await rm(own, { recursive: true });
}

/**
 * Bundles several functions in one call, so that a process finds earlier bundles of others. Runs of sixteen cost
 * esbuild a tenth less each.
 */
const madeAtOnce = 4;

/** Returns the deployed form of functions, by name. Functions that are missing in the folder are bundled. */
export async function loadBundles(
  storeDir: string,
  names: readonly string[] = functionNames,
): Promise<Readonly<Record<string, Bundle>>> {
  hashed ??= hashOfSources();
  const folder = join(storeDir, await hashed);
  for await (const some of splitIntoBatches(names, madeAtOnce)) {
    const missing: string[] = [];
    for (const name of some) if (!(await kept(folder, name))) missing.push(name);
    if (missing.length > 0) await make(folder, missing);
  }
  const found: [string, Bundle][] = [];
  for (const name of names) {
    const bundle = await kept(folder, name);
    if (!bundle) throw new Error(`${name} was not bundled`);
    found.push([name, bundle]);
  }
  return Object.fromEntries(found);
}
