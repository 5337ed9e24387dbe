import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import type { Plugin } from 'esbuild';
import { requestLines } from '../lib/routes/request-lines.ts';

/** What leaves out of a bundle, and out of the start of a function, what the function does not use. */

/**
 * An ES import of a builtin of Node.js reads every export of it, getters included: that of `node:http` loads undici, that of
 * `node:process` opens all three standard streams, and so on, in all a tenth of an import. Here only what is used is read.
 */
export const builtins: Plugin = {
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

/** Replaces what a package is known to have: a release that has it no more is looked at by a person. */
function replaced(source: string, found: RegExp, by: string, times: number): string {
  const count = source.match(found)?.length ?? 0;
  if (count !== times)
    throw new Error(`${found} should be there ${times} times, not ${count}: see infra/bundle-plugins.ts`);
  return source.replace(found, by);
}

/** The fonts for text under a bar code, 38 KB in base64 each, and what draws letters: ours have no text. */
function withoutText(source: string): string {
  const withoutFonts = replaced(source, /^FontLib\.loadFont\("OCR-[AB]",.*$/gm, '', 2);
  return replaced(withoutFonts, /^var (FontLib|STBTT) = \(function/gm, 'var $1, un$1 = /* @__PURE__ */ (function', 2);
}

/**
 * What makes each schema one of Standard Schema, for libraries that take schemas of any kind: an object and a function more
 * for each of some hundred that a start makes.
 */
function withoutStandardSchema(source: string): string {
  return replaced(source, /^\tschema\["~standard"\] = \{.*?^\t\};$/gms, '', 1);
}

const trimmed: readonly [RegExp, (source: string) => string][] = [
  [/[\\/]bwip-js-node\.mjs$/, withoutText],
  [/[\\/]valibot[\\/]dist[\\/]index\.mjs$/, withoutStandardSchema],
];

/** Maps all of a file to its first line. */
function coarseMap(path: string): string {
  const map = JSON.stringify({ version: 3, sources: [basename(path)], mappings: 'AAAA' });
  return `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
}

/** Lines are mapped in our own files only, packages by file: the map of their lines would be larger than all code. */
export const packages: Plugin = {
  name: 'packages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const [, trim = (whole: string) => whole] = trimmed.find(([file]) => file.test(path)) ?? [];
      return { contents: trim(source) + coarseMap(path), loader: 'js' };
    });
  },
};

/** Makes a schema, or a part of one. */
const schemaCall = /(?<![\w.])(v\.(?!parse\(|safeParse\(|assert\(|is\()\w+|object|record|nullable|listOf)\(/g;

/** One entry of a family's table of routes. */
const routeEntry = /^ {2}'([\w-]+)': \{$.*?^ {2}\},$/gms;

/**
 * Leaves out schemas that the function does not use. They are made by calls at the top of our modules, which the bundler has
 * to be told are free of effects; and a family's table has all of its routes, of which the function needs its own.
 */
export function ownModules(operation: string): Plugin {
  return {
    name: 'own-modules',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]lib[\\/]routes[\\/]request-lines\.ts$/ }, () => ({
        contents: `export const requestLines = ${JSON.stringify(requestLines)};`,
        loader: 'js',
      }));
      onLoad({ filter: /[\\/]lib[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const isOfFamily = source.includes(`\n  '${operation}': {\n`);
        // With as many lines as before, for the source map.
        const blank = (entry: string, name: string) => (name === operation ? entry : entry.replace(/.+/g, ''));
        const contents = isOfFamily ? source.replace(routeEntry, blank) : source;
        return { contents: contents.replace(schemaCall, '/* @__PURE__ */ $&'), loader: 'ts' };
      });
    },
  };
}
