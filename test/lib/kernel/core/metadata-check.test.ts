import { describe, expect, test } from 'vitest';
import { compileSchemas } from '#kernel/core/metadata/check.ts';
import type { Definition, MetadataSchema } from '#kernel/core/metadata/definition.ts';

const created_at = '2026-01-01T00:00:00.000Z';

function faultsOf(definition: Definition, value: unknown, more: Record<string, MetadataSchema> = {}): string[] {
  const find = compileSchemas({ ...more, voucher: { properties: { it: definition }, created_at } });
  return find('voucher')?.faultsOf({ it: value }, { place: 'metadata' }) ?? [];
}

describe('a value of a declared type', () => {
  test.each<[Definition, unknown, unknown]>([
    [{ type: 'string' }, 'a', 1],
    [{ type: 'number' }, -1.5, '1'],
    [{ type: 'boolean' }, false, 'false'],
    [{ type: 'date' }, '2028-02-29', '2026-02-29'],
    [{ type: 'date' }, '2026-01-01', '2026-01-01T00:00:00Z'],
    [{ type: 'datetime' }, '2026-01-01T24:00:00+02:00', '2026-01-01T00:00:00'],
    [{ type: 'datetime' }, '2026-01-01T00:00:00.5Z', '2026-01-01'],
    [{ type: 'geopoint' }, '59.91, 10.75', '91,10'],
    [{ type: 'geopoint' }, 'geo:59.91,10.75', 'geo:59.91'],
    [{ type: 'geopoint' }, { latitude: -90, longitude: 180 }, { latitude: '1', longitude: 2 }],
    [{ type: 'image_url' }, 'https://shop.example/a.png', 'ftp://shop.example/a.png'],
    [{ type: 'object' }, { a: 1 }, ['a']],
    [{ type: 'string', eq: ['a', 'b'] }, 'b', 'c'],
    [{ type: 'string', ne: ['a'] }, 'b', 'a'],
    [{ type: 'datetime', eq: ['2026-01-01T00:00:00Z'] }, '2026-01-01T01:00:00+01:00', '2026-01-01T01:00:00Z'],
    [{ type: 'geopoint', ne: ['1.0,2'] }, '1,2.5', { latitude: 1, longitude: 2 }],
    [{ type: 'number', lt: 3 }, 2.9, 3],
    [{ type: 'number', lte: 3 }, 3, 3.1],
    [{ type: 'number', gt: 3 }, 3.1, 3],
    [{ type: 'number', gte: 3 }, 3, 2.9],
    [{ type: 'date', lt: '2026-02-01' }, '2026-01-31', '2026-02-01'],
    [{ type: 'datetime', gte: '2026-02-01T00:00:00Z' }, '2026-02-01T01:00:00+01:00', '2026-02-01T00:00:00+01:00'],
    [{ type: 'string', min_length: 2 }, '😀😀', '😀'],
    [{ type: 'string', max_length: 2 }, '😀😀', '😀😀😀'],
    [{ type: 'string', exact_length: 2 }, 'ab', 'abc'],
    [{ type: 'number', array: true }, [], 1],
    [{ type: 'number', array: true }, [1, 2], [1, 'b']],
    [{ type: 'string', array: true, max_length: 2 }, ['aa', 'bb'], ['aa', 'bbb']],
  ])('%j takes %j and not %j', (definition, good, bad) => {
    expect(faultsOf(definition, good)).toEqual([]);
    expect(faultsOf(definition, bad)).toHaveLength(1);
  });

  test.each<[Definition, unknown, string]>([
    [{ type: 'number', lte: 3 }, 4, 'metadata.it must be at most 3, but is 4'],
    [
      { type: 'string', array: true, max_length: 2 },
      ['a', 'b', 'long'],
      'metadata.it[2] must have at most 2 characters, but is "long"',
    ],
    [{ type: 'string', eq: ['a', 'b'] }, 'c', 'metadata.it must be one of "a","b", but is "c"'],
    [{ type: 'boolean' }, 'x'.repeat(200), `metadata.it must be true or false, but is "${'x'.repeat(99)}…`],
  ])('names path, limit and value: %j %j', (definition, value, fault) => {
    expect(faultsOf(definition, value)).toEqual([fault]);
  });

  test('nests custom schemas, with arrays of objects', () => {
    const box: MetadataSchema = {
      properties: { lid: { type: 'boolean', required: true }, size: { type: 'number' } },
      allow_defined_only: true,
      created_at,
    };
    const boxes: Definition = { type: 'object', object_type: 'box', array: true };
    expect(faultsOf(boxes, [{ lid: true, size: 1 }], { box })).toEqual([]);
    expect(faultsOf(boxes, [{ lid: true }, { size: 'a', colour: 1 }], { box })).toEqual([
      'metadata.it[1].size must be a number, but is "a"',
      'metadata.it[1].colour is not defined by the schema box, which has ["lid","size"]',
      'metadata.it[1].lid is required by the schema box',
    ]);
  });

  test('is absent as null, and a retired definition checks nothing', () => {
    expect(faultsOf({ type: 'number' }, null)).toEqual([]);
    expect(faultsOf({ type: 'number', required: true }, null)).toEqual([
      'metadata.it is required by the schema voucher',
    ]);
    expect(faultsOf({ type: 'number', required: true, deleted: true }, 'a')).toEqual([]);
  });

  test('may have a name that every object has', () => {
    const required: Definition = { type: 'number', required: true };
    const properties = Object.fromEntries([['constructor', required]]);
    const schema: MetadataSchema = { properties, created_at };
    const find = compileSchemas({ voucher: schema });
    expect(find('voucher')?.faultsOf({}, { place: 'metadata' })).toHaveLength(1);
    expect(find('constructor')).toBeUndefined();
    const open = compileSchemas({ voucher: { properties: {}, allow_defined_only: true, created_at } });
    expect(open('voucher')?.faultsOf({ toString: 1 }, { place: 'metadata', before: {} })).toHaveLength(1);
  });
});
