import { expect, test } from 'vitest';
import { matchesFilter } from '../../../../infra/local/event-filter.ts';
import { combineFilters, dispatch, recordFilters, type Tap } from '../../../../lib/kit/jobs/dispatch.ts';
import type { Message, Queues } from '../../../../lib/kit/jobs/queues.ts';
import { changeRecord } from '../../../support/counted.ts';

/** Reads new redemptions, as webhooks or reports would. */
const redemptions: Tap = {
  filters: [{ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: ['REDEMPTION'] } } } }],
  read: (records) =>
    records
      .map(({ dynamodb }) => ({ pk: String(dynamodb?.Keys?.pk?.S), sk: String(dynamodb?.Keys?.sk?.S) }))
      .filter(({ sk }) => sk === 'REDEMPTION')
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
  const records = [record('p#REDEMPTION#1', 'REDEMPTION'), record('p#ORDER#1', 'ORDER')];
  const filters = combineFilters([redemptions]);
  expect(records.map((one) => filters.some((filter) => matchesFilter(filter, one)))).toEqual([true, false]);
  expect(records.map((one) => recordFilters.some((filter) => matchesFilter(filter, one)))).toEqual([false, false]);
  await dispatch(records, queues as Queues, [redemptions]);
  expect(sent).toEqual([['mail', [{ key: { pk: 'p#REDEMPTION#1', sk: 'REDEMPTION' } }]]]);
});

test('all purposes share one filter, so that more of them meet no limit of Lambda', () => {
  expect(combineFilters([redemptions, redemptions, redemptions])).toHaveLength(1);
  expect(recordFilters).toHaveLength(1);
});
