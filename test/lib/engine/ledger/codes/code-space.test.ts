import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCodeSpace, type CodeConfig, createKeyedOrder, drawCodes } from '#engine/ledger/codes/code-space.ts';

function spaceOf(config: CodeConfig) {
  const outcome = buildCodeSpace(config);
  if ('faults' in outcome) throw new Error(outcome.faults.join());
  return outcome.space;
}

describe('a code configuration', () => {
  test.each<[CodeConfig, bigint]>([
    [{}, 62n ** 8n],
    [{ length: 3, charset: '01' }, 8n],
    [{ length: 20, pattern: 'A-##', charset: 'abc' }, 9n],
    [{ pattern: '####', charset: 'aab' }, 16n],
    [{ length: 2, charset: '😀😁' }, 4n],
    [{ length: 64 }, 62n ** 64n],
  ])('%j yields this many codes', (config, capacity) => {
    expect(spaceOf(config).capacity).toBe(capacity);
  });

  test('puts prefix and postfix around the pattern, and draws each # from the charset', () => {
    const space = spaceOf({ pattern: 'X##-#', charset: 'ab', prefix: 'pre-', postfix: '-post' });
    const codes = Array.from({ length: Number(space.capacity) }, (_, index) => space.codeAt(BigInt(index)));
    expect(new Set(codes).size).toBe(8);
    for (const code of codes) expect(code).toMatch(/^pre-X[ab][ab]-[ab]-post$/);
  });

  test.each<[string, CodeConfig, string]>([
    ['an empty charset', { charset: '' }, 'charset'],
    ['a pattern without #', { pattern: 'ABC' }, 'pattern'],
    ['65 generated characters', { length: 65 }, '64'],
    ['a length of 2^53', { length: 2 ** 53 }, '64'],
    ['a long prefix', { prefix: 'é'.repeat(250) }, '500 bytes'],
    [
      'a prefix and a pattern that are long together',
      { prefix: 'x'.repeat(150), pattern: '#'.repeat(10) + 'y'.repeat(141) },
      '300 characters',
    ],
  ])('is refused with %s', (_, config, named) => {
    expect(buildCodeSpace(config)).toEqual({ faults: [expect.stringContaining(named)] });
  });
});

test('a permutation meets every number below its capacity once, and differs from key to key', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3_000 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (capacity, seed) => {
        const places = Array.from({ length: capacity }, (_, index) => BigInt(index));
        const images = createKeyedOrder(Buffer.from(seed), BigInt(capacity))(places).map(Number);
        expect(new Set(images).size).toBe(capacity);
        expect(Math.max(...images)).toBeLessThan(capacity);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([2n ** 20n, 2n ** 40n - 87n, 2n ** 64n, 62n ** 30n, 1000n ** 64n])(
  'an order below %s reveals nothing about an order under another key, and stays below it',
  (capacity) => {
    const places = Array.from({ length: 500 }, (_, index) => BigInt(index));
    const [one, other] = [
      createKeyedOrder(randomBytes(32), capacity)(places),
      createKeyedOrder(randomBytes(32), capacity)(places),
    ];
    expect(new Set(one).size).toBe(500);
    expect(one.filter((number, index) => number === other[index]).length).toBeLessThan(3);
    for (const number of one) expect(number < capacity).toBe(true);
    const above = one.filter((number) => number >= capacity / 2n).length;
    expect(above).toBeGreaterThan(180);
    expect(above).toBeLessThan(320);
  },
);

test('an order is the same for places computed one by one or together', () => {
  const key = randomBytes(32);
  const places = Array.from({ length: 50 }, (_, index) => BigInt(index * 3));
  const order = createKeyedOrder(key, 62n ** 8n);
  expect(places.flatMap((place) => order([place]))).toEqual(order(places));
});

test('the chunks of a campaign have different beginnings of codes, and each can reach every spare code', () => {
  const space = spaceOf({ pattern: '####', charset: '0123456789' });
  const key = randomBytes(32);
  const plan = { total: 4_000, chunks: 4 };
  const draws = Array.from({ length: 4 }, (_, index) => [
    ...drawCodes(space, key, { ...plan, index, first: index * 1_000, count: 1_000 }),
  ]);
  const primary = draws.flatMap((codes) => codes.slice(0, 1_000));
  expect(new Set(primary).size).toBe(4_000);
  for (const codes of draws) {
    expect(new Set(codes).size).toBe(7_000);
    for (const code of codes.slice(1_000, 1_010)) expect(primary).not.toContain(code);
  }
  expect(new Set(draws.map((codes) => codes[1_000])).size).toBe(4);
});

test('the same chunk draws the same codes at every run', () => {
  const key = randomBytes(32);
  const place = { total: 100, chunks: 1, index: 0, first: 0, count: 100 };
  const draw = () => {
    const draws = drawCodes(spaceOf({ length: 12 }), key, place);
    return Array.from({ length: 300 }, () => draws.next().value);
  };
  expect(draw()).toEqual(draw());
});
