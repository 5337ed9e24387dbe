import type { AttributeValue } from 'aws-lambda';
import { expect, test } from 'vitest';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { findEvents } from '#addons/webhooks/events/find-events.ts';
import { dispatch, jobsTap, segmentsTap, type Tap } from '#kernel/kit/jobs/dispatch.ts';
import type { Message, Queues } from '#kernel/kit/jobs/queues.ts';
import { buildFilters } from '#kernel/table/stream.ts';
import { fenceOf } from '#kernel/table/tombstone.ts';
import { streamFilters } from '#registry.ts';
import { matchesFilter } from '../../../../../infra/local/event-filter.ts';
import { noFault } from '../../../../reports/world.ts';
import { changesOf } from '../../../../support/changes.ts';
import { changeRecord } from '../../../../support/counted.ts';
import { testDependencies, testTime, uniqueId } from '../../../../support/dependencies.ts';

/** Reads new tills, as a report would. */
const tills: Tap = {
  name: 'tills',
  kinds: ['TILL'],
  read: ({ key, before }) => (before ? [] : [['mail', { key }]]),
};

const record = (sequence: number, pk: string, sk: string) => changeRecord(sequence, { after: { pk, sk, kind: sk } });

/** Returns what these taps send for records. */
async function sentBy(taps: readonly Tap[], records: Parameters<typeof changesOf>[0]) {
  const sent: [string, readonly Message[]][] = [];
  const queues = { send: async (queue: string, messages: readonly Message[]) => void sent.push([queue, messages]) };
  await dispatch(changesOf(records), queues as Queues, taps);
  return sent;
}

test('a further purpose gets its changes from the same reader, in a queue of its own, and other queues get no more', async () => {
  const records = [record(1, 'p#TILL#1', 'TILL'), record(2, 'p#ORDER#1', 'ORDER')];
  const filters = buildFilters([tills]);
  expect(records.map((one) => filters.some((filter) => matchesFilter(filter, one)))).toEqual([true, false]);
  expect(records.map((one) => streamFilters.some((filter) => matchesFilter(filter, one)))).toEqual([false, true]);
  expect(await sentBy([tills], records)).toEqual([['mail', [{ key: { pk: 'p#TILL#1', sk: 'TILL' } }]]]);
});

test('a job is handed over when it is new and when it is resumed, and not while it goes on or when it ends', async () => {
  const job = { pk: 'p#JOB#job_1', sk: 'JOB', kind: 'bulk' };
  const states = (before: string | undefined, after: string | undefined) =>
    changeRecord(1, {
      ...(before && { before: { ...job, state: before } }),
      ...(after && { after: { ...job, state: after } }),
    });
  const key = { pk: job.pk, sk: job.sk };
  expect(await sentBy([jobsTap], [states(undefined, 'OPEN')])).toEqual([['bulk', [{ key }]]]);
  expect(await sentBy([jobsTap], [states('FAILED', 'OPEN')])).toEqual([['bulk', [{ key }]]]);
  const others = [
    states('OPEN', 'OPEN'),
    states('OPEN', 'DONE'),
    states('OPEN', 'FAILED'),
    states('FAILED', undefined),
  ];
  expect(await sentBy([jobsTap], others)).toEqual([]);
});

test('a job of an unknown kind, from a newer deployment, is left to its worker', async () => {
  const record = changeRecord(1, { after: { pk: 'p#JOB#job_1', sk: 'JOB', kind: 'paint-walls', state: 'OPEN' } });
  expect(await sentBy([jobsTap], [record])).toEqual([]);
});

test('many changes of one customer are one message', async () => {
  const customer = (visits: number) => ({ pk: 'p#CUSTOMER#cust_1', sk: 'CUSTOMER', kind: 'CUSTOMER', visits });
  const records = [1, 2, 3].map((visits) =>
    changeRecord(visits, { before: customer(visits), after: customer(visits + 1) }),
  );
  const held = changeRecord(4, { before: { pk: 'p#CUSTOMER#cust_1', sk: 'HELD_CARD#v_1', kind: 'HELD_CARD' } });
  const key = { pk: 'p#CUSTOMER#cust_1', sk: 'CUSTOMER' };
  expect(await sentBy([segmentsTap], [...records, held])).toEqual([['segments', [{ key }]]]);
});

test('the order of the attributes of a map is no change, because the table keeps none', async () => {
  const type = { S: 'AMOUNT' };
  const discounts = [{ type, amount_off: { N: '500' } }, { amount_off: { N: '500' }, type }, { type }];
  const Keys = { pk: { S: 'p#VOUCHER#v_1' }, sk: { S: 'VOUCHER' } };
  const image = (uses: number, discount: Record<string, AttributeValue> = {}) => ({
    ...Keys,
    redeemed_quantity: { N: String(uses) },
    discount: { M: discount },
  });
  const redeemed = { dynamodb: { Keys, OldImage: image(1, discounts[0]), NewImage: image(2, discounts[1]) } };
  const updated = { dynamodb: { Keys, OldImage: image(1, discounts[0]), NewImage: image(1, discounts[2]) } };
  expect(findEvents(changesOf([redeemed]))).toEqual([]);
  expect(findEvents(changesOf([updated])).map(({ type }) => type)).toEqual(['voucher.updated']);
  const customer = { pk: 'p#CUSTOMER#cust_1', sk: 'CUSTOMER' };
  const [one, other] = [
    { city: 'Bergen', line_1: 'Strandgaten 3' },
    { line_1: 'Strandgaten 3', city: 'Bergen' },
  ];
  const counted = { before: { ...customer, address: one }, after: { ...customer, address: other, activities: 1 } };
  expect(await sentBy([segmentsTap], [changeRecord(1, counted)])).toEqual([]);
});

test('an item in the list of projects makes no fact, and the project itself makes one', () => {
  const records = [
    changeRecord(1, { after: { pk: 'PROJECTS', sk: 'PROJECT#proj_1', project_id: 'proj_1' } }),
    changeRecord(2, { after: { pk: 'proj_1#PROJECT', sk: 'PROJECT', timezone: 'Europe/Oslo' } }),
  ];
  const facts = findFacts(changesOf(records), noFault);
  expect(facts.map(({ table, row }) => [table, row.project_id])).toEqual([['projects', 'proj_1']]);
});

test('an item in the place of a tombstone that only kept its key is new for all purposes', async () => {
  const project = uniqueId('proj_');
  const key = { pk: `${project}#PUBLICATION#pub_1`, sk: 'PUBLICATION' };
  const before = { ...key, ...fenceOf(testTime) };
  const created_at = testTime.toISOString();
  const after = { ...key, id: 'pub_1', result: 'SUCCESS', created_at, channel: 'API' };
  const replaced = changeRecord(1, { before, after });
  expect(streamFilters.some((filter) => matchesFilter(filter, replaced))).toBe(true);
  const changes = changesOf([replaced]);
  expect(changes).toMatchObject([{ kind: 'PUBLICATION', before: undefined, after: { id: 'pub_1' } }]);
  expect(findEvents(changes).map(({ type }) => type)).toEqual(['publication.succeeded', 'voucher.published']);
  expect(findFacts(changes, noFault).map(({ table }) => table)).toEqual(['publications']);
  const seen: unknown[] = [];
  const tap: Tap = {
    name: 'publications',
    kinds: ['PUBLICATION'],
    read: ({ before: old }) => {
      seen.push(old);
      return [];
    },
  };
  await dispatch(changes, testDependencies().queues, [tap]);
  expect(seen).toEqual([undefined]);
});
