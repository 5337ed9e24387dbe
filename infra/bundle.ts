import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { routes } from '../lib/routes/index.ts';
import { builtins, ownModules, packages } from './bundle-plugins.ts';
import { docsFiles } from './docs/files.ts';

const projectDir = join(import.meta.dirname, '..');

/** Of one function's code, gzipped, without source maps. */
export const maxGzipBytes = 115_000;

export interface Bundle {
  /** Holds `index.mjs`, the chunks that it loads on demand, and source maps. */
  dir: string;
  /** Of all code in the folder, chunks included, each file gzipped by itself. */
  gzipBytes: number;
  /** The files that some of this code comes from, by path from the project's folder. */
  sources: readonly string[];
}

/** Nothing is written here: source maps name their sources relative to it, so that the bytes are the same anywhere. */
const outDirOfNames = '.dist/bundle';

/** esbuild also makes chunks for dynamic imports in code that it then drops, such as the SDK's for browsers. */
function reachable(entry: string, { outputs }: Metafile): Set<string> {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path, external } of outputs[file]?.imports ?? []) if (!external) found.add(path);
  }
  return found;
}

async function compile(entryFile: string): Promise<{ files: Map<string, Uint8Array>; sources: string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectDir,
    entryPoints: { index: entryFile },
    outdir: outDirOfNames,
    write: false,
    bundle: true,
    // Encoders of pictures are imported dynamically: as chunks they don't slow the start.
    splitting: true,
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
    alias: { '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'lambda-credentials.ts') },
    plugins: [builtins, packages, ownModules(basename(entryFile, '.ts'))],
    metafile: true,
    logLevel: 'warning',
  });
  const code = reachable(`${outDirOfNames}/index.mjs`, metafile);
  const files = outputFiles
    .map(({ path, contents }) => ({ path: relative(projectDir, path).replaceAll('\\', '/'), contents }))
    .filter(({ path }) => code.has(path.replace(/\.map$/, '')));
  const sources = [...code].flatMap((file) => Object.entries(metafile.outputs[file]?.inputs ?? {}));
  return {
    files: new Map(files.map(({ path, contents }) => [basename(path), contents])),
    sources: sources.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path),
  };
}

/** The same input makes the same bytes, wherever `dir` is. What `dir` held before is gone. */
export async function bundleFile(entryFile: string, dir: string): Promise<Bundle> {
  const { files, sources } = await compile(entryFile);
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  let gzipBytes = 0;
  for (const [name, contents] of files) {
    await writeFile(join(dir, name), contents);
    if (name.endsWith('.mjs')) gzipBytes += gzipSync(contents, { level: 9 }).length;
  }
  return { dir, gzipBytes, sources };
}

/** By operation; one folder each in `outDir`. */
export async function bundleFunctions(outDir: string): Promise<Readonly<Record<string, Bundle>>> {
  const bundles = Object.keys(routes).map(async (operation) => [
    operation,
    await bundleFile(join(projectDir, 'functions', `${operation}.ts`), join(outDir, operation)),
  ]);
  return Object.fromEntries(await Promise.all(bundles));
}

/** What Lambda calls with records of the table's stream. */
export function bundleStreamWorker(outDir: string): Promise<Bundle> {
  return bundleFile(join(import.meta.dirname, 'stream-worker.ts'), join(outDir, 'stream-worker'));
}

/** What the schedule calls for what is due. */
export function bundleDueWorker(outDir: string): Promise<Bundle> {
  return bundleFile(join(import.meta.dirname, 'due-worker.ts'), join(outDir, 'due-worker'));
}

/** The function that serves the docs, with their files beside it. They are no code, and have no part in `gzipBytes`. */
export async function bundleDocs(outDir: string): Promise<Bundle> {
  const bundle = await bundleFile(join(import.meta.dirname, 'docs', 'lambda.ts'), join(outDir, 'docs'));
  const folder = join(bundle.dir, 'files');
  await mkdir(folder);
  for (const [name, gzipped] of await docsFiles()) await writeFile(join(folder, `${name}.gz`), gzipped);
  return bundle;
}
