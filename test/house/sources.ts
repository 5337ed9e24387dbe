import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Reads the source, and what imports what. */

const root = join(import.meta.dirname, '..', '..');

export interface Source {
  /** A path from the root, with slashes. */
  path: string;
  text: string;
  lines: number;
}

export function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const path = posix.join(folder, name.replaceAll('\\', '/'));
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, lines: text.trimEnd().split('\n').length };
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

export const house = ['lib', 'functions', 'infra', 'console'].flatMap(sourcesIn);
export const tests = sourcesIn('test');

/** Returns the file of an import: `#` is lib. */
export function resolve(path: string, target: string): string {
  return target.startsWith('#') ? `lib/${target.slice(1)}` : posix.join(posix.dirname(path), target);
}

/** Returns the project's files that a file imports, types included. */
export function importsOf({ path, text }: Source): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*['"]((?:\.{1,2}\/|#)[^'"]+\.tsx?)['"]/g)].map(
    ([, target = '']) => resolve(path, target),
  );
}

/** Returns the project's files that a file needs when it runs. */
export function valuesOf({ path, text }: Source): string[] {
  const imports = /^(?:import|export) (?!type )([^;]*?) ?from '((?:\.{1,2}\/|#)[^']+\.tsx?)';/gm;
  return [...text.matchAll(imports)].flatMap(([, names = '', target = '']) => {
    const isOnlyTypes = /^\{\s*type \w+(?:,\s*type \w+)*,?\s*\}$/.test(names);
    return isOnlyTypes ? [] : [resolve(path, target)];
  });
}

/**
 * Returns the room of a file of lib, or the folder below functions or infra. A file directly in one of them is a
 * separate room.
 */
export function roomOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('lib/') ? 3 : 2)
    .join('/');
}

/** Returns nodes of the house, or of some of its files, that reach each other. */
export function circlesOf(nodeOf: (path: string) => string, sources: readonly Source[] = house): string[] {
  const graph = new Map<string, Set<string>>();
  for (const source of sources) {
    const targets = graph.get(nodeOf(source.path)) ?? new Set();
    for (const target of importsOf(source)) if (nodeOf(target) !== nodeOf(source.path)) targets.add(nodeOf(target));
    graph.set(nodeOf(source.path), targets);
  }
  const reached = new Map([...graph.keys()].map((node) => [node, reachedFrom(node, graph)]));
  const circles = [...graph.keys()].map((node) =>
    [...(reached.get(node) ?? [])].filter((other) => reached.get(other)?.has(node)).sort(),
  );
  return [...new Set(circles.filter(({ length }) => length > 0).map((circle) => circle.join(' <-> ')))].sort();
}

export function reachedFrom(start: string, graph: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}
