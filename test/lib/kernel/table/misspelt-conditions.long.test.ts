import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources, withCopy } from '../../../mutations/tree.ts';
import { seeded } from '../../../support/seeded.ts';

/** `MISSPELT_SEED` draws the same conditions again. The name of the test has the seed. */
const seed = Number(process.env.MISSPELT_SEED ?? randomInt(1_000_000));
const drawn = 10;

/** Conditions in these files have any attribute, because their items are of any kind. */
const unchecked = new Map([
  ['lib/addons/upkeep/erasure/erase-records.ts', 'erases fields from records of several kinds'],
  ['lib/addons/upkeep/retention/old-records.ts', 'removes records of several kinds'],
  ['lib/engine/checkout/rollbacks/rollback-effects.ts', 'subtracts from items of several kinds'],
]);

const literal = /\.(?:whenStill|whenAtMost|whenAtLeast|whenBelow|whenHas|whenUnsetOr)\(\s*'[^']+(?=')/g;

interface Place {
  readonly path: string;
  /** The index of the quote after the attribute. */
  readonly end: number;
  readonly line: number;
}

function findConditions(path: string, source: string): Place[] {
  return [...source.matchAll(literal)].map(({ 0: text, index }) => {
    const end = index + text.length;
    return { path, end, line: source.slice(0, end).split('\n').length };
  });
}

const lineOf = ({ path, line }: Place) => `${path}:${line}`;

/** Draws places on different lines. */
function draw(places: readonly Place[]): Place[] {
  const left = [...new Map(places.map((place) => [lineOf(place), place])).values()];
  const below = seeded(seed);
  return Array.from({ length: drawn }, () => left.splice(below(left.length), 1)).flat();
}

/** Returns the lines on which the compiler finds errors. */
function compile(folder: string): Promise<Set<string>> {
  const compiler = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, '--pretty', 'false'],
      { cwd: folder, maxBuffer: 16 * 1024 ** 2 },
      (_, output) =>
        resolve(
          new Set(Array.from(output.matchAll(/^(\S+)\((\d+),\d+\): error/gm), ([, path, line]) => `${path}:${line}`)),
        ),
    );
  });
}

test(`ten conditions with a misspelt attribute do not compile (seed ${seed})`, async () => {
  const sources = [...(await readSources())].filter(([path]) => path.startsWith('lib/'));
  const conditions = sources.flatMap(([path, source]) => findConditions(path, source));
  const open = new Set(conditions.map(({ path }) => path).filter((path) => unchecked.has(path)));
  expect([...open].sort()).toEqual([...unchecked.keys()].sort());
  const misspelt = draw(conditions.filter(({ path }) => !unchecked.has(path)));

  const errors = await withCopy(async (folder) => {
    for (const [path, places] of Map.groupBy(misspelt, (place) => place.path)) {
      const file = join(folder, path);
      const source = await readFile(file, 'utf8');
      const lastFirst = places.toSorted((one, other) => other.end - one.end);
      await writeFile(
        file,
        lastFirst.reduce((text, { end }) => `${text.slice(0, end)}xq${text.slice(end)}`, source),
      );
    }
    return compile(folder);
  });

  expect([...errors].sort()).toEqual(misspelt.map(lineOf).sort());
});
