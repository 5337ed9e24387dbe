import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { accepted } from './accepted.ts';
import { conditionsIn, type Found, marked, without } from './conditions.ts';
import { importersIn, type Sources, testsOf } from './imports.ts';
import { noteTo } from './reached.ts';
import { runTests, type TestFile } from './run-tests.ts';

export interface Condition extends Found {
  readonly id: number;
  readonly path: string;
}

export interface Fate {
  /** Says `not reached` if no test runs it. */
  readonly end: 'killed' | 'survived' | 'accepted' | 'not reached';
  readonly why: string;
}

const houses = ['lib/', 'functions/', 'infra/'];

/** Finds the conditions of all files with this beginning of the path. */
export function conditionsOf(
  sources: Sources,
  only: readonly string[],
  kinds: { readonly operators?: boolean } = {},
): Condition[] {
  const chosen = [...sources].filter(
    ([path]) =>
      houses.some((house) => path.startsWith(house)) && (only.length === 0 || only.some((one) => path.startsWith(one))),
  );
  const all = chosen.flatMap(([path, text]) => conditionsIn(text, kinds).map((found) => ({ ...found, path })));
  return all.map((found, index) => ({ ...found, id: index + 1 }));
}

export function acceptedFor({ path, text }: Pick<Condition, 'path' | 'text'>): string | undefined {
  return accepted.find(({ file, condition }) => path.endsWith(`/${file}`) && condition === text)?.reason;
}

/** Chooses the nearest test files of a source, or all files with a beginning in `named`. */
export function chooseTests(sources: Sources, most: number, named: readonly string[] = []) {
  const importers = importersIn(sources);
  return (path: string): readonly string[] => {
    const all = testsOf(path, importers);
    return named.length > 0 ? all.filter((one) => named.some((name) => one.startsWith(name))) : all.slice(0, most);
  };
}

export interface Reached {
  /** Tests that pass with all conditions. */
  readonly tests: readonly TestFile[];
  /** Tests that fail with all conditions, and prove nothing. */
  readonly failing: readonly TestFile[];
  readonly of: (condition: Condition) => readonly TestFile[];
}

/**
 * Runs the tests once with every condition marked. Returns the passing tests, their time, and the conditions that they
 * reach.
 */
export async function findReached(
  folder: string,
  sources: Sources,
  conditions: readonly Condition[],
  testsOfFile: (path: string) => readonly string[],
): Promise<Reached> {
  const paths = new Set(conditions.map(({ path }) => path));
  const files = [...new Set([...paths].flatMap(testsOfFile))];
  await mkdir(join(folder, '.dist'), { recursive: true });
  const notes = join(folder, '.dist', 'reached.txt');
  await writeFile(notes, '');
  for (const path of paths) {
    const from = posix.relative(posix.dirname(path), 'test/mutations/reached.ts');
    const own = conditions.filter((one) => one.path === path);
    await writeFile(join(folder, path), marked(sources.get(path) ?? '', own, from));
  }
  const hourInMs = 3_600_000;
  const run = { files, stopsAtFailure: false, limitInMs: hourInMs, env: { [noteTo]: notes } };
  const all = (await runTests(folder, run)) ?? [];
  const tests = all.filter(({ isPassed }) => isPassed);
  const failing = all.filter(({ isPassed }) => !isPassed);
  for (const path of paths) await writeFile(join(folder, path), sources.get(path) ?? '');
  const reached = new Map<number, Set<string>>();
  for (const line of (await readFile(notes, 'utf8')).split('\n')) {
    const [id, path = ''] = line.split('\t');
    const ofId = reached.get(Number(id)) ?? new Set();
    reached.set(Number(id), ofId.add(relative(folder, path).split(sep).join('/')));
  }
  const byTime = tests.toSorted((one, other) => one.tookInMs - other.tookInMs);
  const reaches = ({ id, path: source, marked: mark }: Condition, path: string) =>
    mark ? reached.get(id)?.has(path) : testsOfFile(source).includes(path);
  return { tests, failing, of: (condition) => byTime.filter(({ path }) => reaches(condition, path)) };
}

/** Removes the condition in the copy, and runs the tests that reach it, the quickest first, until one fails. */
export async function fateOf(
  folder: string,
  sources: Sources,
  condition: Condition,
  tests: readonly TestFile[],
): Promise<Fate> {
  const reason = acceptedFor(condition);
  if (reason !== undefined) return { end: 'accepted', why: reason };
  if (tests.length === 0) return { end: 'not reached', why: 'of the tests that were chosen' };
  const text = sources.get(condition.path) ?? '';
  const place = join(folder, condition.path);
  await writeFile(place, without(text, condition));
  try {
    const limitInMs = 60_000 + 5 * tests.reduce((sum, { tookInMs }) => sum + tookInMs, 0);
    const files = tests.map(({ path }) => path);
    const outcome = await runTests(folder, { files, stopsAtFailure: true, limitInMs });
    if (!outcome) return { end: 'killed', why: 'tests no longer end' };
    // After the first failure vitest does not run other files, and also calls them failed.
    const failed = outcome.find((one) => one.failed !== undefined) ?? outcome.find(({ isPassed }) => !isPassed);
    if (!failed) return { end: 'survived', why: `${tests.length} test files` };
    return { end: 'killed', why: `${failed.path}: ${failed.failed ?? 'it could not be run'}` };
  } finally {
    await writeFile(place, text);
  }
}
