import { describe, expect, test } from 'vitest';
import type { FilterPattern } from '#kernel/table/stream.ts';
import { matchesFilter } from '../../../infra/local/event-filter.ts';

const event = {
  eventName: 'INSERT',
  dynamodb: {
    Keys: { sk: { S: 'JOB#7' } },
    NewImage: { state: { S: 'OPEN' }, count: { N: '3' }, note: { NULL: true } },
  },
};

const rows: [string, FilterPattern, boolean][] = [
  ['a pattern that asks for nothing', {}, true],
  ['a value that is listed', { eventName: ['MODIFY', 'INSERT'] }, true],
  ['a value that is not listed', { eventName: ['MODIFY', 'REMOVE'] }, false],
  ['a value in another case', { eventName: ['insert'] }, false],
  ['an empty list', { eventName: [] }, false],
  ['a missing name', { eventSource: ['INSERT'] }, false],
  ['a name that every object inherits', { toString: [{ exists: true }] }, false],
  ['a value deep inside', { dynamodb: { Keys: { sk: { S: ['JOB#7'] } } } }, true],
  ['an object instead of a value', { dynamodb: { Keys: ['JOB#7'] } }, false],
  ['a value instead of an object', { eventName: { S: ['INSERT'] } }, false],
  ['all names', { eventName: ['INSERT'], dynamodb: { NewImage: { count: { N: ['3'] } } } }, true],
  ['all names but one', { eventName: ['INSERT'], dynamodb: { NewImage: { count: { N: ['4'] } } } }, false],
  ['a beginning', { dynamodb: { Keys: { sk: { S: [{ prefix: 'JOB#' }] } } } }, true],
  ['an empty beginning', { dynamodb: { Keys: { sk: { S: [{ prefix: '' }] } } } }, true],
  ['another beginning', { dynamodb: { Keys: { sk: { S: [{ prefix: 'OB#' }] } } } }, false],
  ['the beginning of a missing value', { dynamodb: { Keys: { pk: { S: [{ prefix: '' }] } } } }, false],
  ['the beginning of a value that is no text', { dynamodb: { NewImage: { note: { NULL: [{ prefix: '' }] } } } }, false],
  ['one rule of two', { dynamodb: { Keys: { sk: { S: ['CAMPAIGN', { prefix: 'JOB' }] } } } }, true],
  ['a value that exists', { dynamodb: { NewImage: { state: { S: [{ exists: true }] } } } }, true],
  ['a value that should not exist', { dynamodb: { NewImage: { state: { S: [{ exists: false }] } } } }, false],
  ['a value that does not exist', { dynamodb: { NewImage: { gone: { S: [{ exists: true }] } } } }, false],
  ['a value that need not exist', { dynamodb: { OldImage: { state: { S: [{ exists: false }] } } } }, true],
  ['one of two', { $or: [{ eventName: ['REMOVE'] }, { dynamodb: { Keys: { sk: { S: ['JOB#7'] } } } }] }, true],
  ['none of two', { $or: [{ eventName: ['REMOVE'] }, { eventName: ['MODIFY'] }] }, false],
  ['an object in place of a value that exists', { dynamodb: { NewImage: [{ exists: true }] } }, false],
];

describe('a filter', () => {
  test.each(rows)('on %s', (_, pattern, passes) => {
    expect(matchesFilter(pattern, event)).toBe(passes);
  });

  test.each([[undefined], [null], ['INSERT'], [7]])('lets %j through only if it asks for nothing', (nothing) => {
    expect(matchesFilter({ eventName: ['INSERT'] }, nothing)).toBe(false);
    expect(matchesFilter({}, nothing)).toBe(true);
  });
});
