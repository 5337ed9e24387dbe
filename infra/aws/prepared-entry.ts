import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

const projectDir = join(import.meta.dirname, '..', '..');

const prepared = 'prepared:';

/**
 * Returns the entry of an operation's bundle, named by its path from the project's folder. Bundles then depend on no
 * machine.
 */
export function findEntry(file: string): string {
  return `${prepared}./${relative(projectDir, file).replaceAll('\\', '/')}`;
}

/** Prepares an operation's function while it starts. Lambda waits for a start, and gives it a whole core. */
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
  },
};
