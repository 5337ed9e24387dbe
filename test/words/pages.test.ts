import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

/** Each pattern with the most places that pages may have. A count only falls. */
const patterns: readonly (readonly [name: string, pattern: RegExp, most: number])[] = [
  ['sentences that begin with "So"', /(?:^|[.:|] |^\s*- )So /gm, 5],
  ['"at once"', /\bat once\b/g, 0],
  ['nobody, somebody, anybody, everybody', /\b(?:nobody|somebody|anybody|everybody|whoever)\b/gi, 0],
  ['"is no X"', /\b(?:is|are) no\b(?! (?:longer|more)\b)/g, 0],
  ['a final "too"', /\btoo[.,;:]/g, 0],
  ['anew, for good, meanwhile, of its own', /\banew\b|\bfor good\b|\bmeanwhile\b|\bof (?:its|their) own\b/gi, 0],
  ['*takes* for accepts or needs', /\btakes?\b(?! (?:back|a block back|a reward back|its history)\b)/gi, 1],
  [
    '*one* for a noun',
    /\b(?:the|that|this|another|other|older|newer|last|next|first|known|stored) ones?\b(?! \w)/gi,
    0,
  ],
];

test.each(patterns)('pages have few places of %s', (_, pattern, most) => {
  const found = prose.match(pattern) ?? [];
  expect(found.length, found.join(', ')).toBeLessThanOrEqual(most);
});
