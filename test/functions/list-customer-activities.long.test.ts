import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Activity,
  activitiesUpTo,
  activity,
  callsOf,
  idsOf,
  minute,
  orders,
  walk,
} from '../support/activities.ts';
import { club } from '../support/club.ts';
import { loadProject } from '../support/project.ts';
import { isLong, sampled } from '../support/sampled.ts';

describe('a list of activities', () => {
  let calls: ReturnType<typeof callsOf>;
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
        ['campaign_id=', 60],
        ['campaign_type=LOYALTY_PROGRAM', 15],
        // The campaign says this if the activity does not.
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
      expect(new Set(idsOf(seen)).size).toBe(count);
      expect(seen).toHaveLength(count);
    }
  });

  test.each(sampled(orders, 6))('in the order %s is sorted by it, missing values last, then by id', async (order) => {
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
    const absent = idsOf(seen.slice(present.length));
    expect(absent).toEqual(descending ? absent.toSorted().reverse() : absent.toSorted());
    const sign = descending ? -1 : 1;
    const byValue = (one: Activity, other: Activity) =>
      (value(one) ?? '') === (value(other) ?? '')
        ? sign * (one.id < other.id ? -1 : 1)
        : sign * ((value(one) ?? '') < (value(other) ?? '') ? -1 : 1);
    expect(present).toEqual([...present].sort(byValue));
    expect(new Set(idsOf(seen)).size).toBe(60);
  });

  test.each([
    ['order=-created_at', (at: string) => at < minute(10), 20],
    ['order=created_at', (at: string) => at > minute(10), 38],
    ['order=-type', (at: string) => at < minute(10), 20],
    ['order=type', (at: string) => at > minute(10), 38],
  ])('%s with starting_after has only activities strictly beyond it', async (order, isBeyond, count) => {
    const { body } = await calls.list(`${order}&starting_after=${minute(10)}&limit=100`);
    expect(body.data).toHaveLength(count);
    expect(body.total).toBe(60);
    expect(body.data.every(({ created_at }: Activity) => isBeyond(created_at))).toBe(true);
  });

  test.each([
    ['starting_after=2026-03-01T00:00:00Z&starting_after_id=act_000001', 'starting_after_id'],
    ['starting_after_id=act_nope', 'starting_after_id'],
    // The id has the form of the service's own, and is longer than a sort key may be.
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

  test('is missing for an unknown customer, and for a customer of another project', async () => {
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

test('a page of the largest possible customer has as many activities as Lambda can reply with', async () => {
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
  expect(idsOf(seen)).toEqual(idsOf(activitiesUpTo(90)).toReversed());
});
