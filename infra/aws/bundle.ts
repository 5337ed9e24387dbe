import { mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type ImportKind, type Metafile, type Plugin } from 'esbuild';
import { inBatches } from '../../lib/table/batches.ts';
import { docsFiles } from '../docs/files.ts';
import { requestLinesFile } from '../docs/public-reply.ts';
import { operations, requestLines } from '../operations.ts';
import { entryOf, preparing } from './prepared-entry.ts';

const projectDir = join(import.meta.dirname, '..', '..');

/**
 * The most that a function's start reads, gzipped. A redemption carries orders, rewards, publications, referrals, rules, page rules,
 * the count of earlier redemptions and the records that are written behind it. Chunks for its rare parts would not pay: dividing a
 * bundle costs 4,500 bytes, more than the rewards and the count of earlier redemptions together.
 */
export const maxGzipBytes = 210_000;

export interface Bundle {
  /** Holds `index.mjs`, the chunks that it loads on demand, and source maps. */
  dir: string;
  /** Of the code that a start reads, each file gzipped by itself: without source maps, and chunks that are loaded on demand. */
  gzipBytes: number;
  /** The files that some of this code comes from, by path from the project's folder. */
  sources: readonly string[];
}

/** Nothing is written here: source maps name their sources relative to it, so that the bytes are the same anywhere. */
const outDirOfNames = '.dist/bundle';

/**
 * An ES import of a built-in module of Node.js reads every export of it, getters included: that of `node:http` loads undici, that
 * of `node:process` opens all three standard streams. Here only what is used is read, which takes a third off an import. It is the
 * one thing that bundling adds to esbuild: no source is rewritten, ours or a package's, so that a bundle does what its source does.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z0-9_:/]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      const id = `node:${path.replace(/^node:/, '')}`;
      if (kind === 'import-statement') return { path: id, namespace: 'builtin', sideEffects: false };
      return kind === 'require-call' ? { path: id, namespace: 'required-builtin' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'default');
      return {
        contents: [
          `const $builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
          'const $read = (name) => $builtin[name];',
          'export default $builtin;',
          ...names.map((name) => `export const ${name} = /* @__PURE__ */ $read(${JSON.stringify(name)});`),
        ].join('\n'),
        loader: 'js',
      };
    });
    onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};

interface Compiled {
  /** By name. */
  files: Map<string, Uint8Array>;
  /** Names of those that a start reads. */
  readAtStart: ReadonlySet<string>;
  sources: string[];
  /** Whether some of its code is imported dynamically, for a chunk that is loaded on demand. */
  hasLazyCode: boolean;
}

/** By name, where the code of each begins. */
type Entries = Readonly<Record<string, string>>;

/** A stand-in that is never called: the SDK's dynamic import of it, which every function has, is no reason for a chunk. */
const noEventStreams = join(import.meta.dirname, 'no-event-streams.ts');

const mainFileOf = (name: string) => `${outDirOfNames}/${name}/index.mjs`;

/** The files that a bundle consists of, the chunks of an import of one of these kinds included. */
function reachable(
  { outputs }: Metafile,
  name: string,
  follows: (kind: ImportKind | 'file-loader') => boolean,
): Set<string> {
  const found = new Set([mainFileOf(name)]);
  for (const file of found) {
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (!external && follows(kind)) found.add(path);
  }
  return found;
}

function importsLazily({ inputs, outputs }: Metafile, name: string): boolean {
  const used = outputs[mainFileOf(name)]?.inputs ?? {};
  const standIn = relative(projectDir, noEventStreams).replaceAll('\\', '/');
  const isUsed = (path: string) => path !== standIn && (used[path]?.bytesInOutput ?? 0) > 0;
  return Object.keys(used).some(
    (path) =>
      isUsed(path) &&
      inputs[path]?.imports.some(
        ({ kind, external, path: to }) => kind === 'dynamic-import' && !external && isUsed(to),
      ),
  );
}

/** One run of esbuild reads what the entries share once; `splitting` makes chunks, and takes one entry. */
async function run(entries: Entries, { splitting }: { splitting: boolean }): Promise<Map<string, Compiled>> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectDir,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [`${name}/index`, file])),
    chunkNames: `${Object.keys(entries)[0]}/[name]-[hash]`,
    outdir: outDirOfNames,
    write: false,
    bundle: true,
    splitting,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node24',
    // Else such a literal becomes a call, which can't be left out: one of valibot's takes long to make.
    supported: { 'regexp-unicode-property-escapes': true },
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    // One character beyond ASCII would make V8 decode, keep and scan the whole file as UTF-16.
    charset: 'ascii',
    alias: {
      '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'lambda-credentials.ts'),
      '@aws-sdk/endpoint-cache': join(import.meta.dirname, 'no-endpoint-cache.ts'),
      '@smithy/core/event-streams': noEventStreams,
    },
    plugins: [preparing, builtins],
    metafile: true,
    logLevel: 'warning',
  });
  const contentsOf = new Map(
    outputFiles.map(({ path, contents }) => [relative(projectDir, path).replaceAll('\\', '/'), contents]),
  );
  const compiled = Object.keys(entries).map((name): [string, Compiled] => {
    const code = [...reachable(metafile, name, () => true)];
    const files = code.flatMap((path) => [path, `${path}.map`]).map((path) => [path, contentsOf.get(path)] as const);
    const sources = code.flatMap((file) => Object.entries(metafile.outputs[file]?.inputs ?? {}));
    return [
      name,
      {
        files: new Map(files.flatMap(([path, contents]) => (contents ? [[basename(path), contents]] : []))),
        readAtStart: new Set(
          [...reachable(metafile, name, (kind) => kind !== 'dynamic-import')].map((path) => basename(path)),
        ),
        sources: sources.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
        hasLazyCode: importsLazily(metafile, name),
      },
    ];
  });
  return new Map(compiled);
}

/** Some in one run, and those with lazy code, such as encoders of pictures, once more by themselves, as chunks that don't slow the start. */
async function compile(entries: Entries): Promise<Map<string, Compiled>> {
  const compiled = await run(entries, { splitting: false });
  const lazy = [...compiled].filter(([, { hasLazyCode }]) => hasLazyCode).map(([name]) => name);
  const split = await Promise.all(lazy.map((name) => run({ [name]: entries[name] ?? '' }, { splitting: true })));
  return new Map([...compiled, ...split.flatMap((one) => [...one])]);
}

/** The same input makes the same bytes, wherever `dir` is. What `dir` held before is gone. */
async function write({ files, readAtStart, sources }: Compiled, dir: string): Promise<Bundle> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  let gzipBytes = 0;
  for (const [name, contents] of files) {
    await writeFile(join(dir, name), contents);
    if (readAtStart.has(name)) gzipBytes += gzipSync(contents, { level: 9 }).length;
  }
  return { dir, gzipBytes, sources };
}

/** Each entry takes esbuild some 60 MB, which it keeps to the end of its run. */
const entriesOfRun = 16;

/** Each in a folder of its own in `outDir`. */
export async function bundleFiles(entries: Entries, outDir: string): Promise<Readonly<Record<string, Bundle>>> {
  const bundles: [string, Bundle][] = [];
  for await (const some of inBatches(Object.entries(entries), entriesOfRun)) {
    for (const [name, one] of await compile(Object.fromEntries(some))) {
      bundles.push([name, await write(one, join(outDir, name))]);
    }
  }
  return Object.fromEntries(bundles);
}

/** One by itself, by the name of its folder. */
export async function bundleFile(entryFile: string, dir: string): Promise<Bundle> {
  const { [basename(dir)]: bundle } = await bundleFiles({ [basename(dir)]: entryFile }, dirname(dir));
  if (!bundle) throw new Error(`${entryFile} was not bundled`);
  return bundle;
}

/** Where the code of each function of the stack begins, by the function's name. */
const entryFiles: Entries = {
  ...Object.fromEntries(operations.map(({ name, file }) => [name, entryOf(file)])),
  'stream-worker': join(import.meta.dirname, 'stream-worker.ts'),
  'totals-worker': join(import.meta.dirname, 'totals-worker.ts'),
  'log-worker': join(import.meta.dirname, 'log-worker.ts'),
  probe: join(import.meta.dirname, 'probe.ts'),
  'job-worker': join(import.meta.dirname, 'job-worker.ts'),
  'due-worker': join(import.meta.dirname, 'due-worker.ts'),
  docs: join(import.meta.dirname, '..', 'docs', 'lambda.ts'),
  preflights: join(import.meta.dirname, '..', 'docs', 'preflights-lambda.ts'),
};

export const functionNames: readonly string[] = Object.keys(entryFiles);

/** The files that the function of the docs serves. They are no code, and have no part in `gzipBytes`. */
async function writeDocs(dir: string): Promise<void> {
  const folder = join(dir, 'files');
  await mkdir(folder);
  for (const [name, gzipped] of await docsFiles()) await writeFile(join(folder, `${name}.gz`), gzipped);
}

/** Functions of the stack, whole, by name, each in a folder of its own in `outDir`. */
export async function bundleFunctions(
  outDir: string,
  names: readonly string[] = functionNames,
): Promise<Readonly<Record<string, Bundle>>> {
  const entries = names.map((name) => {
    const file = entryFiles[name];
    if (file === undefined) throw new Error(`there is no function ${name}`);
    return [name, file] as const;
  });
  const bundles = await bundleFiles(Object.fromEntries(entries), outDir);
  for (const name of ['docs', 'preflights'].filter((one) => names.includes(one))) {
    await writeFile(join(outDir, name, requestLinesFile), JSON.stringify(requestLines));
  }
  if (names.includes('docs')) await writeDocs(join(outDir, 'docs'));
  return bundles;
}
