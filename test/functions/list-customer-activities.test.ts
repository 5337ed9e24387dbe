import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/customers/list-customer-activities.ts';
import { handler as eventHandler } from '../../functions/events/send-event.ts';
import { handler as adjustHandler } from '../../functions/loyalties/adjust-pending-points.ts';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { caller } from '../support/call.ts';
import { card, club } from '../support/club.ts';
import { ownTable, standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { programme } from '../support/loyalty.ts';
import { loadFile, loadProject, type TestProject } from '../support/project.ts';
import { isLong, sampled } from '../support/sampled.ts';

interface Activity {
  id: string;
  type: string;
  created_at: string;
}

const orders = ['created_at', 'updated_at', 'type', 'code', 'campaign', 'category'].flatMap((name) => [
  name,
  `-${name}`,
]);

/** The calls of one project's shop. */
function callsOf(project: TestProject, dependencies = testDependencies()) {
  const headers = project.credentials;
  const list = caller(handler, dependencies);
  const send = caller(eventHandler, dependencies);
  return {
    list: (query = '', customerId = 'cust_ada') => list({ headers, params: { customerId }, query }),
    send: (body: unknown) => send({ headers, body }),
  };
}

type Calls = ReturnType<typeof callsOf>;

/** Walks a list by the id of the last one seen, until there is no more. */
async function walk({ list }: Calls, query: string, between: (page: number) => Promise<unknown> = async () => {}) {
  const seen: Activity[] = [];
  for (let page = 0; ; page++) {
    const after = seen.at(-1);
    const cursor = after ? `&starting_after_id=${encodeURIComponent(after.id)}` : '';
    const { status, body } = await list(`${query}${cursor}`);
    expect(status).toBe(200);
    if (body.data.length === 0) return seen;
    seen.push(...body.data);
    await between(page);
  }
}

const minute = (index: number) => new Date(Date.UTC(2026, 2, 1) + index * 60_000).toISOString();

/** The n-th of many activities: two at each moment, some about a campaign, some with a code. */
function activity(index: number, customer = 'cust_ada') {
  return {
    id: `act_${String(index).padStart(6, '0')}`,
    type: ['customer.confirmed', 'customer.custom_event', 'customer.updated'][index % 3],
    created_at: minute(Math.floor(index / 2)),
    data: { data: { customer: { id: customer } }, event_source: { channel: 'API' } },
    group_id: `grp_${index % 7}`,
    ...(index % 4 === 0 ? { campaign_id: 'camp_club', campaign_type: 'LOYALTY_PROGRAM' } : {}),
    ...(index % 4 === 1 ? { campaign: 'Spring' } : {}),
    ...(index % 5 === 0 ? { code: 'ADA', product_id: 'prod_mug' } : {}),
  };
}

const activitiesUpTo = (count: number) => Array.from({ length: count }, (_, index) => activity(index));

describe('a list of activities', () => {
  let calls: Calls;
  beforeAll(async () => {
    calls = callsOf(await loadProject({ ...club, activities: activitiesUpTo(60) }));
  });

  test('shows the newest ten first, each with the whole customer, and counts all', async () => {
    const { status, body } = await calls.list();
    expect(status).toBe(200);
    expect(body.total).toBe(60);
    expect(body.data.map(({ id }: Activity) => Number(id.slice(4)))).toEqual([59, 58, 57, 56, 55, 54, 53, 52, 51, 50]);
    expect(body.data[0]).toEqual({
      id: 'act_000059',
      type: 'customer.updated',
      created_at: minute(29),
      group_id: 'grp_3',
      data: {
        data: { customer: expect.objectContaining({ id: 'cust_ada', name: 'Ada', object: 'customer' }) },
        event_source: { channel: 'API' },
      },
    });
    expect(body.data[0].data.data.customer).toMatchObject({
      summary: {
        redemptions: { gift: { redeemed_amount: 0, amount_to_go: 1200 }, loyalty_card: { points_to_go: 900 } },
        orders: { total_count: 0 },
      },
      loyalty: { points: 900, referred_customers: 0, campaigns: { Club: { points: 900 } } },
      referrals: { total: 0, campaigns: [] },
    });
  });

  test('is found by the source id as well, and is empty for a customer without a history', async () => {
    expect((await calls.list('limit=1', 'shop-1')).body).toMatchObject({ total: 60, data: [{ id: 'act_000059' }] });
    expect((await calls.list('', 'cust_bob')).body).toEqual({ object: 'list', data_ref: 'data', data: [], total: 0 });
  });

  test.each(
    sampled(
      [
        ['campaign_id=camp_club', 15],
        ['campaign_id=camp_spring', 15],
        ['campaign_id=camp_nope', 0],
        ['campaign_id=', 0],
        ['campaign_type=LOYALTY_PROGRAM', 15],
        // Told by the campaign where the activity does not tell it.
        ['campaign_type=DISCOUNT_COUPONS', 15],
        ['campaign_type=PROMOTION', 0],
        ['product_id=prod_mug', 12],
        ['product_id=prod_mug&campaign_id=camp_club', 3],
        [`start_date=${minute(10)}`, 40],
        [`end_date=${minute(10)}`, 22],
        [`start_date=${minute(10)}&end_date=${minute(10)}`, 2],
        [`start_date=${minute(10)}&end_date=${minute(19)}&campaign_id=camp_club`, 5],
        [`start_date=${encodeURIComponent('2026-03-01T02:10:00+02:00')}`, 40],
      ],
      6,
    ),
  )('by %s has %i, and walks through them', async (query, count) => {
    expect((await calls.list(query)).body.total).toBe(count);
    for (const order of ['-created_at', 'created_at', 'type']) {
      const seen = await walk(calls, `${query}&limit=${isLong ? 4 : 13}&order=${order}`);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(count);
      expect(seen).toHaveLength(count);
    }
  });

  test.each(sampled(orders, 6))(
    'in the order %s is sorted by it, what has no value last, then by id',
    async (order) => {
      const seen = await walk(calls, `limit=7&order=${order}`);
      const descending = order.startsWith('-');
      const value = ({ id, created_at, type }: Activity): string | undefined => {
        const sent: Record<string, unknown> = activity(Number(id.slice(4)));
        const campaign = sent.campaign_id ? 'Club' : (sent.campaign as string | undefined);
        const values: Record<string, string | undefined> = {
          created_at,
          updated_at: created_at,
          type,
          code: sent.code as string | undefined,
          campaign,
          category: campaign === 'Club' ? 'Members' : undefined,
        };
        return values[order.replace('-', '')];
      };
      const present = seen.filter((one) => value(one) !== undefined);
      expect(seen.slice(0, present.length)).toEqual(present);
      const sign = descending ? -1 : 1;
      const byValue = (one: Activity, other: Activity) =>
        (value(one) ?? '') === (value(other) ?? '')
          ? sign * (one.id < other.id ? -1 : 1)
          : sign * ((value(one) ?? '') < (value(other) ?? '') ? -1 : 1);
      expect(present).toEqual([...present].sort(byValue));
      expect(new Set(seen.map(({ id }) => id)).size).toBe(60);
    },
  );

  test.each([
    ['order=-created_at', (at: string) => at < minute(10), 20],
    ['order=created_at', (at: string) => at > minute(10), 38],
    ['order=-type', (at: string) => at < minute(10), 20],
    ['order=type', (at: string) => at > minute(10), 38],
  ])('%s with starting_after has what is strictly beyond it', async (order, isBeyond, count) => {
    const { body } = await calls.list(`${order}&starting_after=${minute(10)}&limit=100`);
    expect(body.data).toHaveLength(count);
    expect(body.total).toBe(60);
    expect(body.data.every(({ created_at }: Activity) => isBeyond(created_at))).toBe(true);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['order=name', 'order'],
    ['order=', 'order'],
    ['starting_after=2026-03-01T00:00:00Z&starting_after_id=act_000001', 'starting_after_id'],
    ['starting_after_id=act_nope', 'starting_after_id'],
    ['starting_after_id=', 'starting_after_id'],
    // As if of the service's own, and longer than a sort key may be.
    [`starting_after_id=act_0mqi8v5c0${'x'.repeat(2_000)}`, 'starting_after_id'],
    ['starting_after=2026-03-01T00:00:00', 'starting_after'],
    ['start_date=2026-03-01', 'start_date'],
    ['end_date=2026-02-30T00:00:00Z', 'end_date'],
    ['start_date=2026-03-02T00:00:00Z&end_date=2026-03-01T00:00:00Z', 'end_date'],
    ['campaign_type=CLUB', 'campaign_type'],
  ])('refuses %s', async (query, place) => {
    const { status, body } = await calls.list(query);
    expect({ status, key: body.key }).toEqual({ status: 400, key: 'invalid_query_params' });
    expect(body.details).toContain(place);
  });

  test("refuses the id of another customer's activity, made by the service or by a file", async () => {
    await calls.send({ event: 'visited', customer: { id: 'cust_bob' } });
    const [own] = (await calls.list('', 'cust_bob')).body.data;
    for (const [id, customer] of [
      [own.id, 'cust_ada'],
      ['act_000001', 'cust_bob'],
    ]) {
      expect((await calls.list(`starting_after_id=${id}`, customer)).body).toMatchObject({
        key: 'invalid_query_params',
      });
    }
  });

  test('of an unknown customer, or of one of another project, is not there', async () => {
    const other = callsOf(await loadProject());
    for (const [list, id] of [
      [calls.list, 'cust_nope'],
      [other.list, 'cust_ada'],
      [other.list, 'shop-1'],
    ] as const) {
      expect(await list('', id)).toMatchObject({ status: 404, body: { key: 'not_found', resource_id: id } });
    }
  });
});

describe('what is done to a card is told to its holder, and counted:', () => {
  const steps = {
    campaigns: [...club.campaigns, programme('camp_steps')],
    loyalty_tiers: [
      ...club.loyalty_tiers,
      { id: 'ltr_low', name: 'Low', campaign_id: 'camp_steps', points: { from: 100, to: 499 } },
      { id: 'ltr_high', name: 'High', campaign_id: 'camp_steps', points: { from: 500 } },
    ],
    vouchers: [
      ...club.vouchers,
      card('STEPS', 0, { holder_id: 'cust_ada', campaign_id: 'camp_steps' }),
      card('BOBS-STEPS', 1_000, { holder_id: 'cust_bob', campaign_id: 'camp_steps' }),
    ],
    pending_points: [{ id: 'lopp_1', code: 'ADA', points: 40 }],
  };
  const transferred = 'customer.voucher.loyalty_card.points_transferred';
  const move = (name: string) => `customer.loyalty.tier.${name}`;

  async function open(clock = standingClock()) {
    const dependencies = testDependencies({ clock });
    const project = await loadProject({ ...club, ...steps });
    const { credentials: headers } = project;
    const transfer = caller(transferHandler, dependencies);
    const adjust = caller(adjustHandler, dependencies);
    const calls = callsOf(project, dependencies);
    return {
      ...calls,
      project,
      transfer: async (from: string, to: string, points: number, campaignId = 'camp_steps') => {
        clock.advance(1);
        const body = [{ code: from, points, source_id: `tx-${points}`, reason: 'gift' }];
        const reply = await transfer({ headers, params: { campaignId, memberId: to }, body });
        expect(reply.status).toBe(200);
        return reply;
      },
      adjust: (points: number) =>
        adjust({ headers, params: { memberId: 'ADA', pendingPointsId: 'lopp_1' }, body: { points } }),
      /** The whole list, of which the parts and the totals must agree. */
      told: async (customerId: string) => {
        const { body } = await calls.list('order=created_at&limit=100', customerId);
        expect(body.total).toBe(body.data.length);
        const range = await calls.list(`start_date=${testTime.toISOString()}&limit=100`, customerId);
        expect(range.body).toMatchObject({ total: body.total });
        return body.data as (Activity & { group_id: string; data: { data: Record<string, unknown> } })[];
      },
    };
  }

  const typesOf = (activities: Activity[]) => activities.map(({ type }) => type);

  test('points that go from one to another, at both', async () => {
    const { transfer, told } = await open();
    await transfer('BOBS-STEPS', 'STEPS', 60);
    const [received] = await told('cust_ada');
    const [given] = await told('cust_bob');
    expect(received).toMatchObject({
      type: transferred,
      data: {
        data: {
          customer: { id: 'cust_ada', name: 'Ada' },
          voucher: { code: 'STEPS' },
          campaign: { id: 'camp_steps' },
          transaction: { type: 'POINTS_TRANSFER_IN', points: 60, balance: 60, reason: 'gift' },
        },
        event_source: { channel: 'API', api_key: { name: 'Shop' } },
      },
    });
    expect(given).toMatchObject({
      type: transferred,
      group_id: received?.group_id,
      data: {
        data: {
          customer: { id: 'cust_bob', name: 'Bob' },
          voucher: { code: 'BOBS-STEPS' },
          transaction: { type: 'POINTS_TRANSFER_OUT', points: -60, balance: 940, to: { code: 'STEPS' } },
        },
      },
    });
  });

  test('both sides of points that go between cards of one holder', async () => {
    const { transfer, told, list } = await open();
    await transfer('RICH', 'BOBS-STEPS', 10);
    expect(typesOf(await told('cust_bob'))).toEqual([transferred, transferred]);
    for (const campaign of ['camp_steps', 'camp_club']) {
      expect((await list(`campaign_id=${campaign}`, 'cust_bob')).body).toMatchObject({ total: 1, data: [{}] });
    }
  });

  test('tiers that are joined, gone up and down in, and left', async () => {
    const { transfer, told, list } = await open();
    for (const points of [99, 1, 400]) await transfer('BOBS-STEPS', 'STEPS', points);
    for (const points of [2, 450]) await transfer('STEPS', 'BOBS-STEPS', points);
    const activities = await told('cust_ada');
    expect(typesOf(activities)).toEqual([
      transferred,
      ...[transferred, move('joined')],
      ...[transferred, move('upgraded')],
      ...[transferred, move('downgraded')],
      ...[transferred, move('left')],
    ]);
    const moves = activities.filter(({ type }) => type !== transferred).map(({ data }) => data.data);
    expect(moves).toMatchObject([
      { loyalty_tier: { id: 'ltr_low' }, voucher: { code: 'STEPS' }, campaign: { id: 'camp_steps' } },
      { loyalty_tier: { id: 'ltr_high' }, previous_loyalty_tier: { id: 'ltr_low' } },
      { loyalty_tier: { id: 'ltr_low' }, previous_loyalty_tier: { id: 'ltr_high' } },
      { previous_loyalty_tier: { id: 'ltr_low' } },
    ]);
    expect(moves[0]).not.toHaveProperty('previous_loyalty_tier');
    expect(moves[3]).not.toHaveProperty('loyalty_tier');
    const ofSteps = (await list('campaign_id=camp_steps&order=created_at&limit=100')).body;
    expect(ofSteps).toMatchObject({ total: 9, data: activities.map(({ id }) => ({ id })) });
  });

  test('pending points that are adjusted', async () => {
    const { adjust, told, list } = await open();
    expect((await adjust(-15)).body).toMatchObject({ points: -15, total: 25 });
    expect(await told('cust_ada')).toMatchObject([
      {
        type: 'customer.voucher.loyalty_card.pending_points.updated',
        data: { data: { voucher: { code: 'ADA' }, pending_points: { id: 'lopp_1', points: 25, change: -15 } } },
      },
    ]);
    expect((await list('campaign_id=camp_club')).body.total).toBe(1);
  });

  test('what time alone has done, before the next change', async () => {
    const clock = standingClock();
    const { send, told } = await open(clock);
    const visit = () => send({ event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
    await visit();
    clock.set('2027-06-16T08:00:00Z');
    await visit();
    const added = 'customer.voucher.loyalty_card.points_added';
    expect(typesOf(await told('cust_ada')).sort()).toEqual(
      [
        ...['customer.custom_event', added, move('upgraded')],
        ...[move('downgraded'), 'customer.custom_event', added, move('upgraded')],
      ].sort(),
    );
  });

  test('all of it together, however many at once, and nothing twice when the file is loaded again', async () => {
    const { project, send, transfer, adjust, told, list } = await open();
    const file = { ...project.file, activities: activitiesUpTo(30) };
    const loads = Array.from({ length: 3 }, () => loadFile(file));
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, () =>
        send({ event: 'photo_added', customer: { source_id: 'shop-1', name: 'Ada L.' }, loyalty: { code: 'ADA' } }),
      ),
      transfer('BOBS-STEPS', 'STEPS', 500),
      transfer('RICH', 'ADA', 70, 'camp_club'),
      adjust(5),
      send({ event: 'visited', customer: { source_id: 'r-1' }, referral: { code: 'FRIEND-ADA' } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    await Promise.all(loads);
    await loadFile(file);
    const seen = await walk({ list, send }, 'limit=7');
    expect(seen).toHaveLength((await list()).body.total);
    const services = seen.filter(({ id }) => !/^act_\d{6}$/.test(id));
    expect(seen.length - services.length).toBe(30);
    expect(
      typesOf(services)
        .filter((type) => type !== 'customer.updated')
        .sort(),
    ).toEqual(
      [
        ...Array(8).fill('customer.custom_event'),
        ...Array(8).fill('customer.voucher.loyalty_card.pending_points.added'),
        'customer.voucher.loyalty_card.pending_points.updated',
        ...[transferred, transferred],
        move('joined'),
        'customer.referred',
      ].sort(),
    );
    expect(typesOf(await told('cust_bob'))).toEqual([transferred, transferred]);
    const byCampaign = { camp_club: 8 + 10, camp_steps: 2, camp_friends: 1, camp_spring: 8 };
    for (const [campaign, total] of Object.entries(byCampaign)) {
      const { body } = await list(`campaign_id=${campaign}&limit=100`);
      expect({ campaign, total: body.total, shown: body.data.length }).toEqual({ campaign, total, shown: total });
    }
  });
});

test('one entry of a ledger is several activities, none of which a walk skips or repeats', async () => {
  const project = await loadProject(club);
  const calls = callsOf(project);
  // To gold, at once with the points.
  await calls.send({ event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
  await calls.send({ event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
  for (const order of orders) {
    const seen = await walk(calls, `limit=1&order=${order}`);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(5);
    expect(seen).toHaveLength(5);
  }
  const range = `start_date=${testTime.toISOString()}&end_date=${testTime.toISOString()}`;
  expect((await calls.list(range)).body.total).toBe(5);
  expect((await calls.list(`${range}&campaign_id=camp_club`)).body.total).toBe(3);
});

test('a page of a customer as large as they may be has as many activities as Lambda can reply with', async () => {
  const metadata = { text: 'é'.repeat(25_000) };
  const customers = [{ id: 'cust_ada', metadata, system_metadata: metadata }];
  const calls = callsOf(
    await loadProject({
      ...club,
      customers,
      vouchers: club.vouchers.filter(({ code }) => code === 'ADA' || code === 'COUPON'),
      activities: activitiesUpTo(90),
    }),
  );
  const { body } = await calls.list('limit=100');
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(6_000_000);
  expect(body).toMatchObject({ total: 90 });
  expect(body.data.length).toBeGreaterThan(10);
  const seen = await walk(calls, 'limit=100');
  expect(seen.map(({ id }) => id)).toEqual(
    activitiesUpTo(90)
      .map(({ id }) => id)
      .toReversed(),
  );
});

describe('whatever the ids of one moment are', () => {
  const ids = [...Array.from({ length: 12 }, (_, index) => `import.${index}`), 'import', 'é', '\uff21', '😀', '#', '$'];
  let calls: Calls;
  beforeAll(async () => {
    const activities = ids.map((id) => ({ ...activity(0), id, created_at: minute(5) }));
    calls = callsOf(await loadProject({ ...club, activities: [...activities, activity(4), activity(40)] }));
  });

  test.each(sampled(orders, 4))('a walk by %s meets each once', async (order) => {
    for (const limit of isLong ? [1, 4] : [3]) {
      const seen = await walk(calls, `limit=${limit}&order=${order}`);
      expect(seen.map(({ id }) => id).sort()).toEqual([...ids, 'act_000004', 'act_000040'].sort());
    }
  });

  test('a part of the list has the order of the whole', async () => {
    for (const order of ['created_at', '-created_at']) {
      const [whole, part] = await Promise.all(
        ['', '&campaign_type=LOYALTY_PROGRAM'].map((more) => walk(calls, `order=${order}${more}`)),
      );
      expect(part?.length).toBeGreaterThan(ids.length);
      expect(part).toEqual(whole);
    }
  });

  test('the bounds of a range have them all, and starting_after none', async () => {
    const at = minute(5);
    for (const order of ['created_at', '-created_at', 'type']) {
      const { body } = await calls.list(`start_date=${at}&end_date=${at}&order=${order}&limit=100`);
      expect(body.total).toBe(ids.length);
      expect(body.data).toHaveLength(ids.length);
    }
    expect((await calls.list(`starting_after=${at}&order=created_at`)).body.data).toMatchObject([{ id: 'act_000040' }]);
    expect((await calls.list(`starting_after=${at}&order=-created_at`)).body.data).toMatchObject([
      { id: 'act_000004' },
    ]);
  });
});

test.each(sampled(orders, 4))(
  'a walk by %s meets what was there exactly once, while new ones arrive',
  async (order) => {
    const clock = standingClock();
    const calls = callsOf(await loadProject({ ...club, activities: activitiesUpTo(40) }), testDependencies({ clock }));
    const seen = await walk(calls, `limit=6&order=${order}`, async (page) => {
      if (page > 6) return;
      clock.advance(1);
      await calls.send({ event: 'visited', customer: { id: 'cust_ada' } });
    });
    const ids = seen.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => /^act_\d{6}$/.test(id)).sort()).toEqual(activitiesUpTo(40).map(({ id }) => id));
  },
);

describe('with 10,000 activities (1,000 but for long runs)', () => {
  const count = isLong ? 10_000 : 1_000;

  test('a page reads about a page: the first, a deep one, and one of a campaign; and the cursor walks them all', {
    timeout: 600_000,
  }, async () => {
    const tableName = await ownTable();
    const dependencies = testDependencies({ tableName });
    const project = await loadProject({ ...club, activities: activitiesUpTo(count) }, dependencies);
    const small = await loadProject({ ...club, activities: activitiesUpTo(10) }, dependencies);
    const unitsOf = async (shop: TestProject, query: string, total: number) => {
      const own = testDependencies({ tableName });
      const { body } = await callsOf(shop, own).list(query);
      expect(body).toMatchObject({ total });
      expect(body.data).toHaveLength(10);
      return JSON.parse(own.lines.at(-1) ?? '').read_units as number;
    };
    const page = await unitsOf(small, '', 10);
    expect(page).toBeGreaterThan(0);
    for (const [query, total] of [
      ['', count],
      ['starting_after_id=act_000500', count],
      [`starting_after=${minute(100)}`, count],
      ['campaign_id=camp_club', count / 4],
      ['campaign_id=camp_club&starting_after_id=act_000400', count / 4],
    ] as const) {
      expect(await unitsOf(project, query, total)).toBeLessThanOrEqual(3 * page);
    }
    const calls = callsOf(project, dependencies);
    const seen = await walk(calls, 'limit=100');
    expect(seen.map(({ id }) => id)).toEqual(
      activitiesUpTo(count)
        .map(({ id }) => id)
        .reverse(),
    );
    const last = (await calls.list('order=type&limit=3')).body;
    expect(last).toMatchObject({
      total: count,
      data: [{ id: 'act_000000' }, { id: 'act_000003' }, { id: 'act_000006' }],
    });
  });
});
