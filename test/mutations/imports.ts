import { posix } from 'node:path';

/** Source texts by their paths from the root, with slashes. */
export type Sources = ReadonlyMap<string, string>;

/** Finds the files that an import runs. Types are left out. */
function importsOf(path: string, text: string): string[] {
  const all = text.matchAll(
    /(?:^|[\s;])(?:import|export)\s+(type\s)?[^'"`;]*?['"]((?:\.{1,2}\/|#)[^'"]+\.ts)['"]|\bimport\(\s*['"]((?:\.{1,2}\/|#)[^'"]+\.ts)['"]/g,
  );
  return [...all].flatMap(([, isType, named, called]) => {
    const target = named ?? called;
    if (isType || !target) return [];
    return [target.startsWith('#') ? `lib/${target.slice(1)}` : posix.join(posix.dirname(path), target)];
  });
}

/** Finds the importers of each file. */
export function importersIn(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const target of importsOf(path, text)) importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  return importers;
}

/** Counts the imports that lead to this file from each file that reaches it. */
function distances(path: string, importers: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const far = new Map([[path, 0]]);
  // The walk includes each entry that is added during it.
  for (const [node, steps] of far) {
    for (const importer of importers.get(node) ?? []) if (!far.has(importer)) far.set(importer, steps + 1);
  }
  return far;
}

const wordsOf = (path: string) =>
  path
    .replace(/(\.test)?\.ts$/, '')
    .split(/[/-]/)
    .map((word) => word.replace(/s$/, ''));

/**
 * Lists the tests that may run a file, the likeliest first. Tests that import the file come first. Tests that import an operation which
 * needs it follow, the nearest first. At equal distance, tests with a name like the file or its nearest operations come first.
 */
export function testsOf(path: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  const far = distances(path, importers);
  const operations = [...far].filter(([one]) => one.startsWith('functions/'));
  const nearest = Math.min(...operations.map(([, steps]) => steps));
  const near = operations.filter(([, steps]) => steps <= nearest + 1).map(([one]) => one);
  const words = new Set([path, ...near].flatMap(wordsOf));
  const likeness = (test: string) => wordsOf(test).filter((word) => words.has(word)).length;
  return [...far]
    .filter(([one]) => one.endsWith('.test.ts'))
    .sort(([one, steps], [other, otherSteps]) => steps - otherSteps || likeness(other) - likeness(one))
    .map(([one]) => one);
}
