import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { type Bundle, bundleFiles, functionNames } from '../../infra/aws/bundle.ts';
import { keptBundles } from '../../infra/aws/bundle-store.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import { formatOf } from './api-event.ts';
import { callThrough, type Opened } from './bundled.ts';
import { sampled } from './sampled.ts';

const shared = new Map<string, Bundle>();

const kindOf = ({ route }: Operation) => [route.files, formatOf(route), route.reply.kind].join();
const some = sampled(operations, 3);
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

/** Functions as they are deployed, by name, bundled once for the whole run, when the first test asks for them. */
export async function sharedBundles(names: readonly string[]): Promise<Readonly<Record<string, Bundle>>> {
  const missing = names.filter((name) => !shared.has(name));
  const found = missing.length > 0 ? await keptBundles(inject('bundlesDir'), missing) : {};
  for (const [name, bundle] of Object.entries(found)) shared.set(name, bundle);
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

/** The JSON that the script ends with. */
export async function lastLineOf(...run: Parameters<typeof linesOf>): Promise<unknown> {
  return JSON.parse((await linesOf(...run)).at(-1) ?? '');
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
