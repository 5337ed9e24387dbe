import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import { drawBarcode } from '#engine/vouchers/draw-barcode.ts';
import { drawQr } from '#engine/vouchers/draw-qr.ts';
import { bundleFile, maxGzipBytes } from '../../infra/aws/bundle.ts';
import { findEntry } from '../../infra/aws/prepared-entry.ts';
import { findOperation } from '../../infra/operations.ts';
import {
  bundledFunctions,
  bundledOperations,
  importOf,
  lastLineOf,
  sharedBundle,
  sharedBundles,
} from '../support/bundles.ts';

const workDir = await mkdtemp(join(tmpdir(), 'tessera-bundle-'));
const bundles = await sharedBundles(bundledFunctions);
const sdk = await bundleFile(join(import.meta.dirname, '../bench/sdk-only.ts'), join(workDir, 'sdk-only'));
const script = `${importOf(sdk)}; console.log(JSON.stringify(process.moduleLoadList));`;
const loadedBySdk = v.parse(v.array(v.string()), await lastLineOf(script));

afterAll(() => rm(workDir, { recursive: true, force: true }));

/** The clients of files and of the table share one file. Its imports begin with these modules. */
const streamModules = /^NativeModule internal\/(?:worker\/io|webstreams\/)|^(?:NativeModule|Internal Binding) zlib$/;

/** Reports imports: the paths of their handlers' routes, and the modules of Node.js in that process. */
const imported = v.tuple([v.array(v.string()), v.array(v.string())]);

/** Maps each file to its SHA-256. */
async function hashesOf(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).sort();
  const hashes = names.map(async (name) => [
    name,
    createHash('sha256')
      .update(await readFile(join(dir, name)))
      .digest('hex'),
  ]);
  return Object.fromEntries(await Promise.all(hashes));
}

test('every function is bundled', () => {
  expect(Object.keys(bundles)).toEqual(bundledFunctions);
});

// One function has chunks that are loaded on demand, the other has none.
test.each(['get-voucher', 'get-qr-asset'])('the sources of %s make the same bytes in another folder', async (name) => {
  const second = await bundleFile(findEntry(findOperation(name).file), join(workDir, 'elsewhere', name));
  expect(await hashesOf(second.dir)).toEqual(await hashesOf((await sharedBundle(name)).dir));
});

test.each(bundledFunctions)(`%s has at most ${maxGzipBytes} bytes, gzipped`, async (name) => {
  expect((await sharedBundle(name)).gzipBytes).toBeLessThanOrEqual(maxGzipBytes);
});

/** Creating and updating a webhook compares its address with lists of private networks. */
const addressLists = [
  'Internal Binding block_list',
  'NativeModule internal/socketaddress',
  'NativeModule internal/blocklist',
];

// Each group shares one process: together they load no more than a single function may.
test.each([
  ['keep no files', false],
  ['keep files', true],
])(
  'functions that %s run in a bare Node.js, export their handlers, and load no more of Node.js than the SDK',
  async (_, keepFiles) => {
    const some = bundledOperations.filter(({ route }) => (route.files !== undefined) === keepFiles);
    const handlers = await Promise.all(some.map(async ({ name }) => `(${importOf(await sharedBundle(name))}).handler`));
    const imports = handlers.map((handler) => `paths.push(${handler}.route.path);`);
    const script = `const paths = []; ${imports.join(' ')} console.log(JSON.stringify([paths, process.moduleLoadList]));`;
    const [paths, loaded] = v.parse(imported, await lastLineOf(script));
    expect(paths).toEqual(some.map(({ route }) => route.path));
    // @middy/util reads the names of the statuses.
    const known = [...loadedBySdk, 'NativeModule http', ...addressLists];
    const isKnown = (name: string) => known.includes(name) || (keepFiles && streamModules.test(name));
    expect(loaded.filter((name) => !isKnown(name))).toEqual([]);
  },
);

test('a call without a used result stays in a bundle, for any name of the function', async () => {
  const folder = join(workDir, 'lib', 'effects');
  await mkdir(folder, { recursive: true });
  const names = ['record', 'object', 'nullable', 'listOf'];
  const functions = names.map((name) => `function ${name}(list: string[]) { list.push('${name}'); }`);
  const calls = names.map((name) => `${name}(done);`);
  const source = `${functions.join('\n')}\nexport const done: string[] = [];\n${calls.join('\n')}\n`;
  await writeFile(join(folder, 'effects.ts'), source);
  const bundle = await bundleFile(join(folder, 'effects.ts'), join(workDir, 'effects'));
  expect(await lastLineOf(`const module = ${importOf(bundle)}; console.log(JSON.stringify(module.done));`)).toEqual(
    names,
  );
});

test.each([
  ['draw-barcode', drawBarcode],
  ['draw-qr', drawQr],
])('%s draws the same picture from a bundle', async (name, draw) => {
  const file = join(import.meta.dirname, '../../lib/engine/vouchers', `${name}.ts`);
  const bundle = await bundleFile(file, join(workDir, name));
  const pictures = ['SPRING-AAA222', '0123456789', 'a b', 'PARTNER/1#é', '日本語のコード', 'x'.repeat(500)].flatMap(
    (code) => [[code, 'image/svg+xml'] as const, [code, 'image/png'] as const],
  );
  const script = `const [draw] = Object.values(${importOf(bundle)});
    const drawn = await Promise.all(${JSON.stringify(pictures)}.map(([code, type]) => draw(code, type)));
    console.log(JSON.stringify(drawn.map((picture) => picture.toString('base64'))));`;
  const expected = await Promise.all(pictures.map(([code, type]) => draw(code, type)));
  expect(await lastLineOf(script)).toEqual(expected.map((picture) => picture.toString('base64')));
});
