import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/events/send-event.ts';
import { caller } from '../support/call.ts';
import { clientWith, isTransaction } from '../support/client.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { itemsOf } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { openShop, type Shop } from '../support/shop.ts';

const types = ({ data }: { data: { type: string }[] }) => data.map(({ type }) => type).sort();
const added = 'customer.voucher.loyalty_card.points_added';

describe('an event', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });

  test('answers with the record of the contract, and is in the list of its customer', async () => {
    const metadata = { amount: 12.5, order_id: 'o-1', gift: false, on: '2026-06-01' };
    const { status, body } = await shop.send({ event: 'order_paid', customer: { source_id: 'shop-1' }, metadata });
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'event',
      type: 'order_paid',
      customer: {
        id: 'cust_ada',
        name: 'Ada',
        email: 'ada@mail.example',
        source_id: 'shop-1',
        metadata: { lang: 'en' },
        object: 'customer',
      },
      referral: null,
      loyalty: null,
      metadata,
    });
    const { data, total } = await shop.activities('shop-1');
    expect([total, data[0].type]).toEqual([2, added]);
    expect(data[1]).toMatchObject({
      type: 'customer.custom_event',
      created_at: testTime.toISOString(),
      data: {
        data: {
          customer: { id: 'cust_ada', source_id: 'shop-1', object: 'customer' },
          event: { type: 'order_paid', metadata },
        },
        event_source: { channel: 'API', api_key: { name: 'Shop', app_id: `app-${shop.project.id}` } },
      },
    });
  });

  test('makes a customer whose source id is new, with what it says of him', async () => {
    const address = { city: 'Bergen', country: 'NO' };
    const { body } = await shop.send({
      event: 'visited',
      customer: {
        source_id: 'new-1',
        name: 'Nora',
        email: 'n@mail.example',
        birthdate: '1990-02-28',
        address,
        metadata: { vip: true },
      },
    });
    expect(await shop.customer('new-1')).toMatchObject({
      id: body.customer.id,
      name: 'Nora',
      birthdate: '1990-02-28',
      birthday: '1990-02-28',
      address,
      metadata: { vip: true },
      created_at: testTime.toISOString(),
    });
    const list = await shop.activities('new-1');
    expect(types(list)).toEqual(['customer.created', 'customer.custom_event']);
    expect(list.total).toBe(2);
    expect(new Set(list.data.map(({ group_id }: { group_id: string }) => group_id)).size).toBe(1);
  });

  test('changes the customer where it says something else, key by key, and null clears', async () => {
    const id = (
      await shop.send({
        event: 'visited',
        customer: {
          source_id: 'new-2',
          name: 'Old',
          email: 'o@mail.example',
          metadata: { a: 1, b: 2 },
          address: { city: 'A', line_1: 'x' },
        },
      })
    ).body.customer.id;
    await shop.send({
      event: 'visited',
      customer: { id, name: 'New', email: null, metadata: { b: 3 }, address: { city: 'B' } },
    });
    expect(await shop.customer(id)).toMatchObject({
      name: 'New',
      email: null,
      metadata: { a: 1, b: 3 },
      address: { city: 'B', line_1: 'x' },
    });
    await shop.send({ event: 'visited', customer: { id, name: 'New' } });
    expect(types(await shop.activities(id))).toEqual([
      'customer.created',
      'customer.custom_event',
      'customer.custom_event',
      'customer.custom_event',
      'customer.updated',
    ]);
  });

  test('goes by the id where it has both', async () => {
    const { body } = await shop.send({ event: 'visited', customer: { id: 'cust_bob', source_id: 'shop-1' } });
    expect(body.customer).toMatchObject({ id: 'cust_bob', source_id: 'shop-2' });
  });

  test.each([
    ['no body', undefined, 400, 'invalid_payload', 'body'],
    ['an array', [], 400, 'invalid_payload', 'object'],
    [
      'an event of 0 characters',
      { event: '', customer: { id: 'cust_ada' } },
      400,
      'invalid_payload',
      'event must not be empty',
    ],
    [
      'an event of 301 characters',
      { event: 'x'.repeat(301), customer: { id: 'cust_ada' } },
      400,
      'invalid_payload',
      'event must have at most 300 characters',
    ],
    [
      'an event that is not defined',
      { event: 'nope', customer: { id: 'cust_ada' } },
      400,
      'event_not_defined',
      'event',
    ],
    [
      'an event named like a property of all objects',
      { event: 'constructor', customer: { id: 'cust_ada' } },
      400,
      'event_not_defined',
      'event',
    ],
    ['no customer', { event: 'visited' }, 400, 'invalid_payload', 'customer is required'],
    [
      'a customer without an id',
      { event: 'visited', customer: { name: 'X' } },
      400,
      'invalid_payload',
      'id or a source_id',
    ],
    [
      'a customer whose ids are null',
      { event: 'visited', customer: { id: null, source_id: null } },
      400,
      'invalid_payload',
      'id or a source_id',
    ],
    ['an unknown customer id', { event: 'visited', customer: { id: 'cust_nope' } }, 404, 'not_found', 'customer'],
    ['a source id for an id', { event: 'visited', customer: { id: 'shop-1' } }, 404, 'not_found', 'customer'],
    [
      'a birthdate that is none',
      { event: 'visited', customer: { id: 'cust_ada', birthdate: '2026-02-30' } },
      400,
      'invalid_payload',
      'customer.birthdate',
    ],
    [
      'metadata that is an array',
      { event: 'visited', customer: { id: 'cust_ada' }, metadata: [] },
      400,
      'invalid_payload',
      'metadata',
    ],
    [
      'metadata that the event does not have',
      { event: 'visited', customer: { id: 'cust_ada' }, metadata: { a: 1 } },
      400,
      'metadata_validation_failed',
      'metadata.a is not defined',
    ],
    [
      'metadata named like a property of all objects',
      { event: 'visited', customer: { id: 'cust_ada' }, metadata: { constructor: 1 } },
      400,
      'metadata_validation_failed',
      'metadata.constructor is not defined',
    ],
    [
      'metadata with half a character',
      { event: 'order_paid', customer: { id: 'cust_ada' }, metadata: { order_id: '\ud83d' } },
      400,
      'invalid_payload',
      'metadata must be well-formed Unicode',
    ],
    [
      'a customer with half a character',
      { event: 'visited', customer: { id: 'cust_ada', name: '\ud83d', address: { city: '\ud83d' } } },
      400,
      'invalid_payload',
      'customer.name must be well-formed Unicode; customer.address.city must be well-formed Unicode',
    ],
    [
      'metadata of other types',
      {
        event: 'order_paid',
        customer: { id: 'cust_ada' },
        metadata: { amount: '1', order_id: 1, gift: null, on: 'soon' },
      },
      400,
      'metadata_validation_failed',
      'metadata.amount must be a number; metadata.order_id must be a string; metadata.gift must be true or false; metadata.on must be a date',
    ],
    [
      'an unknown card',
      { event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'NOPE' } },
      404,
      'not_found',
      'voucher',
    ],
    [
      'a card that is a coupon',
      { event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'COUPON' } },
      400,
      'invalid_payload',
      'loyalty.code must name a loyalty card',
    ],
    [
      'a card that is off',
      { event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'OFF' } },
      400,
      'voucher_disabled',
      'loyalty.code',
    ],
    [
      'a card that has expired',
      { event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'OVER' } },
      400,
      'voucher_expired',
      'loyalty.code',
    ],
    [
      'loyalty without a code',
      { event: 'visited', customer: { id: 'cust_ada' }, loyalty: {} },
      400,
      'invalid_payload',
      'loyalty.code is required',
    ],
    [
      'an unknown referral code',
      { event: 'visited', customer: { id: 'cust_bob' }, referral: { code: 'NOPE' } },
      404,
      'not_found',
      'voucher',
    ],
    [
      'a referral code that is none',
      { event: 'visited', customer: { id: 'cust_bob' }, referral: { code: 'COUPON' } },
      400,
      'invalid_payload',
      'referral.code must name a referral code',
    ],
    [
      'an unknown referrer',
      { event: 'visited', customer: { id: 'cust_bob' }, referral: { code: 'FRIEND-ADA', referrer_id: 'nope' } },
      404,
      'not_found',
      'customer',
    ],
    [
      'more points than a card holds',
      { event: 'order_paid', customer: { id: 'cust_ada' }, loyalty: { code: 'NOBODYS' }, metadata: { amount: 1e20 } },
      400,
      'invalid_payload',
      'numbers between',
    ],
  ])('is refused with %s, and leaves nothing', async (_, body, status, key, details) => {
    const before = await itemsOf(shop.project.id, '');
    const reply = await shop.send(body);
    expect(reply).toMatchObject({ status, body: { key, details: expect.stringContaining(details) } });
    expect(await itemsOf(shop.project.id, '')).toEqual(before);
  });

  test('clears the metadata of its customer with null', async () => {
    const customer = { source_id: 'shop-cleared', metadata: { a: 1 } };
    expect((await shop.send({ event: 'visited', customer })).body.customer.metadata).toEqual({ a: 1 });
    const cleared = await shop.send({ event: 'visited', customer: { ...customer, metadata: null } });
    expect(cleared.body.customer.metadata).toEqual({});
    expect((await shop.customer('shop-cleared')).metadata).toEqual({});
  });

  test('null for referral, loyalty and metadata is as if they were not there', async () => {
    const nulls = { referral: null, loyalty: null, metadata: null };
    expect((await shop.send({ event: 'visited', customer: { id: 'cust_bob' }, ...nulls })).body.metadata).toEqual({});
  });
});

describe('an event with a card', () => {
  test('credits by every active rule of its event, as ledger entries and activities of the holder', async () => {
    const shop = await openShop();
    await shop.send({
      event: 'order_paid',
      customer: { id: 'cust_bob' },
      loyalty: { code: 'ADA' },
      metadata: { amount: 1050 },
    });
    // Ada is in silver with 900: 1.5 times the 10 of the first rule, and 3 by the second.
    expect(await shop.card('ADA')).toMatchObject({
      points: 918,
      balance: 918,
      next_expiration_date: '2027-06-15',
      next_expiration_points: 18,
    });
    const ledger = await shop.ledger('ADA');
    expect(ledger.map(({ type, points, balance }: Record<string, unknown>) => [type, points, balance])).toEqual([
      ['POINTS_ACCRUAL', 3, 918],
      ['POINTS_ACCRUAL', 15, 915],
    ]);
    expect(types(await shop.activities('cust_ada'))).toEqual([added, added]);
    expect(types(await shop.activities('cust_bob'))).toEqual(['customer.custom_event']);
    expect(await shop.activities('cust_ada', 'campaign_id=camp_club')).toMatchObject({ total: 2 });
  });

  test('takes the member up, and tells it', async () => {
    const shop = await openShop();
    await shop.send({ event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
    expect(await shop.card('ADA')).toMatchObject({ balance: 1015 });
    expect(await shop.tier('ADA')).toBe('ltr_gold');
    const list = await shop.activities('cust_ada', 'order=created_at');
    // As one brought about the other, though all are of one moment.
    expect(list.data.map(({ type }: { type: string }) => type)).toEqual([
      'customer.custom_event',
      added,
      'customer.loyalty.tier.upgraded',
    ]);
    expect(list.total).toBe(3);
    const upgraded = list.data.find(({ type }: { type: string }) => type.endsWith('upgraded'));
    expect(upgraded.data.data).toMatchObject({
      loyalty_tier: { id: 'ltr_gold' },
      previous_loyalty_tier: { id: 'ltr_silver' },
      customer: {
        id: 'cust_ada',
        loyalty: { points: 1015, campaigns: { Club: { points: 1015, loyalty_tier: 'ltr_gold' } } },
      },
    });
  });

  test('gives what the tier puts in place of the points', async () => {
    const shop = await openShop();
    await shop.send({ event: 'review_written', customer: { id: 'cust_bob' }, loyalty: { code: 'RICH' } });
    expect(await shop.card('RICH')).toMatchObject({ balance: 2075 });
  });

  test('makes points pending where the rule has a period, and credits none by a rule that is off', async () => {
    const shop = await openShop();
    await shop.send({ event: 'photo_added', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
    await shop.send({ event: 'signed_in', customer: { id: 'cust_ada' }, loyalty: { code: 'ADA' } });
    expect(await shop.card('ADA')).toMatchObject({ balance: 900 });
    const [pending, ...others] = await itemsOf(shop.project.id, 'PENDING_POINTS');
    expect(others).toEqual([]);
    expect(pending).toMatchObject({ points: 50, state: 'PENDING', activates_at: '2026-06-29T00:00:00.000Z' });
    expect(types(await shop.activities('cust_ada'))).toEqual([
      'customer.custom_event',
      'customer.custom_event',
      'customer.voucher.loyalty_card.pending_points.added',
    ]);
  });

  test('that nobody holds tells the customer of the event', async () => {
    const shop = await openShop();
    await shop.send({ event: 'visited', customer: { id: 'cust_bob' }, loyalty: { code: 'NOBODYS' } });
    const list = await shop.activities('cust_bob');
    expect(types(list)).toEqual(['customer.custom_event', added]);
    expect(list.total).toBe(2);
    expect(await shop.activities('cust_bob', 'campaign_id=camp_club')).toMatchObject({ total: 1 });
  });
});

describe('an event with a referral code', () => {
  test('counts the conversion once per referee, for the holder of the code', async () => {
    const shop = await openShop();
    const send = (source_id: string) =>
      shop.send({ event: 'signed_in', customer: { source_id }, referral: { code: 'FRIEND-ADA' } });
    await Promise.all([send('r-1'), send('r-1'), send('r-1'), send('r-2')]);
    await send('shop-1');
    const ada = await shop.customer('cust_ada');
    expect(ada.loyalty).toMatchObject({
      referred_customers: 2,
      campaigns: {
        Club: { referred_customers: 0 },
        Friends: { points: 0, referred_customers: 2, loyalty_tier: null },
      },
    });
    const list = await shop.activities('cust_ada');
    expect(types(list)).toEqual(['customer.custom_event', 'customer.referred', 'customer.referred']);
    expect(list.total).toBe(3);
    expect(await shop.activities('cust_ada', 'campaign_id=camp_friends')).toMatchObject({ total: 2 });
    expect((await shop.customer('r-1')).referrals).toEqual({
      total: 1,
      campaigns: [
        {
          campaign_id: 'camp_friends',
          referrer_id: 'cust_ada',
          related_object_id: expect.stringMatching(/^v_/),
          related_object_type: 'voucher',
          date: testTime.toISOString(),
        },
      ],
    });
  });

  test('counts for the referrer that it names, by id or source id', async () => {
    const shop = await openShop();
    await shop.send({
      event: 'visited',
      customer: { source_id: 'r-3' },
      referral: { code: 'FRIEND-ADA', referrer_id: 'shop-2' },
    });
    expect((await shop.customer('cust_bob')).loyalty.referred_customers).toBe(1);
    expect((await shop.customer('cust_ada')).loyalty.referred_customers).toBe(0);
  });
});

describe('many at once', () => {
  test('twenty events for one new source id make one customer and twenty activities', async () => {
    const shop = await openShop();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => shop.send({ event: 'visited', customer: { source_id: 'rush' } })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.customer.id)).size).toBe(1);
    const list = await shop.activities('rush');
    expect(list.total).toBe(21);
    expect(types(list)).toEqual(['customer.created', ...Array(20).fill('customer.custom_event')]);
  });

  test('twenty events on one card credit it twenty times, its ledger without a gap', async () => {
    const shop = await openShop();
    const event = { event: 'review_written', customer: { id: 'cust_bob' }, loyalty: { code: 'BOB' } };
    const { balance: before } = await shop.card('BOB');
    const replies = await Promise.all(Array.from({ length: 20 }, () => shop.send(event)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const ledger: { points: number; balance: number }[] = await shop.ledger('BOB');
    expect(ledger).toHaveLength(20);
    expect(await shop.card('BOB')).toMatchObject({ balance: ledger[0]?.balance });
    for (const [index, { points, balance }] of ledger.entries()) {
      expect(balance - points).toBe(ledger[index + 1]?.balance ?? before);
    }
  });
});

test('conflicts that last are told as 429, after they were retried, and nothing is written', async () => {
  const shop = await openShop();
  const { dynamodb } = testDependencies();
  const before = await itemsOf(shop.project.id, '');
  const client = clientWith(dynamodb, async (command, real) => {
    if (!isTransaction(command)) return real();
    throw new TransactionCanceledException({
      message: 'cancelled',
      $metadata: {},
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    });
  });
  const { status, headers, body } = await caller(
    handler,
    testDependencies({ dynamodb: client, patienceInMs: 300 }),
  )({
    headers: shop.project.credentials,
    body: { event: 'visited', customer: { id: 'cust_ada' } },
  });
  expect({ status, key: body.key, after: headers['Retry-After'] }).toEqual({
    status: 429,
    key: 'too_many_requests',
    after: '1',
  });
  expect(await itemsOf(shop.project.id, '')).toEqual(before);
});

test('points beyond what a card can count are refused, at once or after others, and leave nothing', async () => {
  const shop = await openShop();
  const event = (amount: number) => ({
    event: 'jackpot_hit',
    customer: { id: 'cust_ada' },
    loyalty: { code: 'NOBODYS' },
    metadata: { amount },
  });
  const refused = { status: 400, body: { key: 'invalid_amount', details: expect.stringContaining('metadata') } };
  expect(await shop.send(event(2 ** 53 - 1))).toMatchObject(refused);
  expect((await shop.send(event(5_000_000_000_000))).status).toBe(200);
  expect(await shop.send(event(5_000_000_000_000))).toMatchObject(refused);
  expect(await shop.card('NOBODYS')).toMatchObject({ balance: 5_000_000_000_000_000 });
  expect(await shop.activities('cust_ada')).toMatchObject({ total: 3 });
});

test('an event may have 300 emoji, each of which is one character', async () => {
  const event = '🎟'.repeat(300);
  const { credentials: headers } = await loadProject({ event_schema: [{ name: event, metadata: {} }] });
  const body = { event, customer: { source_id: 'one', name: '🎟'.repeat(300) } };
  expect(await caller(handler)({ headers, body })).toMatchObject({ status: 200, body: { type: event } });
});

test('metadata that would make that of the customer longer than 50 KB is refused, and named', async () => {
  const shop = await openShop();
  const event = (key: string) => ({
    event: 'visited',
    customer: { id: 'cust_ada', metadata: { [key]: 'x'.repeat(26_000) } },
  });
  expect((await shop.send(event('one'))).status).toBe(200);
  const { status, body } = await shop.send(event('two'));
  expect({ status, key: body.key }).toEqual({ status: 400, key: 'invalid_payload' });
  expect(body.details).toContain('customer.metadata');
});

test('an event after the last day of points writes them off first', async () => {
  const clock = standingClock();
  const shop = await openShop(testDependencies({ clock }));
  const body = { event: 'visited', customer: { id: 'cust_ada' }, loyalty: { code: 'NOBODYS' } };
  await shop.send(body);
  clock.set('2027-06-16T08:00:00Z');
  expect(await shop.card('NOBODYS')).toMatchObject({ points: 100, balance: 0 });
  await shop.send(body);
  const ledger = await shop.ledger('NOBODYS');
  expect(ledger.map(({ type, points, balance }: Record<string, unknown>) => [type, points, balance])).toEqual([
    ['POINTS_ACCRUAL', 100, 100],
    ['POINTS_EXPIRATION', -100, 0],
    ['POINTS_ACCRUAL', 100, 100],
  ]);
});
