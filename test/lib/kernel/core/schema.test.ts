import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { describeIssues } from '#kernel/core/issues.ts';
import {
  array,
  code,
  date,
  dateTime,
  duration,
  identifier,
  longText,
  metadata,
  object,
  record,
  sentMetadata,
} from '#kernel/core/schema.ts';

const accepts = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success;

describe('a date and time', () => {
  test.each([
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04Z', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T00:30:00+01:00', '2026-01-01T23:30:00.000Z'],
    ['2026-01-02T00:30:00-0130', '2026-01-02T02:00:00.000Z'],
    ['2026-01-02T00:30:00+02', '2026-01-01T22:30:00.000Z'],
    ['2026-01-31T24:00:00Z', '2026-02-01T00:00:00.000Z'],
    ['2026-12-31T24:00-05', '2027-01-01T05:00:00.000Z'],
    ['2024-02-29T00:00:00.123456789Z', '2024-02-29T00:00:00.123Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s is shown as %s, and read again as itself', (sent, shown) => {
    expect(v.parse(dateTime, sent)).toBe(shown);
    expect(v.parse(dateTime, shown)).toBe(shown);
  });

  test.each([
    '2026-01-02T03:04:05',
    '2026-01-02',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:01Z',
    '2026-01-01T24:00:00.1Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00+2',
    '9999-12-31T24:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01 00:00:00Z',
    '9999-12-31T23:59:59-05:00',
    '0000-01-01T00:00:00+05:00',
    'now',
    '',
    5,
    null,
  ])('%j is refused', (sent) => {
    expect(accepts(dateTime, sent)).toBe(false);
  });
});

test.each([
  ['2026-12-31', true],
  ['2026-02-30', false],
  ['31-12-2026', false],
])('%s as a date: %s', (text, fits) => {
  expect(accepts(date, text)).toBe(fits);
});

test.each([
  ...[
    'P1Y',
    'P2M',
    'P3W',
    'P4D',
    'PT5H',
    'PT6M',
    'PT7S',
    'PT0.5S',
    'PT1.5H',
    'P0,5W',
    'P1DT1.5M',
    'P1Y2M3DT4H5M6S',
    'P1DT12H',
  ].map((text) => [text, true]),
  ...[
    '',
    'P',
    'PT',
    'P1',
    '1D',
    'P1DT',
    'P1W2D',
    'P-1D',
    'P1.5DT1H',
    'PT1.H',
    'P1.5',
    'P1234567890D',
    'p1d',
    'P1D ',
  ].map((text) => [text, false]),
] as [string, boolean][])('%j as a duration: %s', (text, fits) => {
  expect(accepts(duration, text)).toBe(fits);
});

test.each([
  ['a', true],
  ['é'.repeat(300), true],
  ['🎟'.repeat(300), true],
  ['🎟'.repeat(301), false],
  ['x'.repeat(301), false],
  ['', false],
  ['\ud83d', false],
])('an identifier fits its kind or not (%#)', (text, fits) => {
  expect(accepts(identifier, text)).toBe(fits);
});

test.each([
  [code, 'x'.repeat(300), true],
  [code, 'é'.repeat(250), true],
  [code, 'é'.repeat(251), false],
  [longText, '🎟'.repeat(5_000), true],
  [longText, 'x'.repeat(5_001), false],
  [longText, '\ud83d', false],
  [sentMetadata, { a: 'x'.repeat(50 * 1024 - 8) }, true],
  [sentMetadata, { a: 'x'.repeat(50 * 1024 - 7) }, false],
  [sentMetadata, { a: 'é'.repeat(25 * 1024) }, false],
  [sentMetadata, JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), false],
])('a length fits or not (%#)', (schema: v.GenericSchema, value: unknown, fits) => {
  expect(accepts(schema, value)).toBe(fits);
});

test('an array is not an object', () => {
  for (const schema of [object({}), record(v.unknown()), metadata]) {
    expect(accepts(schema, {})).toBe(true);
    expect(accepts(schema, [])).toBe(false);
    expect(accepts(schema, null)).toBe(false);
  }
});

test.each<[string, unknown, boolean]>([
  ['the largest safe number', { n: Number.MAX_SAFE_INTEGER }, true],
  ['a larger one, deep down', { a: [{ n: 2 ** 53 }] }, false],
  ['a tiny one', { n: 1e-200 }, false],
  ['an empty key, deep down', { a: { '': 1 } }, false],
  ['an empty value', { a: '' }, true],
  ['half a character, deep down', { a: ['\ud83d'] }, false],
  ['half a character for a key', { '\ud83d': 1 }, false],
  ['a key of 64 KB', { ['k'.repeat(65_535)]: 1 }, true],
  ['a longer key, deep down', { a: [{ ['é'.repeat(32_768)]: 1 }] }, false],
  ['30 levels', JSON.parse(`{"a":${'['.repeat(29)}${']'.repeat(29)}}`), true],
  ['32 levels', JSON.parse(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`), false],
])('metadata with %s is accepted if DynamoDB can store it, else refused', (_, value, fits) => {
  expect(accepts(metadata, value)).toBe(fits);
});

test('a record accepts keys that are names of object members, and reports faults below them', () => {
  const numbers = record(record(v.number()));
  const value = { constructor: { prototype: 1, toString: 2 }, prototype: { constructor: 3 }, a: {} };
  expect(v.parse(numbers, value)).toEqual(value);
  const { issues = [] } = v.safeParse(numbers, { a: { constructor: 'x' }, prototype: { toString: true }, valueOf: 1 });
  expect(describeIssues(issues, 'it').toSorted()).toEqual([
    'a.constructor must be a number',
    'prototype.toString must be a number',
    'valueOf must be an object',
  ]);
});

test('an array beyond its length is refused without a check of its elements', () => {
  let looked = 0;
  const item = v.custom<number>(() => {
    looked += 1;
    return false;
  });
  const { issues = [] } = v.safeParse(object({ days: array(item, 3, 'days') }), { days: [1, 2, 3, 4] });
  expect([describeIssues(issues, 'it'), looked]).toEqual([['days must have at most 3 days'], 0]);
  expect(v.safeParse(array(item, 3), [1, 2, 3]).issues).toHaveLength(3);
});

test('metadata accepts keys that are names of object members', () => {
  const value = { constructor: 'Ford', prototype: { constructor: 1 } };
  expect(v.parse(metadata, value)).toEqual(value);
});
