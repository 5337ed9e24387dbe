import { beforeAll, describe, expect, test } from 'vitest';
import { customers as customerKey } from '#engine/customers/customer.ts';
import { Table } from '#kernel/table/table.ts';
import { handler } from '../../functions/customers/get-customer.ts';
import { handler as listActivities } from '../../functions/customers/list-customer-activities.ts';
import { handler as listActivity } from '../../functions/customers/list-customer-activity.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as eventHandler } from '../../functions/events/send-event.ts';
import { caller } from '../support/call.ts';
import { card, club } from '../support/club.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { giftVoucher } from '../support/lists.ts';
import { loadProject, type TestProject } from '../support/project.ts';

function callsOf({ credentials: headers }: TestProject, dependencies = testDependencies()) {
  const get = caller(handler, dependencies);
  const send = caller(eventHandler, dependencies);
  return {
    get: (customerId: string) => get({ headers, params: { customerId } }),
    customer: async (customerId: string) => (await get({ headers, params: { customerId } })).body,
    send: (body: unknown) => send({ headers, body }),
  };
}

type Calls = ReturnType<typeof callsOf>;

const made = { created_at: '2026-01-10T09:00:00.000Z' };

const gift = (code: string, amount: number, balance: number, more = {}) =>
  giftVoucher(code, { amount, balance }, { active: true, ...more });

const blankSummary = {
  redemptions: {
    total_redeemed: 0,
    total_failed: 0,
    total_succeeded: 0,
    total_rolled_back: 0,
    total_rollback_failed: 0,
    total_rollback_succeeded: 0,
    gift: { redeemed_amount: 0, amount_to_go: 0 },
    loyalty_card: { redeemed_points: 0, points_to_go: 0 },
  },
  orders: { total_amount: 0, total_count: 0, average_amount: 0, last_order_amount: 0 },
};

const summary = {
  redemptions: { total_redeemed: 7, total_failed: 1, total_succeeded: 6, total_rolled_back: 'many' },
  orders: {
    total_amount: 12_000,
    total_count: 4,
    average_amount: 3_000,
    last_order_amount: 500,
    last_order_date: '2026-02-01T00:00:00Z',
  },
};

describe('a customer', () => {
  let calls: Calls;
  beforeAll(async () => {
    const customers = [
      ...club.customers,
      { id: 'cust_new', ...made },
      {
        id: 'cust_old',
        birthday: '1970-05-05',
        summary,
        loyalty: { referred_customers: 2 },
        referrals: { campaigns: [{ campaign_id: 'camp_friends', referrer_id: 'cust_gone' }] },
        ...made,
      },
      { id: 'cust_many', ...made },
      {
        id: 'cust_told',
        summary: {
          redemptions: {
            gift: { redeemed_amount: 900, amount_to_go: 100 },
            loyalty_card: { redeemed_points: 40, points_to_go: 60 },
          },
        },
        loyalty: { campaigns: { Club: { points: 1, referred_customers: 3 } } },
        ...made,
      },
      {
        id: 'cust_referrer',
        loyalty: {
          referred_customers: 4,
          campaigns: { Friends: { referred_customers: 4 }, Spring: { referred_customers: 0 }, Club: 'none' },
        },
        ...made,
      },
      { id: 'ünï#%/ /1', source_id: 'x'.repeat(300), ...made },
    ];
    const holder_id = 'cust_old';
    const redeemed = { redemption: { redeemed_quantity: 2, redeemed_points: 30, redeemed_amount: 1_000 } };
    const vouchers = [
      ...club.vouchers,
      card('OLD-1', 500, { holder_id, ...redeemed }),
      card('OLD-2', 20, { holder_id, redemption: { redeemed_points: 5 } }),
      card('OLD-3', 9, { holder_id, campaign_id: undefined }),
      card('OLD-4', 0, { holder_id, loyalty_card: { points: 8, lots: [{ points: 8, expires: '2026-06-14' }] } }),
      gift('OLD-5', 2_000, 1_500, { holder_id, redemption: { redeemed_amount: 500 } }),
      gift('OLD-6', 700, 700, { holder_id }),
      { code: 'OLD-7', type: 'DISCOUNT_VOUCHER', holder_id, redemption: { redeemed_quantity: 9 } },
      card('TOLD', 25, { holder_id: 'cust_told' }),
      ...Array.from({ length: 150 }, (_, index) => card(`MANY-${index}`, 2, { holder_id: 'cust_many' })),
    ];
    const project = await loadProject({ ...club, customers, vouchers });
    calls = callsOf(project);
    // This customer is from before a source id was refused that is the id of another.
    const { dynamodb, tableName } = testDependencies();
    const table = new Table(dynamodb, tableName, testTime);
    await table.insert(customerKey(project.id, 'shop-2'), { id: 'shop-2', ...made });
  });

  test('is found by any id and any source id', async () => {
    expect(await calls.customer('cust_ada')).toMatchObject({ id: 'cust_ada', source_id: 'shop-1', name: 'Ada' });
    expect(await calls.customer('shop-1')).toEqual(await calls.customer('cust_ada'));
    expect(await calls.customer('x'.repeat(300))).toMatchObject({ id: 'ünï#%/ /1' });
    expect(await calls.customer('ünï#%/ /1')).toMatchObject({ source_id: 'x'.repeat(300) });
  });

  test('has an address in its activities alone, and no page in a cockpit elsewhere', async () => {
    const { credentials: headers } = await loadProject({
      event_schema: [{ name: 'visit', metadata: {} }],
      customers: [{ id: 'ünï#%/ /1', ...made }],
    });
    await caller(eventHandler)({ headers, body: { event: 'visit', customer: { id: 'ünï#%/ /1' } } });
    const ofOne = { headers, params: { customerId: 'ünï#%/ /1' } };
    const assets = { cockpit_url: expect.stringMatching(/\/v1\/customers\/%C3%BCn%C3%AF%23%25%2F%20%2F1$/) };
    for (const list of [listActivities, listActivity]) {
      const { body } = await caller(list)(ofOne);
      expect(body.data.map((one: { data: { data: object } }) => one.data.data)).toMatchObject([
        { customer: { assets } },
      ]);
    }
    const [read, listed] = [await caller(handler)(ofOne), await caller(listCustomers)({ headers })];
    for (const one of [read.body, listed.body.customers[0]]) {
      expect(one).toMatchObject({ id: 'ünï#%/ /1' });
      expect(one).not.toHaveProperty('assets');
    }
  });

  test.each(['cust_nope', '__proto__', 'HELD_CARD#', 'x'.repeat(3_000)])('is missing by %.20s', async (id) => {
    expect(await calls.get(id)).toMatchObject({
      status: 404,
      body: { key: 'not_found', resource_id: id, resource_type: 'customer' },
    });
  });

  test("of another project is missing, and so is that customer's card", async () => {
    const other = callsOf(await loadProject({ vouchers: [{ code: 'ADA', type: 'DISCOUNT_VOUCHER' }] }));
    for (const id of ['cust_ada', 'shop-1', 'ADA']) expect((await other.get(id)).status).toBe(404);
  });

  test('without any data has figures of 0', async () => {
    expect(await calls.customer('cust_new')).toEqual({
      object: 'customer',
      id: 'cust_new',
      source_id: null,
      name: null,
      description: null,
      email: null,
      phone: null,
      birthday: null,
      birthdate: null,
      address: null,
      system_metadata: {},
      ...made,
      summary: blankSummary,
      loyalty: { points: 0, referred_customers: 0, campaigns: {} },
      referrals: { total: 0, campaigns: [] },
    });
  });

  test('has the figures of a file where the file has them, and the figures of all cards today', async () => {
    const { redemptions, orders } = blankSummary;
    expect(await calls.customer('cust_old')).toMatchObject({
      birthday: '1970-05-05',
      birthdate: '1970-05-05',
      summary: {
        redemptions: {
          ...redemptions,
          total_redeemed: 7,
          total_failed: 1,
          total_succeeded: 6,
          gift: { redeemed_amount: 500, amount_to_go: 2_200 },
          loyalty_card: { redeemed_points: 35, points_to_go: 529 },
        },
        orders: { ...orders, ...summary.orders, last_order_date: '2026-02-01T00:00:00.000Z' },
      },
      loyalty: { points: 529, referred_customers: 2, campaigns: { Club: { points: 520, referred_customers: 0 } } },
      referrals: { total: 1, campaigns: [{ campaign_id: 'camp_friends', referrer_id: 'cust_gone' }] },
    });
  });

  test("has a file's figures of gifts, points and referred customers, and the cards' own balances", async () => {
    expect(await calls.customer('cust_told')).toMatchObject({
      summary: {
        redemptions: {
          gift: { redeemed_amount: 900, amount_to_go: 100 },
          loyalty_card: { redeemed_points: 40, points_to_go: 25 },
        },
      },
      loyalty: { campaigns: { Club: { points: 25, referred_customers: 3 } } },
    });
  });

  test('counts referred customers by campaign: earlier ones of a file, and those counted since', async () => {
    const campaigns = async () => (await calls.customer('cust_referrer')).loyalty.campaigns;
    expect(await campaigns()).toEqual({ Friends: { points: 0, referred_customers: 4 } });
    const referral = { code: 'FRIEND-ADA', referrer_id: 'cust_referrer' };
    const refer = (source_id: string) => calls.send({ event: 'visited', customer: { source_id }, referral });
    await Promise.all(Array.from({ length: 5 }, (_, index) => refer(`by-campaign-${index}`)));
    expect(await campaigns()).toEqual({ Friends: { points: 0, referred_customers: 9 } });
  });

  test('may hold more cards than one call to DynamoDB reads', async () => {
    expect((await calls.customer('cust_many')).loyalty).toMatchObject({
      points: 300,
      campaigns: { Club: { points: 300 } },
    });
  });

  test('is not referred again if a file says that it happened before', async () => {
    await calls.send({ event: 'visited', customer: { id: 'cust_old' }, referral: { code: 'FRIEND-ADA' } });
    expect(await calls.customer('cust_old')).toMatchObject({ referrals: { total: 1 } });
    expect(await calls.customer('cust_ada')).toMatchObject({ loyalty: { referred_customers: 0 } });
  });

  test('has the date of birth of the last event, whatever a file called it', async () => {
    const send = (birthdate: string | null) =>
      calls.send({ event: 'visited', customer: { id: 'cust_old', birthdate } });
    for (const birthdate of ['1970-05-05', '1971-06-06', null]) {
      await send(birthdate);
      expect(await calls.customer('cust_old')).toMatchObject({ birthday: birthdate, birthdate });
    }
  });
});

test("a customer's tier is today's tier, before anything was done to the card and after", async () => {
  const clock = standingClock();
  const calls = callsOf(await loadProject(club), testDependencies({ clock }));
  const camp = async (id: string) => (await calls.customer(id)).loyalty.campaigns.Club;
  expect(await camp('cust_ada')).toEqual({ points: 900, referred_customers: 0, loyalty_tier: 'ltr_silver' });
  await calls.send({ event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
  expect(await camp('cust_ada')).toEqual({ points: 1015, referred_customers: 0, loyalty_tier: 'ltr_gold' });
  // The 115 points have expired, and nothing has read the card since.
  clock.set('2027-06-16T08:00:00Z');
  expect(await camp('cust_ada')).toEqual({ points: 900, referred_customers: 0, loyalty_tier: 'ltr_silver' });
});
