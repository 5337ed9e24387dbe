import { describe, expect, test } from 'vitest';
import { hasTooManyParts, maxJsonParts } from '../../../lib/http/json-parts.ts';

const list = (piece: string, length: number) => `[${Array(length).fill(piece).join(',')}]`;

describe('JSON has too many lists and objects', () => {
  test.each([
    ['with one more than it may have', list('{}', maxJsonParts), true],
    ['with as many as it may have', list('[]', maxJsonParts - 1), false],
    ['in texts, where they are none', list('"{[\\"{["', maxJsonParts / 2), false],
    ['behind texts', `{"a":"\\\\","b":${list('{"c":"}"}', maxJsonParts)}}`, true],
    ['that nobody closes', '['.repeat(maxJsonParts + 1), true],
    ['behind a text that nobody closes', `"${'{'.repeat(maxJsonParts + 1)}`, false],
  ])('%s', (_, json, isTooMuch) => {
    expect(hasTooManyParts(json)).toBe(isTooMuch);
  });
});
