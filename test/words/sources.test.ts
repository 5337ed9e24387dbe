import { expect, test } from 'vitest';
import { house, tests } from '../house/sources.ts';
import { limitPatterns } from './patterns.ts';
import { commentsIn, proseOf, textsIn } from './word-list.ts';

/**
 * Counts words that read as translated in comments and texts of the product, and in comments of the tests. Names of
 * tests are left out, because they are names of guarantees.
 */

const inHouse = house.flatMap(({ path, text }) => [...commentsIn(path, text), ...textsIn(path, text)]);
const inTests = tests.flatMap(({ path, text }) => commentsIn(path, text));
const spoken = [...inHouse, ...inTests].map(({ place, text }) => ({ place, prose: proseOf(text) }));

/** The most places of each pattern that comments and texts may have. A count only falls. */
const most = limitPatterns({
  'sentences that begin with "So"': 0,
  '"at once"': 0,
  'nobody, somebody, anybody, everybody': 0,
  '"is no X"': 0,
  'a final "too"': 0,
  'anew, for good, meanwhile, of its own': 0,
  '*takes* for accepts or needs': 42,
  '*one* for a noun': 9,
  'behind, beside': 0,
  'goes, stands, tells, asks': 0,
});

test.each(most)('comments and texts have few places of $name', ({ pattern, most }) => {
  const found = spoken.flatMap(({ place, prose }) => (prose.match(pattern) ?? []).map((words) => `${place} ${words}`));
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(most);
});
