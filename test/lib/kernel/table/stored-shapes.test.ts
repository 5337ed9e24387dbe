import { describe, expect, test } from 'vitest';
import released from '../../../support/released-shapes.json' with { type: 'json' };
import { differencesIn, type Shape, storedShapes } from '../../../support/stored-shapes.ts';

const today = await storedShapes();

const before = released.shapes as unknown as Readonly<Record<string, Shape>>;

test("this release and the previous one read each other's items: docs/contributing.md#shapes", () => {
  const names = Object.keys(before).filter((name) => name in today);
  expect(names.length).toBeGreaterThan(30);
  expect(names.flatMap((name) => differencesIn(before[name] ?? '', today[name] ?? '', name))).toEqual([]);
});

test('every kind that the previous release stored is read today', () => {
  const kindOf = (name: string) => name.split(' ')[0];
  const read = Object.keys(today).map(kindOf);
  expect(Object.keys(before).filter((name) => !read.includes(kindOf(name)))).toEqual([]);
});

describe('a comparison reports', () => {
  const shape = (fields: Record<string, boolean>, type = 'object'): Shape => ({
    type,
    fields: Object.fromEntries(Object.entries(fields).map(([name, required]) => [name, { required, shape: 'string' }])),
  });
  const stored = shape({ code: true, note: false });

  test.each([
    ['no new optional field', shape({ code: true, note: false, more: false }), []],
    ['no removed optional field', shape({ code: true }), []],
    ['a new required field', shape({ code: true, note: false, more: true }), ['more is new and required']],
    ['a removed required field', shape({ note: false }), ['code is missing']],
    ['a field that becomes required', shape({ code: true, note: true }), ['note is required now']],
    ['a field that becomes optional', shape({ code: false, note: false }), ['code is optional now']],
    ['another type', 'number', ['has another type']],
  ])('%s', (_, now, found) => {
    expect(differencesIn(stored, now, 'VOUCHER')).toEqual(found.map((one) => expect.stringContaining(one)));
  });

  test('a word that the previous release does not know, and a field that it refuses', () => {
    const states = (...of: string[]): Shape => ({ type: 'picklist', of });
    expect(differencesIn(states('A'), states('A', 'B'), 'JOB')).toEqual(['JOB has another type']);
    const strict = shape({ code: true }, 'strict_object');
    expect(differencesIn(strict, shape({ code: true, note: false }, 'strict_object'), 'JOB')[0]).toContain('refuses');
  });
});
