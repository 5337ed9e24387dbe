import { expect, test } from 'vitest';
import { factFilters } from '#addons/reports/facts/find-facts.ts';
import { findEvents } from '#addons/webhooks/events/find-events.ts';
import { combineFilters, dispatch, type Tap } from '#kernel/kit/jobs/dispatch.ts';
import type { Message, Queues } from '#kernel/kit/jobs/queues.ts';
import type { StreamRecord } from '#kernel/table/stream.ts';
import { fenceOf } from '#kernel/table/tombstone.ts';
import { streamWork } from '#registry.ts';
import { matchesFilter } from '../../../../../infra/local/event-filter.ts';
import { changeRecord } from '../../../../support/counted.ts';
import { testDependencies, testTime, uniqueId } from '../../../../support/dependencies.ts';

const { filters: recordFilters } = streamWork();

/** Reads new tills, as a report would. */
const tills: Tap = {
  filters: [{ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: ['TILL'] } } } }],
  read: (records) =>
    records
      .map(({ dynamodb }) => ({ pk: String(dynamodb?.Keys?.pk?.S), sk: String(dynamodb?.Keys?.sk?.S) }))
      .filter(({ sk }) => sk === 'TILL')
      .map((key) => ['mail', { key }] as const),
};

const record = (id: string, sk: string) => ({
  ...changeRecord(1, { after: { kind: sk } }),
  eventName: 'INSERT' as const,
  dynamodb: { ...changeRecord(1, { after: { kind: sk } }).dynamodb, Keys: { pk: { S: id }, sk: { S: sk } } },
});

test('a further purpose gets its records from the same reader, in a queue of its own, and other queues get no more', async () => {
  const sent: [string, readonly Message[]][] = [];
  const queues = { send: async (queue: string, messages: readonly Message[]) => void sent.push([queue, messages]) };
  const records = [record('p#TILL#1', 'TILL'), record('p#ORDER#1', 'ORDER')];
  const filters = combineFilters([tills]);
  expect(records.map((one) => filters.some((filter) => matchesFilter(filter, one)))).toEqual([true, false]);
  expect(records.map((one) => recordFilters.some((filter) => matchesFilter(filter, one)))).toEqual([false, false]);
  await dispatch(records, queues as Queues, [tills]);
  expect(sent).toEqual([['mail', [{ key: { pk: 'p#TILL#1', sk: 'TILL' } }]]]);
});

test('all purposes share one filter, so that more of them meet no limit of Lambda', () => {
  expect(combineFilters([tills, tills, tills])).toHaveLength(1);
  expect(recordFilters).toHaveLength(1);
});

test('an item in the place of a tombstone that only kept its key is new for all purposes', async () => {
  const project = uniqueId('proj_');
  const key = { pk: `${project}#PUBLICATION#pub_1`, sk: 'PUBLICATION' };
  const before = { ...key, ...fenceOf(testTime) };
  const after = { ...key, id: 'pub_1', result: 'SUCCESS', created_at: testTime.toISOString() };
  const made = changeRecord(1, { before, after });
  const Keys = { pk: { S: key.pk }, sk: { S: key.sk } };
  const replaced: StreamRecord = { ...made, eventName: 'MODIFY', dynamodb: { ...made.dynamodb, Keys } };
  const facts = combineFilters([{ filters: factFilters }]);
  for (const filters of [recordFilters, facts]) {
    expect(filters.some((filter) => matchesFilter(filter, replaced))).toBe(true);
  }
  expect(findEvents([replaced]).map(({ type }) => type)).toEqual(['publication.succeeded', 'voucher.published']);
  const seen: unknown[] = [];
  const tap: Tap = {
    filters: [],
    read: (records) => {
      seen.push(...records.map(({ eventName }) => eventName));
      return [];
    },
  };
  await dispatch([replaced], testDependencies().queues, [tap]);
  expect(seen).toEqual(['INSERT']);
});
