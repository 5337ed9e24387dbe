import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { borders, circlesOfFolders } from './house/measure.ts';
import {
  circlesOf,
  house,
  importsOf,
  reachedFrom,
  resolve,
  roomOf,
  type Source,
  sourcesIn,
  tests,
  valuesOf,
} from './house/sources.ts';

/** Reads from the source how the house is built. */

/**
 * The rooms of lib by floor, from the bottom to the top. A room imports only from rooms before it, and add-ons do not import each other.
 * A new room is a decision.
 */
const floors = {
  kernel: ['core', 'table', 'access', 'http', 'kit'],
  engine: [
    'holds',
    'rules',
    'ledger',
    'campaigns',
    'vouchers',
    'catalogue',
    'customers',
    'loyalty',
    'publishing',
    'checkout',
  ],
  addons: ['webhooks', 'files', 'reports', 'admin', 'upkeep'],
};
const rooms = Object.entries(floors).flatMap(([floor, names]) => names.map((name) => `lib/${floor}/${name}`));

/** Composes the add-ons, above all rooms. */
const registry = 'lib/registry.ts';

/** An add-on imports another one where a decision says so: erasing a person reaches the deliveries of webhooks (D-197). */
const neighbours = ['lib/addons/upkeep -> lib/addons/webhooks'];

const root = join(import.meta.dirname, '..');

/** Finds a text, as `path:line`. */
function places(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

const others = tests.filter(({ path }) => path !== 'test/rooms.test.ts');

test('no file imports itself through others', () => {
  expect(circlesOf((path) => path)).toEqual([]);
});

test('lib consists of twenty rooms on three floors, and the registry above them', () => {
  const found = sourcesIn('lib').map(({ path }) => roomOf(path));
  expect([...new Set(found)].sort()).toEqual([...rooms, registry].sort());
});

test('a room imports only from rooms below it', () => {
  const height = (path: string) => (path === registry ? rooms.length : rooms.indexOf(roomOf(path)));
  const isAddOn = (path: string) => path.startsWith('lib/addons/');
  const against = sourcesIn('lib').flatMap((source) =>
    importsOf(source)
      .filter((target) => roomOf(target) !== roomOf(source.path))
      .filter(
        (target) =>
          height(target) < 0 || height(target) > height(source.path) || (isAddOn(source.path) && isAddOn(target)),
      )
      .filter((target) => !neighbours.includes(`${roomOf(source.path)} -> ${roomOf(target)}`))
      .map((target) => `${source.path} -> ${target}`),
  );
  expect(against).toEqual([]);
});

/** A reader of the rooms must hold these, for each operation. The numbers only fall. */
const most = { names: 6.72, files: 1.89, forOneFile: 3.46, circles: 0 };

test('no more names cross the borders of rooms for an operation than before', () => {
  const { names, files, forOneFile } = borders();
  const operations = house.filter(({ path }) => path.startsWith('functions/')).length;
  expect(names / operations).toBeLessThanOrEqual(most.names);
  expect(files / operations).toBeLessThanOrEqual(most.files);
  expect(forOneFile / operations).toBeLessThanOrEqual(most.forOneFile);
  expect(circlesOfFolders().length).toBeLessThanOrEqual(most.circles);
});

test('an import by # crosses a border, and one by a path does not', () => {
  const wrong = [...house, ...tests]
    .filter(({ path }) => !path.startsWith('console/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*['"]((?:\.{1,2}\/|#)[^'"]+\.tsx?)['"]/g)]
        .map(([, target = '']) => target)
        .filter((target) => {
          const file = resolve(path, target);
          return target.startsWith('#') !== (file.startsWith('lib/') && roomOf(file) !== roomOf(path));
        })
        .map((target) => `${path}: ${target}`),
    );
  expect(wrong).toEqual([]);
});

/** The means by which holds count. Their room alone knows them (docs/contributing.md#crowds). Vouchers and customers also have tombstones of deletions. */
const meansOfHolds = /block|crowd|rush|recall/i;
const hiddenFrom = ['lib/kernel/http', 'lib/engine/checkout', 'lib/engine/vouchers', 'lib/engine/campaigns'];

/** Returns the names in the code of a source, without its comments and texts. */
function identifiersOf({ text }: Source): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, ' ');
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g))];
}

test('other rooms hold limits through nine doors, and know nothing of the means', () => {
  const doors = /^lib\/engine\/holds\/[\w-]+\.ts$/;
  const entered = house
    .filter(({ path }) => roomOf(path) !== 'lib/engine/holds')
    .flatMap((source) => importsOf(source).filter((target) => roomOf(target) === 'lib/engine/holds'));
  expect(entered.filter((target) => !doors.test(target))).toEqual([]);
  expect(house.filter(({ path }) => doors.test(path)).length).toBeLessThanOrEqual(9);
  const named = hiddenFrom.flatMap(sourcesIn).flatMap((source) =>
    identifiersOf(source)
      .filter((name) => meansOfHolds.test(name) || (/tombstone/i.test(name) && /checkout|http/.test(source.path)))
      .map((name) => `${source.path}: ${name}`),
  );
  expect(named).toEqual([]);
});

/** A redemption is read from here on. The lowest rooms are known to a reader, and no part of a redemption. */
const gathering = 'lib/engine/checkout/request/gather.ts';
const known = ['core', 'table', 'access', 'http'].map((room) => `lib/kernel/${room}`).concat('lib/engine/holds');
const mostGathered = 90;

test('what decides a redemption is read in at most 90 files', () => {
  const graph = new Map(house.map((source) => [source.path, new Set(valuesOf(source))]));
  const gathered = [gathering, ...reachedFrom(gathering, graph)].filter((path) => !known.includes(roomOf(path)));
  expect(gathered.length).toBeLessThanOrEqual(mostGathered);
  expect(gathered.length).toBeGreaterThan(mostGathered / 2);
});

test('functions import lib and the operation that they repeat, and lib and the console nothing but themselves', () => {
  const outside = house.flatMap((source) => {
    const [top] = source.path.split('/');
    const isTwin = source.text.includes('export const handler =') && source.text.includes('.twin({');
    if (top === 'console') return importsOf(source).filter((target) => !/^(console|\.dist)\//.test(target));
    const known = isTwin ? ['lib/', `${posix.dirname(source.path)}/`] : ['lib/'];
    const targets = importsOf(source).filter((target) => !known.some((folder) => target.startsWith(folder)));
    return top === 'infra' ? [] : targets.map((target) => `${source.path} -> ${target}`);
  });
  expect(outside).toEqual([]);
});

test('a file has at most 250 lines, and so has a test', () => {
  // All words of the console are in one file.
  const long = [...house, ...tests].filter(({ lines, path }) => lines > 250 && path !== 'console/words.ts');
  expect(long.map(({ path }) => path)).toEqual([]);
  const components = house.filter(({ path, lines }) => path.startsWith('console/components/') && lines > 200);
  expect(components.map(({ path }) => path)).toEqual([]);
});

test('no file outside of lib/kernel/table names key attributes or indexes', () => {
  const named = /\b(?:pk|sk|gsi\d(?:pk|sk)?)\b/;
  const outside = house.filter(({ path, text }) => roomOf(path) !== 'lib/kernel/table' && named.test(text));
  expect(outside.map(({ path }) => path)).toEqual([]);
});

test('the names of kinds are spelt in one file', () => {
  const spelt = /\b(?:kind|childKind|projectKind|sharedKind)\([^)]*'[A-Z_]+'|\bkind: '[A-Z_]+'/;
  expect(places(house, spelt).filter((place) => !place.startsWith('lib/kernel/table/'))).toEqual([]);
});

test('no two files of lib export the same name', () => {
  const exported = /^export (?:async function\*?|function\*?|const|class|interface|type) (\w+)/gm;
  const filesOf = new Map<string, Set<string>>();
  for (const { path, text } of sourcesIn('lib')) {
    for (const [, name = ''] of text.matchAll(exported)) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(path));
  }
  const twice = [...filesOf].filter(([, files]) => files.size > 1);
  expect(twice.map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([]);
});

test('the source contains no path of one machine', () => {
  const ofMachine = /['"`\s](?:\/(?:home|Users|work|root)\/|[A-Z]:\\)/;
  expect(places([...house, ...others], ofMachine)).toEqual([]);
});

test('comments say the rule, and cite only what the repository has', () => {
  const elsewhere = /\b(?:[Rr]ulings? [A-Z]\b|Contract, ["a-z]|architecture\.md|interface-spec)/;
  const citing = [...house, ...others].filter(({ text }) => elsewhere.test(text));
  expect(citing.map(({ path }) => path)).toEqual([]);
  const anchors = new Set(
    readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((page) => page.endsWith('.md'))
      .flatMap((page) =>
        [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/<a id="([\w-]+)">/g)].map(
          ([, anchor]) => `docs/${page.replaceAll('\\', '/')}#${anchor}`,
        ),
      ),
  );
  const cited = [...house, ...others].flatMap(({ text }) =>
    [...text.matchAll(/docs\/[\w/-]+\.md#[\w-]+/g)].map(([citation]) => citation),
  );
  expect(cited.filter((citation) => !anchors.has(citation))).toEqual([]);
});
