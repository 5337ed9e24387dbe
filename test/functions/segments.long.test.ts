import { beforeAll, describe, expect, test } from 'vitest';
import { customers } from '#engine/customers/customer.ts';
import { followChange } from '#engine/customers/segments/follow.ts';
import { handler as createCustomer } from '../../functions/customers/create-customer.ts';
import { handler as listOfCustomer } from '../../functions/customers/list-customer-segments.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as deleteSegment } from '../../functions/segments/delete-segment.ts';
import { handler as getSegment } from '../../functions/segments/get-segment.ts';
import { handler as listSegments } from '../../functions/segments/list-segments.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const asking = (field: string, conditions: object) => ({ junction: 'and', [field]: { conditions } });
const dark = asking('metadata.roast', { $is: ['dark'] });

function world({ id, credentials: headers }: TestProject) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = (handler: Parameters<typeof caller>[0], request: object = {}) => {
    clock.advance(1);
    return caller(handler, dependencies)({ headers, ...request });
  };
  const params = (segmentId: string) => ({ params: { segmentId } });
  return {
    clock,
    create: (body: object) => call(createSegment, { body }),
    get: (id: string) => call(getSegment, params(id)),
    remove: (id: string) => call(deleteSegment, params(id)),
    list: (query = '') => call(listSegments, { query }),
    customer: async (body: object) => (await call(createCustomer, { body })).body,
    inSegment: async (id: string, query = '') => {
      const { body } = await call(listCustomers, { query: `segment_id=${id}&${query}` });
      const ids = (body.customers ?? []).map((one: { source_id: string }) => one.source_id).join('');
      return [ids, body.total, body.has_more, body.more_starting_after];
    },
    follow: (customerIds: readonly string[]) =>
      Promise.all(customerIds.map((own) => followChange(customers(id, own), dependencies, async () => []))),
    namesOf: async (customerId: string) => {
      const { body } = await call(listOfCustomer, { params: { customerId } });
      expect(body.total).toBe(body.data.length);
      return body.data.map(({ name }: { name: string }) => name);
    },
  };
}

describe('a segment', () => {
  test.each([
    { name: 'Early', type: 'static', customers: ['cust_a', 'cust_a', 'cust_b'] },
    { name: 'Dark', type: 'passive', filter: dark },
    { name: 'Followed', type: 'auto-update', filter: dark },
  ])('is created, read and deleted with the type $type', async ({ customers: _, ...shown }) => {
    const { create, get, remove } = world(await loadProject());
    const created = await create({ ...shown, ...(_ ? { customers: _ } : {}) });
    expect(created).toMatchObject({
      status: 200,
      body: { filter: null, ...shown, updated_at: null, object: 'segment' },
    });
    expect(created.body.id).toMatch(/^seg_/);
    expect(created.body).not.toHaveProperty('customers');
    expect((await get(created.body.id)).body).toEqual(created.body);
    expect((await remove(created.body.id)).status).toBe(204);
    for (const reply of [await get(created.body.id), await remove(created.body.id)]) {
      expect(reply.body).toMatchObject({ code: 404, resource_id: created.body.id, resource_type: 'segment' });
    }
  });

  test.each([
    [{}, ['type is required']],
    [{ type: 'dynamic', name: 'A' }, ['type must be one of']],
    [{ type: 'static', customers: [1] }, ['name is required', 'customers[0] must be a string']],
    [{ type: 'static', name: 'A' }, ['customers is required']],
    [
      { type: 'static', name: 'A', customers: Array(20_001).fill('a') },
      ['customers must have at most 20000 customers'],
    ],
    [{ type: 'passive', name: '' }, ['name must not be empty', 'filter is required']],
    [
      { type: 'passive', name: 'A', filter: {} },
      ['filter.junction is required', 'filter must have at least one field'],
    ],
    [
      { type: 'passive', name: 'A', filter: asking('email', { $more_than: [1] }) },
      ['is not an operator of this field'],
    ],
    [
      { type: 'passive', name: 'A', filter: asking('events.visit', { $more_than: [1] }) },
      ['filter.events.visit is not a field to filter by: id, source_id', 'loyalty_points.campaigns.*.points'],
    ],
    [
      { type: 'passive', name: 'A', filter: asking('name', { $in: Array(200).fill('a'.repeat(300)) }) },
      ['filter must have at most 51200 bytes as JSON'],
    ],
  ])('is refused with its faults, %#', async (body, faults) => {
    const { create, list } = world(await loadProject());
    const reply = await create(body);
    expect(reply.body).toMatchObject({ code: 400, key: 'invalid_payload' });
    for (const fault of faults) expect(reply.body.details).toContain(fault);
    expect((await list()).body.total).toBe(0);
  });

  test('with a filter is the hundredth for one of twenty concurrent requests', async () => {
    const segments = Array.from({ length: 99 }, (_, index) => ({ name: `S${index}`, type: 'passive', filter: dark }));
    const { create, list } = world(await loadProject({ segments }));
    const body = { name: 'Last', type: 'auto-update', filter: dark };
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(replies.map(({ body: own }) => own.key))).toEqual(new Set([undefined, 'too_many_resources']));
    expect((await list()).body.total).toBe(100);
    expect((await create({ name: 'Static', type: 'static', customers: [] })).status).toBe(200);
  });
});

test('the list has each once, newest first or as ordered, and only segments that pass the filters', async () => {
  const { create, list } = world(await loadProject());
  const ids: string[] = [];
  for (const name of ['A', 'B', 'C']) ids.push((await create({ name, type: 'passive', filter: dark })).body.id);
  ids.push((await create({ name: 'D', type: 'static', customers: [] })).body.id);
  const found = async (query: string) => {
    const { body } = await list(query);
    return [body.data.map(({ name }: { name: string }) => name).join(''), body.total, body.has_more];
  };
  expect(await found('')).toEqual(['DCBA', 4, false]);
  expect(await found('order=created_at&limit=3')).toEqual(['ABC', 4, true]);
  expect(await found('limit=3&page=2')).toEqual(['A', 4, false]);
  expect(await found(`ids=${ids[0]}&ids=${ids[2]}`)).toEqual(['CA', 2, false]);
  expect(await found('filters[type][conditions][$is]=static')).toEqual(['D', 1, false]);
  expect(
    await found('filters[junction]=or&filters[name][conditions][$in][0]=B&filters[name][conditions][$in][1]=C'),
  ).toEqual(['CB', 2, false]);
  expect((await list('filters[colour][conditions][$is]=red')).body).toMatchObject({
    key: 'invalid_query_params',
    details: expect.stringContaining('id, name, type, created_at'),
  });
});

describe('the segments of a customer', () => {
  test('are those that list the customer, and those with a filter that the customer passes now', async () => {
    const { create, customer, namesOf, remove } = world(await loadProject());
    const { id } = await customer({ source_id: 'crm-1', metadata: { roast: 'dark' }, address: { city: 'Oslo' } });
    const made = await create({ name: 'Listed', type: 'static', customers: [id, 'cust_nobody'] });
    await create({ name: 'Others', type: 'static', customers: ['cust_nobody'] });
    await create({ name: 'Dark', type: 'passive', filter: dark });
    await create({ name: 'Light', type: 'passive', filter: asking('metadata.roast', { $is: ['light'] }) });
    await create({ name: 'In Oslo', type: 'auto-update', filter: asking('address.city', { $is: ['Oslo'] }) });
    for (const name of [id, 'crm-1']) expect(await namesOf(name)).toEqual(['In Oslo', 'Dark', 'Listed']);
    await customer({ source_id: 'crm-1', metadata: { roast: 'light' } });
    await remove(made.body.id);
    expect(await namesOf(id)).toEqual(['In Oslo', 'Light']);
  });

  test('of an unknown customer are the segments of a new customer', async () => {
    const { create, namesOf } = world(await loadProject());
    await create({ name: 'Never ordered', type: 'passive', filter: asking('summary.orders.total_count', { $is: 0 }) });
    await create({ name: 'Dark', type: 'passive', filter: dark });
    await create({ name: 'Nobody', type: 'static', customers: ['cust_nobody'] });
    expect(await namesOf('cust_nobody')).toEqual(['Never ordered']);
  });

  describe("follow from the customer's reply:", () => {
    let demo: ReturnType<typeof world>;
    beforeAll(async () => {
      demo = world(await loadDemo());
    });

    test.each([
      ['source_id', { $starts_with: 'crm-10' }, true],
      ['email', { $has_value: true }, true],
      ['email', { $ends_with: '.test' }, false],
      ['address.city', { $is: 'Bergen' }, true],
      ['address.line_2', { $is_unknown: true }, true],
      ['birthdate', { $is_unknown: true }, false],
      ['created_at', { $more_than_ago: 100 }, true],
      ['created_at', { $less_than_ago: 100 }, false],
      ['metadata.roast', { $in: ['light', 'dark'] }, true],
      ['summary.orders.total_count', { $more_than: 1_000 }, false],
      ['summary.redemptions.loyalty_card.points_to_go', { $more_than: 0 }, true],
      ['loyalty.points', { $more_than: 0 }, true],
      ['loyalty.campaigns.Harbour Crew.points', { $more_than: 0 }, true],
      ['loyalty.campaigns.Harbour Crew.loyalty_tier', { $has_value: true }, true],
      ['loyalty_points.campaigns.Harbour Crew.points', { $more_than: 0 }, true],
      ['loyalty_points.campaigns.constructor.points', { $has_value: true }, false],
      ['referrals.total', { $less_than: 1_000 }, true],
    ])('%s %j: %s', async (field, conditions, isIn) => {
      const created = await demo.create({
        name: `${field} ${JSON.stringify(conditions)}`,
        type: 'passive',
        filter: asking(field, conditions),
      });
      expect((await demo.namesOf('crm-101')).includes(created.body.name)).toBe(isIn);
      await demo.remove(created.body.id);
    });

    test('the demo has one segment of each kind', async () => {
      expect(await demo.namesOf('crm-102')).toEqual(expect.arrayContaining(['Dark roast']));
    });
  });
});

describe('the customers in a segment', () => {
  let all: ReturnType<typeof world>;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    all = world(await loadProject());
    for (const [name, roast, city] of [
      ['d', 'dark', 'Oslo'],
      ['b', 'dark', 'Bergen'],
      ['c', 'light', 'Oslo'],
      ['a', 'dark', 'Oslo'],
    ] as const) {
      ids[name] = (await all.customer({ source_id: name, name, address: { city }, metadata: { roast } })).id;
    }
  });

  const make = async (type: string) => {
    const customers = ['nobody', ids.d, ids.b, ids.a];
    const { body } = await all.create({ name: type, type, ...(type === 'static' ? { customers } : { filter: dark }) });
    if (type === 'auto-update') await all.follow(Object.values(ids));
    return body.id;
  };

  test.each(['static', 'passive', 'auto-update'])('are listed like all customers: %s', async (type) => {
    const id = await make(type);
    expect(await all.inSegment(id)).toEqual(['abd', 3, false, undefined]);
    expect(await all.inSegment(id, 'order=created_at&limit=2')).toEqual(['db', 3, true, ids.b]);
    expect(await all.inSegment(id, `order=created_at&limit=2&starting_after_id=${ids.b}`)).toEqual([
      'a',
      3,
      false,
      undefined,
    ]);
    expect(await all.inSegment(id, 'order=created_at&limit=2&page=2')).toEqual(['a', 3, false, undefined]);
    expect(await all.inSegment(id, 'order=source_id')).toEqual(['abd', 3, false, undefined]);
    expect(await all.inSegment(id, 'city=Oslo')).toEqual(['ad', 2, false, undefined]);
    expect(await all.inSegment(id, 'city=Oslo&order=source_id&limit=1')).toEqual(['a', 2, true, ids.a]);
    await all.remove(id);
    expect(await all.inSegment(id)).toEqual(['', 0, false, undefined]);
  });
});
