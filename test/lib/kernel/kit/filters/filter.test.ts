import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { describeIssues } from '#kernel/core/issues.ts';
import { parseQuery } from '#kernel/http/query.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter, type Filter, filterDocument, filterQuery, maxFields } from '#kernel/kit/filters/filter.ts';
import { maxValues } from '#kernel/kit/filters/operands.ts';
import { filterOperators } from '#kernel/kit/filters/operators.ts';

interface Book {
  name?: string;
  price?: number;
  sold?: boolean | null;
  tags?: string[];
  created_at?: string;
  author?: { city?: string };
  metadata?: Record<string, unknown>;
  ends?: string;
}

const fields: FilterFields<Book> = {
  name: 'text',
  price: 'number',
  sold: 'boolean',
  tags: 'list',
  created_at: 'date',
  'author.city': 'text',
  'metadata.*': 'any',
  'events.*.count': { type: 'number', at: ({ tags = [] }, event) => tags.filter((tag) => tag === event).length },
  active: {
    flags: { $expired: ({ ends = '' }, now) => ends < now.toISOString(), before_start: () => false },
  },
};

const now = new Date('2026-03-15T12:00:00Z');
const takes = (filter: object, book: Book) => compileFilter(fields, { ...filter })(book, now);
const asked = (query: string) => v.parse(v.object({ filters: filterQuery(fields) }), parseQuery(query)).filters;
const is = (value: unknown) => ({ conditions: { $is: value } });

describe('a filter', () => {
  test.each<[string, object, Book[], Book[]]>([
    ['without fields takes everything', {}, [{}], []],
    ['without fields and with or, too', { junction: 'or' }, [{}], []],
    ['joins fields by and', { name: is('A'), price: is(1) }, [{ name: 'A', price: 1 }], [{ name: 'A' }, { price: 1 }]],
    [
      'joins them by or, in any case',
      { junction: 'OR', name: is('A'), price: is([1, 2]) },
      [{ name: 'A' }, { price: 2 }],
      [{ name: 'B' }, {}],
    ],
    [
      'wants all conditions of a field, with or too',
      { junction: 'or', price: { conditions: { $more_than: 1, $less_than: '3' } } },
      [{ price: 2 }],
      [{ price: 1 }, { price: 3 }, {}],
    ],
    [
      'reads a field inside of another',
      { 'author.city': is('Ulm') },
      [{ author: { city: 'Ulm' } }],
      [{ author: {} }, {}],
    ],
    [
      'reads keys of metadata by what they hold',
      { 'metadata.level': { conditions: { $more_than: '3' } } },
      [{ metadata: { level: 4 } }],
      [{ metadata: { level: '4' } }, { metadata: {} }, {}],
    ],
    [
      'reads a key with a dot, and else what is inside',
      { 'metadata.a.b': is('1') },
      [{ metadata: { 'a.b': 1 } }, { metadata: { a: { b: '1' } } }],
      [{ metadata: { a: 1 } }],
    ],
    [
      'reads no name that every object has',
      { 'metadata.constructor': { conditions: { $has_value: '' } } },
      [],
      [{ metadata: {} }],
    ],
    ['finds what stands for a star', { 'events.a.b.count': is('2') }, [{ tags: ['a.b', 'a.b'] }], [{ tags: ['a'] }]],
    [
      'counts days of a date, past ones',
      { created_at: { conditions: { $more_than: 5 } } },
      [{ created_at: '2026-03-09' }],
      [{ created_at: '2026-03-10' }, { created_at: '2026-04-01' }],
    ],
    [
      'and those up to today',
      { created_at: { conditions: { $less_than_equal: 5 } } },
      [{ created_at: '2026-03-10' }, { created_at: '2026-03-15T20:00:00Z' }],
      [{ created_at: '2026-03-09' }, { created_at: '2026-03-16' }, {}],
    ],
    [
      'takes a day for each of its moments',
      { created_at: is('2026-03-10') },
      [{ created_at: '2026-03-10T23:00:00.000Z' }],
      [{ created_at: '2026-03-11T00:00:00.000Z' }],
    ],
    ['asks by flags', { active: { conditions: { $expired: '' } } }, [{ ends: '2026' }], [{ ends: '2027' }]],
    ['and by flags right under the field', { active: { $expired: '' } }, [{ ends: '2026' }], [{ ends: '2027' }]],
    ['of all flags', { active: { $expired: '', before_start: true } }, [], [{ ends: '2026' }]],
  ])('%s', (_, filter, those, others) => {
    expect(v.is(filterQuery(fields), filter)).toBe(true);
    expect(those.filter((book) => !takes(filter, book))).toEqual([]);
    expect(others.filter((book) => takes(filter, book))).toEqual([]);
  });

  test.each([
    'filters[name][conditions][$in][0]=A&filters[name][conditions][$in][1]=B&filters[junction]=AND',
    '[filters][name][conditions][$in][0]=B&[filters][name][conditions][$in][1]=A',
    'filters[sold][conditions][$is]=TRUE',
    'filters[sold][conditions][$has_value]=',
  ])('is read from a query: %s', (query) => {
    const test = compileFilter(fields, asked(query));
    expect(
      [
        { name: 'A', sold: true },
        { name: 'C', sold: null },
      ].map((book) => test(book, now)),
    ).toEqual([true, false]);
  });
});

const among = /is not an operator of this field: .*\$is_not/;

describe('a filter is refused', () => {
  test.each<[unknown, (string | RegExp)[]]>([
    ['x', ['filters must be an object of fields and their conditions']],
    [[], ['filters must be an object of fields and their conditions']],
    [
      { junction: 'xor', colour: is('red') },
      [
        'filters.junction must be and or or',
        /^filters.colour is not a field to filter by: name, price, .*metadata\.\*/,
      ],
    ],
    [
      { name: 'A', price: {} },
      [
        'filters.name.conditions must be an object of operators and their values',
        'filters.price.conditions must be an object of operators and their values',
      ],
    ],
    [
      { name: { conditions: [] }, price: { conditions: {} } },
      [/^filters.name.conditions must be an object/, 'filters.price.conditions must have at least one operator'],
    ],
    [
      { name: { conditions: { $like: 'A', $more_than: 3, $is: [] } } },
      [/^filters.name.conditions.\$like is not/, among, 'filters.name.conditions.$is must have at least one value'],
    ],
    [
      { name: is({ a: 1 }), sold: is('yes'), price: is(['1', 'many']) },
      [
        'filters.name.conditions.$is must be a text, number or boolean',
        'filters.sold.conditions.$is must be true or false',
        'filters.price.conditions.$is must be a number',
      ],
    ],
    [
      { name: is(null), created_at: is('31.1.2026') },
      [
        'filters.name.conditions.$is must be a text, number or boolean',
        'filters.created_at.conditions.$is must be a date or a date and time, such as 2026-01-31',
      ],
    ],
    [
      {
        created_at: { conditions: { $more_than: '2026-01-01', $is_days_ago: -1 } },
        tags: { conditions: { $count: 1.5 } },
      },
      [
        'filters.created_at.conditions.$more_than must be a whole number of days, 0 or more',
        'filters.created_at.conditions.$is_days_ago must be a whole number of days, 0 or more',
        'filters.tags.conditions.$count must be a whole number, 0 or more',
      ],
    ],
    [
      { active: { conditions: { $is: true } } },
      ['filters.active.conditions.$is is not an operator of this field: $expired, before_start'],
    ],
    [
      { constructor: is('x'), __proto__: null, 'metadata.': is('x') },
      [/^filters.constructor is not a field/, /^filters.metadata\. is not a field/],
    ],
  ])('%j', (filters, faults) => {
    const { issues = [] } = v.safeParse(v.object({ filters: filterQuery(fields) }), { filters });
    expect(describeIssues(issues, 'the query')).toEqual(
      faults.map((fault) => (typeof fault === 'string' ? fault : expect.stringMatching(fault))),
    );
  });

  test.each<[string, Filter, string]>([
    [
      'a value more than allowed',
      { name: is(Array.from({ length: maxValues + 1 }, () => 'a')) },
      `name.conditions.$is must have at most ${maxValues} values`,
    ],
    [
      'a field more',
      Object.fromEntries(Array.from({ length: maxFields + 1 }, (_, index) => [`metadata.${index}`, is('a')])),
      `filters must have at most ${maxFields} fields`,
    ],
  ])('with %s', (_, filter, fault) => {
    expect(describeIssues(v.safeParse(filterQuery(fields), filter).issues ?? [], 'filters')).toEqual([fault]);
  });

  test('in a body without its junction, and without a field', () => {
    const faults = (filter: unknown) =>
      describeIssues(v.safeParse(filterDocument(fields), filter).issues ?? [], 'filter');
    expect(faults({})).toEqual(['junction is required', 'filter must have at least one field']);
    expect(faults({ junction: 'and', name: is('A') })).toEqual([]);
  });
});

test('any filter is refused or evaluated, and none throws', () => {
  const name = fc.oneof(fc.constantFrom('junction', 'metadata.a', ...Object.keys(fields)), fc.string());
  const operator = fc.oneof(fc.constantFrom('$expired', ...Object.keys(filterOperators)), fc.string());
  const conditions = fc.dictionary(operator, fc.oneof(fc.jsonValue(), fc.string(), fc.array(fc.string())));
  const filter = fc.dictionary(
    name,
    fc.oneof(fc.record({ conditions }), conditions, fc.jsonValue(), fc.constant('or')),
  );
  const value = fc.oneof(fc.anything(), fc.string(), fc.date());
  const keys = fc.constantFrom('name', 'price', 'sold', 'tags', 'created_at', 'author', 'metadata');
  fc.assert(
    fc.property(filter, fc.dictionary(keys, value), (sent, book) => {
      v.safeParse(filterQuery(fields), sent);
      expect(typeof compileFilter<object>({ ...fields, 'events.*.count': 'any', active: 'any' }, sent)(book, now)).toBe(
        'boolean',
      );
    }),
  );
});
