import { describe, expect, test } from 'vitest';
import { faultsBelow } from './read-sources.ts';
import { commentsIn, faultsOfWords, sentencesIn, textsIn } from './word-list.ts';

describe('the words of the project are plain:', () => {
  test.each(['lib', 'functions', 'infra', 'console', 'test'])('comments and texts below %s have no fault', (folder) => {
    // This file names faults on purpose.
    expect(faultsBelow([folder]).filter((fault) => !fault.startsWith('test/words/words.test.ts'))).toEqual([]);
  });

  test('pages have no fault', () => {
    // The glossary names the words that it forbids.
    const faults = faultsBelow(['docs', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']);
    expect(faults.filter((fault) => !fault.startsWith('docs/glossary.md'))).toEqual([]);
  });
});

describe('the word list', () => {
  const faultOf = (text: string) => faultsOfWords({ place: 'a.ts:1', text }, { isComment: true });

  test.each([
    ['Of which ids nothing exists.', 'begins with a fragment word: Of'],
    ['Returns the item if it is there.', 'says "is there" for exists: is there'],
    ['Keeps the sum of it.', 'says "of it" for a noun: of it'],
    ['Lets whoever calls wait.', 'uses who for a role: whoever'],
    ['Leaves the item as it is.', 'says "as it is": as it is'],
  ])('finds a fault in: %s', (text, fault) => {
    expect(faultOf(text)).toEqual([`a.ts:1 ${fault}`]);
  });

  test('finds a sentence of more than 25 words, and accepts one of 25', () => {
    const words = (count: number) => `${['Returns', ...Array(count - 1).fill('word')].join(' ')}.`;
    expect([faultOf(words(25)), faultOf(words(26)).length]).toEqual([[], 1]);
  });

  test('accepts plain words, code and quotations', () => {
    expect(faultOf('Returns the item, or `undefined` if it is missing. The reply says "is there".')).toEqual([]);
  });

  test('reads comments, and no text that looks like one', () => {
    const source =
      "/** Reads. */\nconst address = 'https://a.example'; // Keeps it.\n// Goes on.\nconst pattern = /\\/\\*/;\n";
    expect(commentsIn('a.ts', source).map(({ place, text }) => [place, text])).toEqual([
      ['a.ts:1', 'Reads.'],
      ['a.ts:2', 'Keeps it.\nGoes on.'],
    ]);
  });

  test('reads texts of at least four words', () => {
    const source = [
      'fail("the card has no points left");',
      'take("a b");',
      'say(`the code $',
      '{code} is in use`);',
    ].join('');
    expect(textsIn('a.ts', source).map(({ text }) => text)).toEqual([
      'the card has no points left',
      'the code value is in use',
    ]);
  });

  test('a number with a point ends no sentence', () => {
    expect(sentencesIn('It takes 1.5 s. Then it ends.')).toEqual(['It takes 1.5 s.', 'Then it ends.']);
  });
});
