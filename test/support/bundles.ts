import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { type Bundle, bundleFiles, functionNames } from '../../infra/aws/bundle.ts';
import { loadBundles } from '../../infra/aws/bundle-store.ts';
import { sharedFamilies } from '../../infra/aws/shared-families.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import { formatOf } from './api-event.ts';
import { callThrough, type Opened } from './bundled.ts';
import { sampled } from './sampled.ts';

const shared = new Map<string, Bundle>();

const kindOf = ({ route }: Operation) => [route.files, formatOf(route), route.reply.kind].join();
const alone = operations.filter(({ family }) => !sharedFamilies.includes(family));
const some = sampled(alone, 3);
const drawing = ['get-qr-asset', 'get-barcode-asset'];

/**
 * The operations with a separate function whose bundles are tested. A bundle needs half a second. A quick run makes
 * one of each kind, those with extra dependencies, and some others. A long run makes all.
 */
export const bundledOperations = alone.filter(
  (one, index) =>
    some.includes(one) ||
    [...drawing, 'get-voucher'].includes(one.name) ||
    alone.findIndex((other) => kindOf(other) === kindOf(one)) === index,
);

/** The operations that share a function. Their families' bundles are tested in any run. */
export const sharingOperations = operations.filter(({ family }) => sharedFamilies.includes(family));

const isOperation = (name: string) => operations.some((one) => one.name === name);

/** The same for all functions, with workers and docs. */
export const bundledFunctions = functionNames.filter(
  (name) => !isOperation(name) || bundledOperations.some((one) => one.name === name),
);

/** Returns the deployed form of functions by name. They are bundled once for the whole run, at the first call. */
export async function sharedBundles(names: readonly string[]): Promise<Readonly<Record<string, Bundle>>> {
  const missing = names.filter((name) => !shared.has(name));
  const found = missing.length > 0 ? await loadBundles(inject('bundlesDir'), missing) : {};
  for (const [name, bundle] of Object.entries(found)) shared.set(name, bundle);
  return Object.fromEntries(names.flatMap((name) => [...shared].filter(([one]) => one === name)));
}

export async function sharedBundle(name: string): Promise<Bundle> {
  const { [name]: bundle } = await sharedBundles([name]);
  if (!bundle) throw new Error(`${name} was not bundled`);
  return bundle;
}

/** Returns the import of a bundle's module, for a script. */
export const importOf = ({ dir }: Bundle) => `await import(${JSON.stringify(pathToFileURL(join(dir, 'index.mjs')))})`;

/** Runs a script in a Node.js process with this environment alone. Returns the lines of its output. */
export async function linesOf(script: string, env: Readonly<Record<string, string>> = {}, args: string[] = []) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, ...args], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trimEnd().split('\n');
}

/** Returns the JSON in the script's last line. */
export async function lastLineOf(...run: Parameters<typeof linesOf>): Promise<unknown> {
  return JSON.parse((await linesOf(...run)).at(-1) ?? '');
}

const projectDir = join(import.meta.dirname, '../..');

/**
 * From here on `caller` calls these operations of the test file through bundles that are built like the deployed
 * bundles.
 */
export async function callThroughBundles(operations: readonly Operation[]): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'tessera-bundled-'));
  try {
    const entries: Record<string, string> = {};
    for (const { name: operation, file } of operations) {
      const entry = join(workDir, `${operation}.ts`);
      const exported = [
        ['handler', file],
        ['createDocumentClient', join(projectDir, 'lib/kernel/table/connection.ts')],
        ['createDynamodbClient', join(projectDir, 'lib/kernel/http/composition.ts')],
      ].map(([name, from]) => `export { ${name} } from ${JSON.stringify(from)};`);
      await writeFile(entry, exported.join('\n'));
      entries[operation] = entry;
    }
    const bundles = await bundleFiles(entries, join(workDir, 'bundles'));
    for (const { name, route } of operations) {
      // Node.js loads the module, because vitest would transform it.
      const opened: Opened = createRequire(import.meta.url)(join(bundles[name]?.dir ?? '', 'index.mjs'));
      callThrough(route, opened);
    }
  } finally {
    await rm(workDir, { recursive: true });
  }
}
