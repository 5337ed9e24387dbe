import { describe, expect, test } from 'vitest';
import type { FilterPattern } from '#kernel/table/stream.ts';
import { matchesFilter } from '../../../infra/local/event-filter.ts';

const record = {
  eventName: 'INSERT',
  dynamodb: {
    Keys: { sk: { S: 'JOB#7' } },
    NewImage: { state: { S: 'OPEN' }, count: { N: '3' }, note: { NULL: true } },
  },
};

const rows: [string, FilterPattern['dynamodb'], boolean][] = [
  ['a pattern that asks for nothing', {}, true],
  ['a value that is listed', { Keys: { sk: { S: ['JOB#8', 'JOB#7'] } } }, true],
  ['a value that is not listed', { Keys: { sk: { S: ['JOB#8'] } } }, false],
  ['a value in another case', { Keys: { sk: { S: ['job#7'] } } }, false],
  ['an empty list', { Keys: { sk: { S: [] } } }, false],
  ['a missing name', { Keys: { pk: { S: ['JOB#7'] } } }, false],
  ['a name that every object inherits', { toString: { name: ['toString'] } }, false],
  ['an object instead of a value', { Keys: ['JOB#7'] }, false],
  ['a value instead of an object', { Keys: { sk: { S: { JOB: ['JOB#7'] } } } }, false],
  ['all names', { Keys: { sk: { S: ['JOB#7'] } }, NewImage: { count: { N: ['3'] } } }, true],
  ['all names but one', { Keys: { sk: { S: ['JOB#7'] } }, NewImage: { count: { N: ['4'] } } }, false],
  ['a beginning', { Keys: { sk: { S: [{ prefix: 'JOB#' }] } } }, true],
  ['an empty beginning', { Keys: { sk: { S: [{ prefix: '' }] } } }, true],
  ['another beginning', { Keys: { sk: { S: [{ prefix: 'OB#' }] } } }, false],
  ['the beginning of a missing value', { Keys: { pk: { S: [{ prefix: '' }] } } }, false],
  ['the beginning of a value that is no text', { NewImage: { note: { NULL: [{ prefix: '' }] } } }, false],
  ['one rule of two', { Keys: { sk: { S: ['CAMPAIGN', { prefix: 'JOB' }] } } }, true],
];

describe('a filter', () => {
  test.each(rows)('on %s', (_, dynamodb, passes) => {
    expect(matchesFilter({ dynamodb }, record)).toBe(passes);
  });

  test.each([[undefined], [null], ['INSERT'], [7]])('lets %j through only if it asks for nothing', (nothing) => {
    expect(matchesFilter({ dynamodb: { Keys: { sk: { S: ['JOB'] } } } }, nothing)).toBe(false);
    expect(matchesFilter({ dynamodb: {} }, nothing)).toBe(true);
  });
});
