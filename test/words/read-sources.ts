import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { commentsIn, faultsOfWords, type Spoken, textsIn } from './word-list.ts';

const root = join(import.meta.dirname, '../..');

function filesBelow(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|md)$/.test(name))
    .map((name) => posix.join(path, name.replaceAll('\\', '/')))
    .sort();
}

/** Returns the paragraphs, list entries and cells of a page. Code is left out. */
function proseIn(path: string, page: string): Spoken[] {
  const plain = page.replace(/^```[\s\S]*?^```$/gm, (code) => code.replace(/[^\n]/g, ''));
  const lines = plain.split('\n');
  return lines.flatMap((line, index) =>
    line
      .split(/(?<!\\)\|/)
      .map((cell) => ({
        place: `${path}:${index + 1}`,
        text: cell.replace(/<[^>]+>|^\s*(?:[-*#>]|\d+\.)+\s*/g, '').trim(),
      }))
      .filter(({ text }) => text.length > 0),
  );
}

/** Returns the faults of a file: of its comments and texts, or of a page's prose. */
function faultsOfFile(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8');
  if (path.endsWith('.md')) return proseIn(path, source).flatMap((one) => faultsOfWords(one, { isComment: false }));
  return [
    ...commentsIn(path, source).flatMap((one) => faultsOfWords(one, { isComment: true })),
    ...textsIn(path, source).flatMap((one) => faultsOfWords(one, { isComment: false })),
  ];
}

/** Returns the faults of all files below the paths, which are relative to the project's folder. */
export function faultsBelow(paths: readonly string[]): string[] {
  return paths.flatMap(filesBelow).flatMap(faultsOfFile);
}
