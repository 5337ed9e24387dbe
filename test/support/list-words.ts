import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { commentsIn, faultsOfWords, textsIn } from './words.ts';

/** Lists what the word list finds below the paths that it is called with: `npm run words -- lib/kit functions`. */

const root = join(import.meta.dirname, '../..');

export function sourcesBelow(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(path, name.replaceAll('\\', '/')))
    .sort();
}

/** Returns the faults of a source: of its comments, and of the texts that it says. */
export function faultsOfSource(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8');
  return [
    ...commentsIn(path, source).flatMap((one) => faultsOfWords(one, { isComment: true })),
    ...textsIn(path, source).flatMap((one) => faultsOfWords(one, { isComment: false })),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const faults = process.argv.slice(2).flatMap(sourcesBelow).flatMap(faultsOfSource);
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(`${faults.length} faults\n`);
}
