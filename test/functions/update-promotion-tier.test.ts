import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler as getHandler } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as campaignHandler } from '../../functions/promotions/list-campaign-promotion-tiers.ts';
import { handler as listHandler } from '../../functions/promotions/list-promotion-tiers.ts';
import { handler as updateHandler } from '../../functions/promotions/update-promotion-tier.ts';
import { caller } from '../support/call.ts';
import { clientWith } from '../support/client.ts';
import { standingClock, testDependencies, uniqueId } from '../support/dependencies.ts';
import { expectTiersListed } from '../support/listed.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const start = '2026-03-01T00:00:00.000Z';
const end = '2026-05-01T00:00:00.000Z';
const campaigns = [
  { id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC' },
  { id: 'camp_2', name: 'Two', campaign_type: 'PROMOTION', type: 'STATIC' },
];
const tier = (id: string, hierarchy: number, rest: object = {}) => ({
  id,
  name: `Tier ${id}`,
  campaign_id: 'camp_1',
  hierarchy,
  created_at: `2026-01-0${hierarchy}T00:00:00.000Z`,
  ...rest,
});

const lists = {
  categories: [
    { id: 'cat_1', name: 'One' },
    { id: 'cat_2', name: 'Two' },
  ],
  validation_rules: [
    { id: 'val_1', name: 'One' },
    { id: 'val_2', name: 'Two' },
  ],
  validation_rules_assignments: [
    { id: 'asgm_1', rule_id: 'val_1', related_object_type: 'promotion_tier', related_object_id: 'promo_dated' },
  ],
  campaigns,
  promotion_tiers: [
    tier('promo_plain', 1, { metadata: { a: 1, b: { deep: true } } }),
    tier('promo_dated', 2, {
      category: 'One',
      banner: 'Hello',
      action: { discount: { type: 'PERCENT', percent_off: 5 } },
      start_date: start,
      expiration_date: end,
      validity_timeframe: { interval: 'P2D', duration: 'P1D' },
      validity_day_of_week: [1],
      validity_hours: { daily: [{ start_time: '10:00', expiration_time: '11:00' }] },
      metadata: { kept: true },
    }),
    tier('promo_third', 3),
    tier('promo_fourth', 4, { campaign_id: 'camp_2' }),
  ],
};
const allIds = lists.promotion_tiers.map(({ id }) => id);

let project: TestProject;
beforeAll(async () => {
  project = await loadProject(lists);
});

/** Each at a time of its own, as requests come. */
function updater(own: TestProject) {
  let seconds = 0;
  return (promotionTierId: string, body: unknown) => {
    seconds += 1;
    const clock = standingClock(new Date(Date.UTC(2026, 5, 15, 12, 0, seconds)));
    const dependencies = testDependencies({ clock });
    return caller(updateHandler, dependencies)({ params: { promotionTierId }, headers: own.credentials, body });
  };
}
const update = (id: string, body: unknown) => updater(project)(id, body);
const readOf = async (own: TestProject, promotionTierId: string) =>
  (await caller(getHandler)({ params: { promotionTierId }, headers: own.credentials })).body;
const read = (id: string) => readOf(project, id);

describe('an update', () => {
  test('sets what is sent, leaves the rest, and ignores an id', async () => {
    const before = await read('promo_third');
    const sent = {
      name: 'Third',
      banner: 'Now',
      action: { discount: { type: 'AMOUNT', amount_off: 300, effect: 'APPLY_TO_ORDER' } },
      start_date: '2026-03-01T02:00:00+02:00',
      expiration_date: end,
      validity_timeframe: { interval: 'P7D', duration: 'PT2H' },
      validity_day_of_week: [0, 6],
      validity_hours: { daily: [{ start_time: '08:00', expiration_time: '09:00', days_of_week: [0] }] },
      category: 'Two',
    };
    const { status, body } = await update('promo_third', { ...sent, id: 'promo_other', active: false });
    expect(status).toBe(200);
    const { category, ...shown } = sent;
    expect(body).toEqual({
      ...before,
      ...shown,
      start_date: start,
      category_id: 'cat_2',
      categories: [expect.objectContaining({ id: 'cat_2' })],
      updated_at: '2026-06-15T12:00:01.000Z',
    });
    expect(await read('promo_third')).toEqual(body);
    expect((await update('promo_third', { category_id: 'cat_1' })).body).toMatchObject({ category_id: 'cat_1' });
    expect((await update('promo_third', {})).body).toMatchObject({ name: 'Third', category_id: 'cat_1' });
  });

  test('replaces metadata key by key', async () => {
    const { body } = await update('promo_plain', { metadata: { a: 2, 'c d': null } });
    expect(body.metadata).toEqual({ a: 2, b: { deep: true }, 'c d': null });
    expect((await update('promo_plain', { metadata: null })).body.metadata).toEqual({});
    expect((await update('promo_plain', { metadata: { x: 1 } })).body.metadata).toEqual({ x: 1 });
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`key ${index}`, index]));
    expect((await update('promo_plain', { metadata: many })).body.metadata).toEqual({ x: 1, ...many });
  });

  test('clears with null', async () => {
    const own = await loadProject(lists);
    const { body } = await updater(own)('promo_dated', {
      banner: null,
      action: null,
      start_date: null,
      expiration_date: null,
      validity_timeframe: null,
      validity_day_of_week: null,
      validity_hours: null,
      validation_rule_assignments: null,
      category_id: null,
    });
    expect(body).toMatchObject({
      name: 'Tier promo_dated',
      category_id: null,
      categories: [],
      metadata: { kept: true },
      validation_rule_assignments: { data: [], total: 0 },
    });
    const cleared = ['banner', 'action', 'start_date', 'expiration_date', 'validity_timeframe', 'validity_day_of_week'];
    for (const name of [...cleared, 'validity_hours']) expect(body).not.toHaveProperty(name);
  });

  test('takes the list of rules that a reply has: it keeps those that were there, and makes the others', async () => {
    const { validation_rule_assignments: before } = await read('promo_dated');
    expect(before).toMatchObject({ total: 1, data: [{ id: 'asgm_1', rule_id: 'val_1' }] });
    const again = await update('promo_dated', { validation_rule_assignments: before });
    expect(again.body.validation_rule_assignments).toEqual(before);
    const data = [...before.data, { rule_id: 'val_2' }, { rule_id: 'val_2' }];
    const { body } = await update('promo_dated', { validation_rule_assignments: { ...before, data } });
    expect(body.validation_rule_assignments).toMatchObject({
      total: 2,
      data: [
        before.data[0],
        { rule_id: 'val_2', related_object_id: 'promo_dated', related_object_type: 'promotion_tier' },
      ],
    });
    const unknown = await update('promo_dated', { validation_rule_assignments: { data: [{ rule_id: 'val_nope' }] } });
    expect(unknown.body).toMatchObject({ code: 404, resource_id: 'val_nope', resource_type: 'validation_rules' });
  });

  test('of the rank moves the tier in both lists, behind the older one of the same rank', async () => {
    const own = await loadProject(lists);
    const ids = async (campaignId?: string) => {
      const request = { headers: own.credentials };
      const reply = await (campaignId === undefined
        ? caller(listHandler)(request)
        : caller(campaignHandler)({ ...request, params: { campaignId } }));
      return reply.body.tiers.map(({ id }: { id: string }) => id);
    };
    const change = updater(own);
    await change('promo_plain', { hierarchy: 3 });
    expect(await ids()).toEqual(['promo_dated', 'promo_plain', 'promo_third', 'promo_fourth']);
    await change('promo_third', { hierarchy: -1 });
    await change('promo_fourth', { hierarchy: 2 });
    expect(await ids()).toEqual(['promo_third', 'promo_dated', 'promo_fourth', 'promo_plain']);
    expect(await ids('camp_1')).toEqual(['promo_third', 'promo_dated', 'promo_plain']);
    await expectTiersListed(own.id, allIds);
    const query = 'order=-updated_at';
    const latest = await caller(listHandler)({ query, headers: own.credentials });
    expect(latest.body.tiers[0]).toMatchObject({ id: 'promo_fourth', hierarchy: 2 });
  });
});

describe('an update is refused', () => {
  const percent = { type: 'PERCENT', percent_off: 5 };
  const hours = (...daily: object[]) => ({ validity_hours: { daily } });
  const window = (start_time: string, expiration_time: string, days_of_week?: number[]) => ({
    start_time,
    expiration_time,
    ...(days_of_week ? { days_of_week } : {}),
  });

  test.each<[string, string, object, string]>([
    ['a discount without a type', 'promo_plain', { action: { discount: {} } }, 'action.discount.type'],
    ['an unknown kind of discount', 'promo_plain', { action: { discount: { type: 'HALF' } } }, 'action.discount.type'],
    [
      'a percentage above 100',
      'promo_plain',
      { action: { discount: { ...percent, percent_off: 101 } } },
      'action.discount.percent_off',
    ],
    [
      'a percentage that is none',
      'promo_plain',
      { action: { discount: { ...percent, percent_off: '5' } } },
      'action.discount.percent_off',
    ],
    ['no percentage', 'promo_plain', { action: { discount: { type: 'PERCENT' } } }, 'action.discount.percent_off'],
    [
      'a negative amount',
      'promo_plain',
      { action: { discount: { type: 'AMOUNT', amount_off: -1 } } },
      'action.discount.amount_off',
    ],
    [
      'half a cent',
      'promo_plain',
      { action: { discount: { type: 'AMOUNT', amount_off: 0.5 } } },
      'action.discount.amount_off',
    ],
    [
      'a wrong effect',
      'promo_plain',
      { action: { discount: { ...percent, effect: 'APPLY_TO_NOTHING' } } },
      'action.discount.effect',
    ],
    ['a discount that is a number', 'promo_plain', { action: { discount: 5 } }, 'action.discount'],
    ['an action without a discount', 'promo_plain', { action: {} }, 'action.discount'],
    ['an action that is a list', 'promo_plain', { action: [] }, 'action'],
    ['a rank beyond what numbers hold', 'promo_plain', { hierarchy: -(2 ** 53) }, 'hierarchy'],
    ['no name', 'promo_plain', { name: null }, 'name'],
    ['half a rank', 'promo_plain', { hierarchy: 1.5 }, 'hierarchy'],
    ['no rank', 'promo_plain', { hierarchy: null }, 'hierarchy'],
    ['no name', 'promo_plain', { name: null }, 'name'],
    ['metadata that is a list', 'promo_plain', { metadata: [1] }, 'metadata'],
    ['a weekday 7', 'promo_plain', { validity_day_of_week: [1, 7] }, 'validity_day_of_week[1]'],
    ['a date that is none', 'promo_plain', { start_date: '2026-02-30T00:00:00Z' }, 'start_date'],
    ['dates out of order', 'promo_plain', { start_date: end, expiration_date: start }, 'expiration_date'],
    ['an end before the stored start', 'promo_dated', { expiration_date: '2026-02-01T00:00:00Z' }, 'expiration_date'],
    ['a start after the stored end', 'promo_dated', { start_date: '2026-06-01T00:00:00Z' }, 'expiration_date'],
    [
      'a timeframe without a start',
      'promo_plain',
      { validity_timeframe: { interval: 'P1D', duration: 'PT1H' } },
      'validity_timeframe',
    ],
    ['the start taken from a timeframe', 'promo_dated', { start_date: null }, 'validity_timeframe'],
    [
      'hours that overlap',
      'promo_plain',
      hours(window('10:00', '12:00'), window('11:59', '13:00', [3])),
      'validity_hours.daily',
    ],
    [
      'hours that go on into those of the next day',
      'promo_plain',
      hours(window('22:00', '02:00', [6]), window('01:00', '03:00', [0])),
      'validity_hours.daily',
    ],
    ['two categories', 'promo_plain', { category: 'One', category_id: 'cat_1' }, 'category'],
    [
      'rules that are no list',
      'promo_plain',
      { validation_rule_assignments: { object: 'list' } },
      'validation_rule_assignments.data',
    ],
    [
      'too many rules',
      'promo_plain',
      { validation_rule_assignments: { data: Array(21).fill({ rule_id: 'val_1' }) } },
      'validation_rule_assignments.data',
    ],
    ['a list', 'promo_plain', [], 'the body'],
  ])('with %s, naming the place, and changes nothing', async (_, id, body, place) => {
    const before = await read(id);
    const reply = await update(id, body);
    expect([reply.status, reply.body.key]).toEqual([400, 'invalid_payload']);
    expect(reply.body.details.split(' ')[0]).toBe(place.split(' ')[0]);
    expect(await read(id)).toEqual(before);
  });

  test('with all its faults told at once', async () => {
    const { details } = (await update('promo_plain', { hierarchy: 1.5, banner: 5, validity_day_of_week: [7] })).body;
    for (const place of ['hierarchy', 'banner', 'validity_day_of_week[0]']) expect(details).toContain(place);
  });

  test('for a tier, a category that is not there', async () => {
    expect((await update('promo_nope', { name: 'x' })).body).toMatchObject({
      code: 404,
      resource_id: 'promo_nope',
      resource_type: 'promotion_tier',
    });
    expect((await update('promo_plain', { category: 'Three' })).body).toMatchObject({
      code: 404,
      resource_id: 'Three',
      resource_type: 'category',
    });
    const other = await loadProject();
    expect((await updater(other)('promo_plain', { name: 'x' })).status).toBe(404);
  });

  test('where it would make its metadata longer than 50 KB', async () => {
    const own = await loadProject(lists);
    const change = updater(own);
    expect((await change('promo_plain', { metadata: { one: 'x'.repeat(26_000) } })).status).toBe(200);
    const { status, body } = await change('promo_plain', { metadata: { two: 'x'.repeat(26_000) } });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('metadata would have');
    await expectTiersListed(own.id, allIds);
  });
});

describe('updates at once', () => {
  test('of different fields of one tier both survive', async () => {
    const own = await loadProject(lists);
    const change = updater(own);
    const replies = await Promise.all([
      change('promo_plain', { banner: 'Both' }),
      change('promo_plain', { hierarchy: 9, metadata: { c: 3 } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readOf(own, 'promo_plain')).toMatchObject({
      banner: 'Both',
      hierarchy: 9,
      metadata: { a: 1, b: { deep: true }, c: 3 },
    });
    await expectTiersListed(own.id, allIds);
  });

  test('by twenty callers, moves of the rank among them, leave every list right and lose nothing', async () => {
    const own = await loadProject(lists);
    const change = updater(own);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const id = allIds[index % 2] ?? '';
        return change(id, { metadata: { [`key${index}`]: index }, ...(index % 3 ? {} : { hierarchy: index }) });
      }),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const shown = await Promise.all(['promo_plain', 'promo_dated'].map((id) => readOf(own, id)));
    expect(
      shown.flatMap(({ metadata }) => Object.keys(metadata).filter((name) => name.startsWith('key'))),
    ).toHaveLength(20);
    await expectTiersListed(own.id, allIds);
  });

  test('of two dates that do not go together leave the tier with its dates in order', async () => {
    const own = await loadProject(lists);
    const change = updater(own);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        change('promo_dated', {
          [index % 2 ? 'start_date' : 'expiration_date']: `2026-04-${10 + index}T00:00:00Z`,
        }),
      ),
    );
    for (const { status } of replies) expect([200, 400]).toContain(status);
    const { start_date, expiration_date } = await readOf(own, 'promo_dated');
    expect(start_date <= expiration_date).toBe(true);
  });

  test('that keep coming before one are told to it as 429, and it changes nothing', async () => {
    const own = await loadProject(lists);
    const { dynamodb } = testDependencies();
    const client = clientWith(dynamodb, async (command, real) => {
      if (command.constructor.name !== 'TransactWriteCommand') return real();
      throw new TransactionCanceledException({
        message: 'another was faster',
        $metadata: {},
        CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }, { Code: 'None' }],
      });
    });
    const before = await readOf(own, 'promo_plain');
    const { body, headers } = await caller(
      updateHandler,
      testDependencies({ dynamodb: client, patienceInMs: 300 }),
    )({ params: { promotionTierId: 'promo_plain' }, headers: own.credentials, body: { banner: 'Late' } });
    expect(body).toMatchObject({ code: 429, key: 'too_many_requests' });
    expect(headers['Retry-After']).toBe('1');
    expect(await readOf(own, 'promo_plain')).toEqual(before);
  });

  test('in the same moment are no different', async () => {
    const own = await loadProject(lists);
    const replies = await Promise.all(
      [1, 2, 3].map((hierarchy) =>
        caller(updateHandler)({
          params: { promotionTierId: 'promo_plain' },
          headers: own.credentials,
          body: { hierarchy, metadata: { [uniqueId('k')]: hierarchy } },
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(Object.keys((await readOf(own, 'promo_plain')).metadata)).toHaveLength(5);
    await expectTiersListed(own.id, allIds);
  });
});
