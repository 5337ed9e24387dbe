import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import type { DemoKey } from '../docs/files.ts';
import { describeForms } from './forms.ts';
import { assetsFolder, type ConsoleFiles, indexFile } from './handler.ts';

const source = join(import.meta.dirname, '../../console');

/** Gives the console the fields of its forms, taken from the document. */
const forms: Plugin = {
  name: 'forms',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^tessera:forms$/ }, ({ path }) => ({ path, namespace: 'forms' }));
    onLoad({ filter: /.*/, namespace: 'forms' }, () => ({
      contents: `export const forms = ${JSON.stringify(describeForms())};`,
      loader: 'js',
    }));
  },
};

export interface ConsoleBuild {
  /** Maps names to contents. A name has the hash of its content. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
  readonly script: string;
  readonly style: string;
  /** Names everything that the browser reads before the first screen, in addition to the style. */
  readonly first: readonly string[];
}

/** Returns the scripts that a file imports statically, including itself. */
function importedAtOnce({ outputs }: Metafile, file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind } of outputs[file]?.imports ?? []) {
    if (kind === 'import-statement') importedAtOnce({ inputs: {}, outputs }, path, seen);
  }
  return seen;
}

/** Bundles the console. The same sources make the same names and bytes. */
export async function buildConsole(): Promise<ConsoleBuild> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: join(source, '..'),
    entryPoints: [join(source, 'main.tsx')],
    outdir: assetsFolder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    plugins: [forms],
    metafile: true,
    logLevel: 'warning',
  });
  const assets = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx'));
  if (!entry?.[1].cssBundle) throw new Error('the console has no script or no style');
  return {
    assets,
    script: basename(entry[0]),
    style: basename(entry[1].cssBundle),
    first: [...importedAtOnce(metafile, entry[0])].map((path) => basename(path)),
  };
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** The page has no inline script, so that its policy can forbid all of them. */
function pageWith({ script, style, first }: ConsoleBuild, icon: string, demoKey: DemoKey | undefined): string {
  const key = demoKey
    ? Object.entries(demoKey).map(([name, value]) => `<meta name="demo-${name}" content="${escaped(value)}">`)
    : [];
  const preloaded = first.filter((name) => name !== script);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${key.join('\n    ')}
    <title>Tessera</title>
    <link rel="icon" type="image/svg+xml" href="/console/${assetsFolder}/${icon}">
    <link rel="stylesheet" href="/console/${assetsFolder}/${style}">
    ${preloaded.map((name) => `<link rel="modulepreload" href="/console/${assetsFolder}/${name}">`).join('\n    ')}
    <script type="module" src="/console/${assetsFolder}/${script}"></script>
  </head>
  <body><div id="console"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
}

/** Builds the files that `/console` serves. A local server's key is the only key in them. */
export async function consoleFiles(demoKey?: DemoKey): Promise<ConsoleFiles> {
  const built = await buildConsole();
  const icon = 'icon.svg';
  const contents: [string, string | Uint8Array][] = [
    [indexFile, pageWith(built, icon, demoKey)],
    [icon, readFileSync(join(source, 'style', icon))],
    ...built.assets,
  ];
  const gzipped = contents.map(
    async ([name, content]): Promise<[string, Buffer]> => [name, await promisify(gzip)(content, { level: 9 })],
  );
  return new Map(await Promise.all(gzipped));
}
