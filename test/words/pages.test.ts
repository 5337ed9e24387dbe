import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitPatterns } from './patterns.ts';
import { proseOf } from './word-list.ts';

/** Counts words in pages that read as translated. The glossary names them, and the page of costs is generated. */

const root = join(import.meta.dirname, '../..');

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(?:glossary|costs|interface)\.md$/.test(name))
    .map((name) => join('docs', name)),
];

const prose = pages.map((page) => proseOf(readFileSync(join(root, page), 'utf8').replace(/<[^>]+>/g, ''))).join('\n');

/** The most places of each pattern that pages may have. A count only falls. */
const most = limitPatterns({
  'sentences that begin with "So"': 0,
  '"at once"': 0,
  'nobody, somebody, anybody, everybody': 0,
  '"is no X"': 0,
  'a final "too"': 0,
  'anew, for good, meanwhile, of its own': 0,
  '*takes* for accepts or needs': 1,
  '*one* for a noun': 2,
  'behind, beside': 24,
  'goes, stands, tells, asks': 2,
});

test.each(most)('pages have few places of $name', ({ pattern, most }) => {
  const found = prose.match(pattern) ?? [];
  expect(found.length, found.join(', ')).toBeLessThanOrEqual(most);
});
