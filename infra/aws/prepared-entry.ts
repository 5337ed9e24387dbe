import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { operations } from '../operations.ts';
import { functionNameOf, sharedPathOf } from './shared-families.ts';

const projectDir = join(import.meta.dirname, '..', '..');

const prepared = 'prepared:';

const pathInProject = (file: string) => `./${relative(projectDir, file).replaceAll('\\', '/')}`;

/**
 * Returns the entry of an operation's bundle, named by its path from the project's folder. Bundles then depend on no
 * machine.
 */
export function findEntry(file: string): string {
  return `${prepared}${pathInProject(file)}`;
}

const shared = 'shared:';

/** Maps each function of operations to its entry. */
export const operationEntries: Readonly<Record<string, string>> = Object.fromEntries(
  operations.map((one) => [
    functionNameOf(one),
    sharedPathOf(one.family) === undefined ? findEntry(one.file) : `${shared}${one.family}`,
  ]),
);

/** Returns a module that imports the code of an operation with its first call, and opens the table's connection at its start. */
function writeSharedModule(family: string): string {
  const lines = operations
    .filter((one) => one.family === family)
    .map(({ file, addOn, route: { method, path } }) => {
      const code = JSON.stringify(pathInProject(file));
      return `{ ...${JSON.stringify({ method, path, addOn })}, load: () => import(${code}) },`;
    });
  return [
    `import { createSharedHandler } from './infra/aws/shared-handler.ts';`,
    `import { leftOutIn, withoutLeftOut } from './infra/left-out.ts';`,
    `import { connectEarly } from './lib/kernel/http/warm-up.ts';`,
    ...['const lines = [', ...lines, '];'],
    'export const handler = createSharedHandler(withoutLeftOut(lines, leftOutIn(process.env)));',
    'await connectEarly(process.env);',
  ].join('\n');
}

/** Prepares functions while they start. Lambda waits for a start, and gives it a whole core. */
export const preparing: Plugin = {
  name: 'preparing',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^prepared:/ }, ({ path }) => ({ path: path.slice(prepared.length), namespace: 'prepared' }));
    onLoad({ filter: /.*/, namespace: 'prepared' }, ({ path }) => ({
      contents: [
        `import { handler } from ${JSON.stringify(path)};`,
        `import { warmUp } from './lib/kernel/http/warm-up.ts';`,
        'await warmUp(handler, process.env);',
        'export { handler };',
      ].join('\n'),
      resolveDir: projectDir,
    }));
    onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice(shared.length), namespace: 'shared' }));
    onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
      contents: writeSharedModule(path),
      resolveDir: projectDir,
    }));
  },
};
