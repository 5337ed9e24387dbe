import { describe, expect, test } from 'vitest';
import { handler as listOfCustomer } from '../../functions/customers/list-customer-segments.ts';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as deleteSegment } from '../../functions/segments/delete-segment.ts';
import { handler as getSegment } from '../../functions/segments/get-segment.ts';
import { handler as listActivities } from '../../functions/segments/list-segment-activities.ts';
import { handler as listSegments } from '../../functions/segments/list-segments.ts';
import { handler as updateSegment } from '../../functions/segments/update-segment.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { type Asked, expectAsInTurn } from '../support/in-turn.ts';
import { programme } from '../support/loyalty.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const roasting = (roast: string) => ({ junction: 'and', 'metadata.roast': { conditions: { $is: [roast] } } });
const [dark, light] = ['dark', 'light'].map(roasting);
const lists = {
  customers: [
    { id: 'cust_ada', metadata: { roast: 'dark' } },
    { id: 'cust_bob', metadata: { roast: 'light' } },
  ],
  campaigns: [programme('camp_club')],
  segments: [
    { id: 'seg_dark', name: 'Dark', type: 'passive', filter: dark, created_at: '2026-01-10T09:00:00.000Z' },
    { id: 'seg_live', name: 'Live', type: 'auto-update', filter: dark, created_at: '2026-01-11T09:00:00.000Z' },
    { id: 'seg_few', name: 'Few', type: 'static', customers: ['cust_ada'], created_at: '2026-01-12T09:00:00.000Z' },
  ],
};

async function open() {
  const { id, credentials: headers } = await loadProject(lists);
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const ask = (handler: Parameters<typeof caller>[0], request: object = {}) => {
    clock.advance(1);
    return caller(handler, dependencies)({ headers, ...request });
  };
  const segmentId = 'seg_dark';
  return {
    id,
    ask,
    dependencies,
    update: (body: object, own = segmentId) => ask(updateSegment, { params: { segmentId: own }, body }),
    activities: async (query = '', own = segmentId) =>
      (await ask(listActivities, { params: { segmentId: own }, query })).body,
    get: async (own = segmentId) => (await ask(getSegment, { params: { segmentId: own } })).body,
    segmentsOf: async (customerId: string) => {
      const { body } = await ask(listOfCustomer, { params: { customerId } });
      return body.data.map(({ id: own }: { id: string }) => own);
    },
  };
}

const typesOf = ({ data }: { data: { type: string }[] }) => data.map(({ type }) => type);

describe('a passive segment', () => {
  test('gets another name and another filter, by which customers belong to it at once', async () => {
    const { update, get, segmentsOf } = await open();
    expect(await segmentsOf('cust_bob')).toEqual([]);
    const { status, body } = await update({ name: 'Light', filter: light });
    expect([status, body]).toMatchObject([200, { id: 'seg_dark', name: 'Light', type: 'passive', filter: light }]);
    expect(body.updated_at).toMatch(/^2026-06-15/);
    expect(await get()).toEqual(body);
    expect([await segmentsOf('cust_bob'), await segmentsOf('cust_ada')]).toEqual([
      ['seg_dark'],
      expect.not.arrayContaining(['seg_dark']),
    ]);
  });

  test('keeps the fields that are not sent', async () => {
    const { update } = await open();
    expect((await update({ name: 'Other' })).body).toMatchObject({ name: 'Other', filter: dark });
    expect((await update({ filter: light, type: 'passive' })).body).toMatchObject({ name: 'Other', filter: light });
  });

  test('is not written by a change to what it has', async () => {
    const { update, get, activities } = await open();
    const before = await get();
    expect((await update({ name: 'Dark', filter: dark })).body).toEqual(before);
    expect((await update({})).body).toEqual(before);
    expect([await get(), (await activities()).data]).toEqual([before, []]);
  });

  test.each([
    [{ type: 'static' }, ['type must be passive']],
    [{ name: '', filter: 1 }, ['name must not be empty', 'filter']],
    [{ name: null }, ['name must be a string']],
    [{ filter: { junction: 'and', 'metadata.x': { conditions: { $like: [1] } } } }, ['$like']],
    [{ filter: roasting('x'.repeat(400_000)) }, ['at most 51200 bytes']],
  ])('refuses %#, names every fault, and is not changed', async (body, words) => {
    const { update, get } = await open();
    const before = await get();
    const reply = await update(body);
    expect([reply.status, reply.body.key]).toEqual([400, 'invalid_payload']);
    for (const word of words) expect(reply.body.details).toContain(word);
    expect(await get()).toEqual(before);
  });
});

test.each([
  ['seg_live', 'auto-update'],
  ['seg_few', 'static'],
])('the segment %s of the type %s cannot be changed', async (own, type) => {
  const { update, get } = await open();
  const before = await get(own);
  expect((await update({ name: 'Other' }, own)).body).toMatchObject({
    ...{ code: 400, key: 'invalid_payload', resource_id: own, resource_type: 'segment' },
    details: expect.stringContaining(type),
  });
  expect(await get(own)).toEqual(before);
});

test('a missing segment has no changes and no activities: 404', async () => {
  const { update, activities } = await open();
  const missing = { code: 404, key: 'not_found', resource_id: 'seg_none', resource_type: 'segment' };
  expect((await update({ name: 'A' }, 'seg_none')).body).toMatchObject(missing);
  expect(await activities('', 'seg_none')).toMatchObject(missing);
});

describe('the activities of a segment', () => {
  test('tell its creation, its changes and its activation, with the segment after each', async () => {
    const { ask, update, activities } = await open();
    const { body: made } = await ask(createSegment, { body: { name: 'New', type: 'passive', filter: dark } });
    await update({ name: 'Newer' }, made.id);
    await update({ filter: light }, made.id);
    await update({ name: 'Newest', filter: dark }, made.id);
    const rule = { event: 'customer.segment.entered', segment: { id: made.id }, loyalty: { type: 'FIXED', points: 5 } };
    expect((await ask(createRules, { params: { campaignId: 'camp_club' }, body: [rule] })).status).toBe(200);
    const page = await activities('order=created_at', made.id);
    expect(typesOf(page)).toEqual([
      'segment.created',
      'segment.updated',
      'segment.filters_updated',
      'segment.updated',
      'segment.filters_updated',
      'segment.activated',
    ]);
    expect(page.data[0]).toEqual({
      id: expect.stringMatching(/^act_/),
      type: 'segment.created',
      created_at: made.created_at,
      group_id: expect.any(String),
      data: { data: { segment: made }, event_source: { channel: 'API', api_key: expect.any(Object) } },
    });
    const states = page.data.map(({ data: { data } }: { data: { data: { segment: object } } }) => data.segment);
    expect(states).toMatchObject([
      { name: 'New', filter: dark },
      { name: 'Newer', filter: dark },
      { name: 'Newer', filter: light },
      { name: 'Newest', filter: dark },
      { name: 'Newest', filter: dark },
      { name: 'Newest', type: 'auto-update' },
    ]);
    expect(typesOf(await activities('', made.id))).toEqual(typesOf(page).toReversed());
    expect(typesOf(await activities('type=segment.updated', made.id))).toEqual(['segment.updated', 'segment.updated']);
  });

  test('are walked by a cursor without a gap, in both directions', async () => {
    const { update, activities } = await open();
    for (const name of ['A', 'B', 'C', 'D', 'E']) await update({ name });
    for (const order of ['created_at', '-created_at']) {
      const { data: whole } = await activities(`order=${order}`);
      const walked: string[] = [];
      for (let behind = ''; ; ) {
        const page = await activities(`order=${order}&limit=2${behind && `&starting_after_id=${behind}`}`);
        walked.push(...page.data.map(({ id }: { id: string }) => id));
        expect(page.has_more).toBe(page.more_starting_after !== undefined);
        if (!page.has_more) break;
        behind = page.more_starting_after;
      }
      expect(walked).toEqual(whole.map(({ id }: { id: string }) => id));
      expect(walked).toHaveLength(5);
    }
    expect(await activities('starting_after_id=act_none')).toMatchObject({ code: 400, key: 'invalid_query_params' });
  });

  test('are deleted with their segment', async () => {
    const { id, ask, update, dependencies } = await open();
    for (const name of ['A', 'B', 'C']) await update({ name });
    expect(await itemsOf(id, 'SEGMENT_ACTIVITY')).toHaveLength(3);
    expect((await ask(deleteSegment, { params: { segmentId: 'seg_dark' } })).status).toBe(204);
    await runOutbox(id, dependencies);
    expect(await itemsOf(id, 'SEGMENT_ACTIVITY')).toEqual([]);
  });
});

const changed = (body: object): Asked => [updateSegment, { params: { segmentId: 'seg_dark' }, body }];
const removed: Asked = [deleteSegment, { params: { segmentId: 'seg_dark' } }];
const activated: Asked = [
  createRules,
  {
    params: { campaignId: 'camp_club' },
    body: [{ event: 'customer.segment.entered', segment: { id: 'seg_dark' }, loyalty: { type: 'FIXED', points: 5 } }],
  },
];
const told: Asked = [listActivities, { params: { segmentId: 'seg_dark' } }];

test.each<[second: string, first: string, Asked, Asked]>([
  ['a change', 'another of the same field', changed({ name: 'A' }), changed({ name: 'B' })],
  ['a change', 'one of another field', changed({ name: 'A' }), changed({ filter: light })],
  ['a change', 'the same', changed({ name: 'A' }), changed({ name: 'A' })],
  ['a change', 'its activation', changed({ filter: light }), activated],
  ['a change', 'its deletion', changed({ name: 'A' }), removed],
  ['an activation', 'a change of the filter', activated, changed({ filter: light })],
])('%s of a segment that meets %s ends as if the other had come first', async (_, __, second, first) => {
  await expectAsInTurn({ lists, first, second, seen: [[listSegments], told] });
});
