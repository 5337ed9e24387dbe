import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { voucherFilterFields } from '#engine/vouchers/search/filter-fields.ts';
import { object } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';
import { maxQueryDepth, maxQueryNameLength, maxQueryValues, parseQuery, takesNoValue } from '#kernel/http/query.ts';
import { filterOperators } from '#kernel/kit/filters/operators.ts';
import { caller } from '../../../support/call.ts';

describe('a query is read by its names:', () => {
  test.each<[string, string, unknown]>([
    ['nothing', '', {}],
    ['a plain name', 'limit=10', { limit: '10' }],
    [
      'an operator that takes no value',
      'filters[name][conditions][$is_unknown]=&filters[city][conditions][$is]=&[filters][active][$expired]',
      { filters: { name: { conditions: { $is_unknown: '' } }, active: { $expired: '' } } },
    ],
    ['a name without a value, which is absent', 'limit&a=&b[c]=&d[]=&d[]=1', { d: ['1'] }],
    ['a plain name twice: the last one counts', 'limit=1&limit=2', { limit: '2' }],
    ['plus and percent', 'a+b=c%20d%2Be', { 'a b': 'c d+e' }],
    ['a bracket', 'created_at[before]=2026', { created_at: { before: '2026' } }],
    ['brackets that are encoded', 'created_at%5Bafter%5D=2026', { created_at: { after: '2026' } }],
    ['two brackets', 'a[after]=1&a[before]=2', { a: { after: '1', before: '2' } }],
    ['a bracket twice: the last one counts', 'a[b]=1&a[b]=2', { a: { b: '2' } }],
    [
      'a filter',
      'filters[metadata.x][conditions][$in][0]=a&filters[metadata.x][conditions][$in][1]=b&filters[junction]=or',
      { filters: { 'metadata.x': { conditions: { $in: ['a', 'b'] } }, junction: 'or' } },
    ],
    [
      'a filter with one value',
      'filters[code][conditions][$is]=A',
      { filters: { code: { conditions: { $is: 'A' } } } },
    ],
    ['a leading bracket', '[filters][code][conditions][$is]=A', { filters: { code: { conditions: { $is: 'A' } } } }],
    ['numbers in any order, with gaps', 'a[7]=c&a[0]=a&a[2]=b', { a: ['a', 'b', 'c'] }],
    ['empty brackets', 'a[]=1&a[]=2', { a: ['1', '2'] }],
    ['numbers and empty brackets', 'a[1]=x&a[]=y&a[]=z', { a: ['x', 'y', 'z'] }],
    ['a key that is a number', 'a[5][b]=1', { a: { 5: { b: '1' } } }],
    ['a number beside a name', 'a[0]=1&a[b]=2', { a: { 0: '1', b: '2' } }],
    ['a text and then a nested value', 'a=1&a[b]=2', { a: { b: '2' } }],
    ['a nested value and then a text', 'a[b]=2&a=1', { a: '1' }],
    ['a bracket that is not closed', 'a[b=1', { 'a[b': '1' }],
    ['a bracket that is not opened', 'a]=1', { 'a]': '1' }],
    ['text behind a bracket', 'a[b]c=1', { 'a[b]c': '1' }],
    ['brackets in brackets', 'a[[b]]=1', { 'a[[b]]': '1' }],
    ['empty names', '=1&[]=2', { '': '2' }],
    ['broken percent signs', 'a=%zz&b=%c3%28', { a: '%zz', b: '\ufffd(' }],
  ])('%s', (_, text, expected) => {
    expect(parseQuery(text)).toEqual(expected);
  });

  test.each<[string, string, unknown]>([
    ['a list once', 'result=A', { result: ['A'] }],
    ['a list twice', 'result=A&result=B', { result: ['A', 'B'] }],
    ['a list with brackets', 'result[]=A&result[]=B', { result: ['A', 'B'] }],
    ['another name twice', 'limit=1&limit=2', { limit: '2' }],
  ])("%s, if the name is a list's", (_, text, expected) => {
    expect(parseQuery(text, new Set(['result']))).toEqual(expected);
  });
});

describe('no name changes anything outside its own place:', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('%s', (name) => {
    const parsed = parseQuery(`${name}=1&${name}[polluted]=1&a[${name}][polluted]=1&a[b]=2`);
    expect(Object.keys(parsed)).toEqual([name, 'a']);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(parsed.a ?? {})).toEqual([name, 'b']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a query has bounds:', () => {
  const deep = (depth: number) => `a${'[b]'.repeat(depth - 1)}=1`;
  const long = (length: number) => `a[${'b'.repeat(length - 3)}]=1`;
  const many = (count: number) => Array.from({ length: count }, (_, index) => `a[${index}]=1`).join('&');

  test.each([
    ['steps of a name', deep, maxQueryDepth],
    ['characters of a name with brackets', long, maxQueryNameLength],
    ['values', many, maxQueryValues],
  ])('%s', (_, query, most) => {
    expect(() => parseQuery(query(most))).not.toThrow();
    expect(() => parseQuery(query(most + 1))).toThrow(
      expect.objectContaining({ key: 'invalid_query_params', details: expect.stringContaining(String(most)) }),
    );
  });

  test('the bounds do not apply to the length of an unknown name', () => {
    expect(parseQuery(`${'c'.repeat(5_000)}=1&limit=2`)).toMatchObject({ limit: '2' });
  });
});

describe('an operation', () => {
  const echo = operation(
    {
      route: 'GET /v1/echoes',
      caller: 'none',
      table: 'none',
      summary: 'Echo a query',
      answers: 'What was understood.',
      query: v.object({
        limit: v.optional(v.string()),
        result: v.optional(v.array(v.picklist(['SUCCESS', 'FAILURE']))),
        created_at: v.optional(object({ before: v.optional(v.pipe(v.string(), v.isoDate('must be a date'))) })),
      }),
      reply: v.object({ query: v.unknown() }),
    },
    async ({ query }) => ({ query }),
  );
  const ask = (query: string) => caller(echo)({ query });

  test('takes bracketed and repeated names as in its schema, and ignores others', async () => {
    const { status, body } = await ask('created_at[before]=2026-01-01&result=SUCCESS&result=FAILURE&x[y][z]=1&c=2');
    expect([status, body.query]).toEqual([
      200,
      { created_at: { before: '2026-01-01' }, result: ['SUCCESS', 'FAILURE'] },
    ]);
    expect((await ask('result=SUCCESS')).body.query).toEqual({ result: ['SUCCESS'] });
    expect((await ask('limit=1&limit=2')).body.query).toEqual({ limit: '2' });
  });

  test.each([
    ['created_at[before]=soon', 'created_at.before must be a date'],
    ['created_at=2026-01-01', 'created_at must be'],
    ['limit[x]=1', 'limit must be'],
    [`a${'[b]'.repeat(maxQueryDepth)}=1`, `at most ${maxQueryDepth} steps`],
  ])('refuses %s', async (query, details) => {
    const { status, body } = await ask(query);
    expect([status, body.key, body.details]).toEqual([400, 'invalid_query_params', expect.stringContaining(details)]);
  });
});

test('operators that take no value are known', () => {
  const none = Object.entries(filterOperators).filter(([, { takes }]) => takes === 'nothing');
  expect(none.map(([name]) => name).filter((name) => !takesNoValue.test(name))).toEqual([]);
  const taking = Object.entries(filterOperators).filter(([, { takes }]) => takes !== 'nothing');
  expect(taking.map(([name]) => name).filter((name) => takesNoValue.test(name))).toEqual([]);
  const flags = Object.values(voucherFilterFields).flatMap((field) =>
    typeof field === 'object' && 'flags' in field ? Object.keys(field.flags) : [],
  );
  expect(flags.length).toBeGreaterThan(0);
  expect(flags.filter((name) => !takesNoValue.test(name))).toEqual([]);
});
