import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { type Bundle, bundleFiles, bundleFunctions, functionNames } from '../../infra/aws/bundle.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import { formatOf } from './api-event.ts';
import { callThrough, type Opened } from './bundled.ts';
import { sampled } from './sampled.ts';

const shared = new Map<string, Bundle>();

const kindOf = ({ route }: Operation) => [route.files, formatOf(route), route.reply.kind].join();
const some = sampled(operations, 6);
const drawing = ['get-qr-asset', 'get-barcode-asset'];

/**
 * Those whose bundles are looked at. A bundle takes half a second: a quick run makes one of each kind, those that bring code of
 * others, and some of the rest; a long run all.
 */
export const bundledOperations = operations.filter(
  (one, index) =>
    some.includes(one) ||
    [...drawing, 'get-voucher'].includes(one.name) ||
    operations.findIndex((other) => kindOf(other) === kindOf(one)) === index,
);

const isOperation = (name: string) => operations.some((one) => one.name === name);

/** The workers and the docs, too. */
export const bundledFunctions = functionNames.filter(
  (name) => !isOperation(name) || bundledOperations.some((one) => one.name === name),
);

const folderOf = (name: string) => join(inject('bundlesDir'), name);

async function readBundle(name: string): Promise<Bundle | undefined> {
  const about = await readFile(join(folderOf(name), 'bundle.json'), 'utf8').catch(() => undefined);
  return about === undefined ? undefined : { ...JSON.parse(about), dir: join(folderOf(name), 'files') };
}

async function build(names: readonly string[]): Promise<void> {
  const own = await mkdtemp(`${folderOf('own')}-`);
  const bundles = await bundleFunctions(join(own, 'files'), names);
  for (const [name, bundle] of Object.entries(bundles)) {
    const whole = join(own, name);
    await mkdir(whole);
    await rename(bundle.dir, join(whole, 'files'));
    await writeFile(join(whole, 'bundle.json'), JSON.stringify(bundle));
    // The other worker may be at it: whoever is first with the whole has its way.
    await rename(whole, folderOf(name)).catch(() => undefined);
  }
  await rm(own, { recursive: true });
}

/** Functions as they are deployed, by name, bundled once for the whole run, when the first test asks for them. */
export async function sharedBundles(names: readonly string[]): Promise<Readonly<Record<string, Bundle>>> {
  const missing: string[] = [];
  for (const name of names) if (!shared.has(name) && !(await readBundle(name))) missing.push(name);
  if (missing.length > 0) await build(missing);
  for (const name of names) {
    const bundle = shared.get(name) ?? (await readBundle(name));
    if (bundle) shared.set(name, bundle);
  }
  return Object.fromEntries(names.flatMap((name) => [...shared].filter(([one]) => one === name)));
}

export async function sharedBundle(name: string): Promise<Bundle> {
  const { [name]: bundle } = await sharedBundles([name]);
  if (!bundle) throw new Error(`${name} was not bundled`);
  return bundle;
}

/** The code that a script has for a bundle's module. */
export const importOf = ({ dir }: Bundle) => `await import(${JSON.stringify(pathToFileURL(join(dir, 'index.mjs')))})`;

/** Runs the script in a Node.js process that has this environment and nothing else; what it writes, line by line. */
export async function linesOf(script: string, env: Readonly<Record<string, string>> = {}, args: string[] = []) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, ...args], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trimEnd().split('\n');
}

const projectDir = join(import.meta.dirname, '../..');

/** From here on `caller` calls these operations of the test file through bundles, built as those that are deployed. */
export async function callThroughBundles(operations: readonly Operation[]): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'tessera-bundled-'));
  try {
    const entries: Record<string, string> = {};
    for (const { name: operation, file } of operations) {
      const entry = join(workDir, `${operation}.ts`);
      const exported = [
        ['handler', file],
        ['documentClient', join(projectDir, 'lib/table/connection.ts')],
        ['dynamodbClient', join(projectDir, 'lib/http/composition.ts')],
      ].map(([name, from]) => `export { ${name} } from ${JSON.stringify(from)};`);
      await writeFile(entry, exported.join('\n'));
      entries[operation] = entry;
    }
    const bundles = await bundleFiles(entries, join(workDir, 'bundles'));
    for (const { name, route } of operations) {
      // By Node.js itself: vitest would transform what it imports.
      const opened: Opened = createRequire(import.meta.url)(join(bundles[name]?.dir ?? '', 'index.mjs'));
      callThrough(route, opened);
    }
  } finally {
    await rm(workDir, { recursive: true });
  }
}
