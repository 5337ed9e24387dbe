import { expect, test } from 'vitest';
import { matchesFilter } from '../../../../infra/local/event-filter.ts';
import { combineFilters, dispatch, recordFilters, type Tap } from '../../../../lib/kit/jobs/dispatch.ts';
import type { Message, Queues } from '../../../../lib/kit/jobs/queues.ts';
import { changeRecord } from '../../../support/counted.ts';

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
