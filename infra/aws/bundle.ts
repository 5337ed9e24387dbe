import { mkdir, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type ImportKind, type Metafile, type Plugin } from 'esbuild';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { requestLinesFile } from '../docs/public-reply.ts';
import { toolsFile } from '../mcp/tool.ts';
import { buildTools } from '../mcp/tools.ts';
import { requestLines } from '../operations.ts';
import { operationEntries, preparing } from './prepared-entry.ts';
import { writeServedFiles } from './served-files.ts';

const projectDir = join(import.meta.dirname, '..', '..');

/**
 * Limits the gzipped bytes that a function's start reads. A redemption carries orders, rewards, publications, referrals, rules, page
 * rules, schemas of metadata and time zones. It also carries earlier redemptions, later writes, the outcome of unanswered writes, and
 * limits by person, and the shares and notes that returns need. Chunks for its rare parts would not pay: dividing a bundle costs 4,500
 * bytes. That is more than the rewards and the count of earlier redemptions together.
 */
export const maxGzipBytes = 226_000;

export interface Bundle {
  /** Holds `index.mjs`, the chunks that it loads on demand, and source maps. */
  dir: string;
  /**
   * Counts the gzipped bytes that a start reads, file by file. Source maps and chunks that load on demand are left out.
   */
  gzipBytes: number;
  /** Lists the source files of this code, by path from the project's folder. */
  sources: readonly string[];
}

/** Nothing is written here. Source maps are relative to this folder, so the bytes are the same on any machine. */
const outDirOfNames = '.dist/bundle';

/**
 * Reads only the used exports of built-in modules, which saves a third of an import. An ES import reads every export of
 * a built-in module, also getters. `node:http` then loads undici, and `node:process` opens all three standard streams.
 * Bundling adds only this to esbuild. No source is rewritten, neither ours nor a package's.
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
  /** Maps names to bundles. */
  files: Map<string, Uint8Array>;
  /** Names the files that a start reads. */
  readAtStart: ReadonlySet<string>;
  sources: string[];
  /** Says whether some of its code is imported dynamically, as a chunk that is loaded on demand. */
  hasLazyCode: boolean;
}

/** Maps names to entry files. */
type Entries = Readonly<Record<string, string>>;

/** This stand-in is never called. The SDK imports it dynamically in every function, so it must not make a chunk. */
const noEventStreams = join(import.meta.dirname, 'no-event-streams.ts');

const mainFileOf = (name: string) => `${outDirOfNames}/${name}/index.mjs`;

/** Returns the files of a bundle, with the chunks of imports of these kinds. */
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

/** Runs esbuild once, so that shared sources are read once. `splitting` makes chunks, and requires a single entry. */
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
    // Without this, such a literal becomes a call that can't be left out. One call of valibot is slow.
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

/** Bundles entries in one run. Bundles entries with lazy code again, alone, into chunks that keep their start fast. */
async function compile(entries: Entries): Promise<Map<string, Compiled>> {
  const compiled = await run(entries, { splitting: false });
  const lazy = [...compiled].filter(([, { hasLazyCode }]) => hasLazyCode).map(([name]) => name);
  const split = await Promise.all(lazy.map((name) => run({ [name]: entries[name] ?? '' }, { splitting: true })));
  return new Map([...compiled, ...split.flatMap((one) => [...one])]);
}

/** Bundles entries into `dir`, and removes its earlier content. The same input makes the same bytes in any folder. */
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

/** Limits the entries of a run, because esbuild keeps some 60 MB for each to its end. */
const entriesOfRun = 16;

/** Bundles each entry into a separate folder in `outDir`. */
export async function bundleFiles(entries: Entries, outDir: string): Promise<Readonly<Record<string, Bundle>>> {
  const bundles: [string, Bundle][] = [];
  for await (const some of splitIntoBatches(Object.entries(entries), entriesOfRun)) {
    for (const [name, one] of await compile(Object.fromEntries(some))) {
      bundles.push([name, await write(one, join(outDir, name))]);
    }
  }
  return Object.fromEntries(bundles);
}

/** Bundles one entry alone, named after its folder. */
export async function bundleFile(entryFile: string, dir: string): Promise<Bundle> {
  const { [basename(dir)]: bundle } = await bundleFiles({ [basename(dir)]: entryFile }, dirname(dir));
  if (!bundle) throw new Error(`${entryFile} was not bundled`);
  return bundle;
}

/** Maps each function of the stack to its entry file. */
const entryFiles: Entries = {
  ...operationEntries,
  'stream-worker': join(import.meta.dirname, 'stream-worker.ts'),
  'totals-worker': join(import.meta.dirname, 'totals-worker.ts'),
  'totals-and-facts-worker': join(import.meta.dirname, 'totals-and-facts-worker.ts'),
  'fact-packer': join(import.meta.dirname, 'fact-packer.ts'),
  'log-worker': join(import.meta.dirname, 'log-worker.ts'),
  probe: join(import.meta.dirname, 'probe.ts'),
  'job-worker': join(import.meta.dirname, 'job-worker.ts'),
  'due-worker': join(import.meta.dirname, 'due-worker.ts'),
  docs: join(import.meta.dirname, '..', 'docs', 'lambda.ts'),
  console: join(import.meta.dirname, '..', 'console', 'lambda.ts'),
  preflights: join(import.meta.dirname, '..', 'docs', 'preflights-lambda.ts'),
  mcp: join(import.meta.dirname, '..', 'mcp', 'lambda.ts'),
};

export const functionNames: readonly string[] = Object.keys(entryFiles);

/** Bundles functions of the stack with all their files, each into a separate folder in `outDir`. */
export async function bundleFunctions(
  outDir: string,
  names: readonly string[] = functionNames,
): Promise<Readonly<Record<string, Bundle>>> {
  const entries = names.map((name) => {
    const file = entryFiles[name];
    if (file === undefined) throw new Error(`no function of the stack is named ${name}`);
    return [name, file] as const;
  });
  const bundles = await bundleFiles(Object.fromEntries(entries), outDir);
  for (const name of ['docs', 'preflights'].filter((one) => names.includes(one))) {
    await writeFile(join(outDir, name, requestLinesFile), JSON.stringify(requestLines));
  }
  await writeServedFiles(outDir, names);
  if (names.includes('mcp')) await writeFile(join(outDir, 'mcp', toolsFile), JSON.stringify(buildTools()));
  return bundles;
}
