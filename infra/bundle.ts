import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import { routes } from '../lib/routes/index.ts';
import { docsFiles } from './docs/files.ts';

const projectDir = join(import.meta.dirname, '..');

/** Of one function's code, gzipped, without source maps. */
export const maxGzipBytes = 120_000;

export interface Bundle {
  /** Holds `index.mjs`, the chunks that it loads on demand, and source maps. */
  dir: string;
  /** Of all code in the folder, chunks included, each file gzipped by itself. */
  gzipBytes: number;
}

/** Two fonts of 38 KB in base64, for text under a bar code; ours have none. */
function withoutFonts(source: string): string {
  const embeddedFont = /^FontLib\.loadFont\("OCR-[AB]",.*$/gm;
  const found = source.match(embeddedFont)?.length ?? 0;
  if (found !== 2) throw new Error(`bwip-js should embed 2 fonts but has ${found}: see infra/bundle.ts`);
  return source.replace(embeddedFont, '');
}

/** Maps all of a file to its first line. */
function coarseMap(path: string): string {
  const map = JSON.stringify({ version: 3, sources: [basename(path)], mappings: 'AAAA' });
  return `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
}

/** Node.js parses a bundle's source map at every start: lines are mapped in our own files only, packages by file. */
const packages: Plugin = {
  name: 'packages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = /[\\/]bwip-js-node\.mjs$/.test(path) ? withoutFonts(source) : source;
      return { contents: contents + coarseMap(path), loader: 'js' };
    });
  },
};

/**
 * An ES import of `node:http` reads every export of it and with that loads undici, about 20 ms on two x86 cores: `@middy/util`
 * imports it for the names of the statuses. `require` reads only what is used.
 */
const requiredHttp: Plugin = {
  name: 'required-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace: 'required' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};

/** Nothing is written here: source maps name their sources relative to it, so that the bytes are the same anywhere. */
const outDirOfNames = '.dist/bundle';

/** CommonJS packages in an ES module call `require`, which is not there. */
const requireBanner =
  "import{createRequire as bannerCreateRequire}from'node:module';const require=bannerCreateRequire(import.meta.url);";

/** esbuild also makes chunks for dynamic imports in code that it then drops, such as the SDK's for browsers. */
function reachable(entry: string, { outputs }: Metafile): Set<string> {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path, external } of outputs[file]?.imports ?? []) if (!external) found.add(path);
  }
  return found;
}

async function compile(entryFile: string): Promise<Map<string, Uint8Array>> {
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
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    charset: 'utf8',
    banner: { js: requireBanner },
    alias: { '@aws-sdk/credential-provider-node': join(import.meta.dirname, 'lambda-credentials.ts') },
    plugins: [packages, requiredHttp],
    metafile: true,
    logLevel: 'warning',
  });
  const code = reachable(`${outDirOfNames}/index.mjs`, metafile);
  return new Map(
    outputFiles
      .map(({ path, contents }) => ({ path: relative(projectDir, path).replaceAll('\\', '/'), contents }))
      .filter(({ path }) => code.has(path.replace(/\.map$/, '')))
      .map(({ path, contents }) => [basename(path), contents]),
  );
}

/** The same input makes the same bytes, wherever `dir` is. What `dir` held before is gone. */
export async function bundleFile(entryFile: string, dir: string): Promise<Bundle> {
  const files = await compile(entryFile);
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  let gzipBytes = 0;
  for (const [name, contents] of files) {
    await writeFile(join(dir, name), contents);
    if (name.endsWith('.mjs')) gzipBytes += gzipSync(contents, { level: 9 }).length;
  }
  return { dir, gzipBytes };
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
