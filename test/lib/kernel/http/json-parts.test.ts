import { describe, expect, test } from 'vitest';
import { hasTooManyParts, maxJsonParts } from '#kernel/http/json-parts.ts';

const list = (piece: string, length: number) => `[${Array(length).fill(piece).join(',')}]`;

describe('JSON has too many lists and objects', () => {
  test.each([
    ['with one more than allowed', list('{}', maxJsonParts), true],
    ['with as many as allowed', list('[]', maxJsonParts - 1), false],
    ['in texts, where they do not count', list('"{[\\"{["', maxJsonParts / 2), false],
    ['behind texts', `{"a":"\\\\","b":${list('{"c":"}"}', maxJsonParts)}}`, true],
    ['that nobody closes', '['.repeat(maxJsonParts + 1), true],
    ['behind a text without an end', `"${'{'.repeat(maxJsonParts + 1)}`, false],
  ])('%s', (_, json, isTooMuch) => {
    expect(hasTooManyParts(json)).toBe(isTooMuch);
  });
});
