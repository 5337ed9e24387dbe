import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = ['.', 'docs', 'docs/decisions', 'console'].flatMap(markdownIn);

function markdownIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/** Drops code, because a bracket in an example is not a link. */
function prose(page: string): string {
  return readFileSync(join(root, page), 'utf8')
    .replaceAll(/```.*?```/gs, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''));
}

/** Returns the names that a link to the page may end with: its own ids, and GitHub's ids of headings. */
function anchorsOf(page: string): Set<string> {
  const text = prose(page);
  const own = [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...own, ...headings]);
}

function isDead(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(target).has(anchor);
}

test.each(pages)('%s links to pages and anchors that exist', (page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const relative = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(relative.filter((link) => isDead(page, link))).toEqual([]);
});

test('an anchor is the name of one place in its page', () => {
  for (const page of pages) {
    const ids = [...prose(page).matchAll(/<a id="([\w-]+)">/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  }
});

test('the index of the interface links to every page that has rules', () => {
  const others = [
    'contributing',
    'costs',
    'decisions',
    'emulator',
    'glossary',
    'go-live',
    'interface',
    'measured',
    'migrate',
    'operations',
    'personal-data',
    'redeem',
    'walk',
  ];
  const index = prose(join('docs', 'interface.md'));
  const rules = markdownIn('docs').filter((page) => !others.some((name) => page === join('docs', `${name}.md`)));
  expect(rules.filter((page) => !index.includes(`(${page.slice('docs/'.length)})`))).toEqual([]);
});

test.each(pages)('%s names files of the house that exist', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const named = [...text.matchAll(/`((?:lib|functions|infra|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** Returns the decisions of the index: each number with its page and its state. */
function decisionsOfIndex(): { number: string; page: string; state: string }[] {
  const index = readFileSync(join(root, 'docs', 'decisions.md'), 'utf8');
  const row = /^\| <a id="d-\d{3}"><\/a>\[(D-\d{3})\]\(decisions\/([\w-]+\.md)#d-\d{3}\) \|.*\| (.*) \|$/gm;
  return [...index.matchAll(row)].map(([, number = '', page = '', state = '']) => ({
    number,
    page,
    state: state.replace(/\[(D-\d{3})\].*/, '$1'),
  }));
}

/** Returns the decisions of the subjects' pages. Decisions that share a text are several. */
function decisionsOfSubjects(): { number: string; page: string; state: string }[] {
  return readdirSync(join(root, 'docs', 'decisions')).flatMap((page) => {
    const text = readFileSync(join(root, 'docs', 'decisions', page), 'utf8');
    const heading = /^##+ ((?:D-\d{3},? )+).*\n\n\*\*(Holds|Replaced by \[(D-\d{3})\].*?)\*\* · \d{4}-/gm;
    return [...text.matchAll(heading)].flatMap(([, numbers = '', , replacing]) =>
      (numbers.match(/D-\d{3}/g) ?? []).map((number) => ({
        number,
        page,
        state: replacing ? `replaced by ${replacing}` : 'holds',
      })),
    );
  });
}

test('decisions are numbered without a gap, and the index says where each is and whether it holds', () => {
  const indexed = decisionsOfIndex();
  expect(indexed.map(({ number }) => number)).toEqual(
    indexed.map((_, index) => `D-${String(index + 1).padStart(3, '0')}`),
  );
  expect(indexed.length).toBeGreaterThanOrEqual(196);
  expect(decisionsOfSubjects().sort((one, other) => (one.number < other.number ? -1 : 1))).toEqual(indexed);
});

test('comments cite decisions that exist and hold', () => {
  const holding = new Set(decisionsOfIndex().flatMap(({ number, state }) => (state === 'holds' ? [number] : [])));
  const sources = ['lib', 'functions', 'infra', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  const cited = sources.flatMap((text) => text.match(/\bD-\d{3}\b/g) ?? []);
  expect(cited.filter((number) => !holding.has(number))).toEqual([]);
});

// The guide of the console adds a screen as an example.
const guides = pages.filter((page) => !page.startsWith('console'));

test.each(guides)('%s names short paths of files that exist', (page) => {
  const ends = ['lib', 'functions', 'infra', 'console', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `/${folder}/${path}`),
  );
  const text = readFileSync(join(root, page), 'utf8');
  const named = [...text.matchAll(/`([\w-][\w./-]*\.tsx?)`/g)].map(([, path = '']) => path);
  expect(named.filter((path) => !ends.some((end) => end.endsWith(`/${path}`)))).toEqual([]);
});
