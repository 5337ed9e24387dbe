import { beforeAll, describe, expect, test } from 'vitest';
import { itemsOf } from '../support/outbox.ts';
import { openShop, type Shop } from '../support/shop.ts';

const visit = (more: object) => ({ event: 'visited', customer: { id: 'cust_ada' }, ...more });

describe('an event', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });

  test.each([
    ['no body', undefined, 400, 'invalid_payload', 'body'],
    ['an array', [], 400, 'invalid_payload', 'object'],
    ['an event of 0 characters', visit({ event: '' }), 400, 'invalid_payload', 'event must not be empty'],
    [
      'an event of 301 characters',
      visit({ event: 'x'.repeat(301) }),
      400,
      'invalid_payload',
      'event must have at most 300 characters',
    ],
    ['an event that is not defined', visit({ event: 'nope' }), 400, 'event_not_defined', 'event'],
    [
      'an event named like a property of all objects',
      visit({ event: 'constructor' }),
      400,
      'event_not_defined',
      'event',
    ],
    ['no customer', { event: 'visited' }, 400, 'invalid_payload', 'customer is required'],
    ['a customer without an id', visit({ customer: { name: 'X' } }), 400, 'invalid_payload', 'id or a source_id'],
    [
      'a customer whose ids are null',
      visit({ customer: { id: null, source_id: null } }),
      400,
      'invalid_payload',
      'id or a source_id',
    ],
    ['an unknown customer id', visit({ customer: { id: 'cust_nope' } }), 404, 'not_found', 'customer'],
    ['a source id for an id', visit({ customer: { id: 'shop-1' } }), 404, 'not_found', 'customer'],
    [
      'a birthdate that is none',
      visit({ customer: { id: 'cust_ada', birthdate: '2026-02-30' } }),
      400,
      'invalid_payload',
      'customer.birthdate',
    ],
    ['an invalid birthdate', visit({ metadata: [] }), 400, 'invalid_payload', 'metadata'],
    [
      'metadata that the event does not define',
      visit({ metadata: { a: 1 } }),
      400,
      'metadata_validation_failed',
      'metadata.a is not defined',
    ],
    [
      'metadata named like a property of all objects',
      visit({ metadata: { constructor: 1 } }),
      400,
      'metadata_validation_failed',
      'metadata.constructor is not defined',
    ],
    [
      'metadata with half a character',
      visit({ event: 'order_paid', metadata: { order_id: '\ud83d' } }),
      400,
      'invalid_payload',
      'metadata must be well-formed Unicode',
    ],
    [
      'a customer with half a character',
      visit({ customer: { id: 'cust_ada', name: '\ud83d', address: { city: '\ud83d' } } }),
      400,
      'invalid_payload',
      'customer.name must be well-formed Unicode; customer.address.city must be well-formed Unicode',
    ],
    [
      'metadata of other types',
      visit({ event: 'order_paid', metadata: { amount: '1', order_id: 1, gift: null, on: 'soon' } }),
      400,
      'metadata_validation_failed',
      'metadata.amount must be a number; metadata.order_id must be a string; metadata.gift must be true or false; metadata.on must be a date',
    ],
    ['an unknown card', visit({ loyalty: { code: 'NOPE' } }), 404, 'not_found', 'voucher'],
    [
      'a card that is a coupon',
      visit({ loyalty: { code: 'COUPON' } }),
      400,
      'invalid_payload',
      'loyalty.code must name a loyalty card',
    ],
    ['a disabled card', visit({ loyalty: { code: 'OFF' } }), 400, 'voucher_disabled', 'loyalty.code'],
    ['a card that has expired', visit({ loyalty: { code: 'OVER' } }), 400, 'voucher_expired', 'loyalty.code'],
    ['loyalty without a code', visit({ loyalty: {} }), 400, 'invalid_payload', 'loyalty.code is required'],
    [
      'an unknown referral code',
      visit({ customer: { id: 'cust_bob' }, referral: { code: 'NOPE' } }),
      404,
      'not_found',
      'voucher',
    ],
    [
      'a voucher that is not a referral code',
      visit({ customer: { id: 'cust_bob' }, referral: { code: 'COUPON' } }),
      400,
      'invalid_payload',
      'referral.code must name a referral code',
    ],
    [
      'an unknown referrer',
      visit({ customer: { id: 'cust_bob' }, referral: { code: 'FRIEND-ADA', referrer_id: 'nope' } }),
      404,
      'not_found',
      'customer',
    ],
    [
      'more points than a card holds',
      visit({ event: 'order_paid', loyalty: { code: 'NOBODYS' }, metadata: { amount: 1e20 } }),
      400,
      'invalid_payload',
      'numbers between',
    ],
  ])('is refused with %s, and changes nothing', async (_, body, status, key, details) => {
    const before = await itemsOf(shop.project.id, '');
    const reply = await shop.send(body);
    expect(reply).toMatchObject({ status, body: { key, details: expect.stringContaining(details) } });
    expect(await itemsOf(shop.project.id, '')).toEqual(before);
  });
});

test("points beyond a card's limit are refused, at once or after others, and change nothing", async () => {
  const shop = await openShop();
  const event = (amount: number) => visit({ event: 'jackpot_hit', loyalty: { code: 'NOBODYS' }, metadata: { amount } });
  const refused = { status: 400, body: { key: 'invalid_amount', details: expect.stringContaining('metadata') } };
  expect(await shop.send(event(2 ** 53 - 1))).toMatchObject(refused);
  expect((await shop.send(event(5_000_000_000_000))).status).toBe(200);
  expect(await shop.send(event(5_000_000_000_000))).toMatchObject(refused);
  expect(await shop.card('NOBODYS')).toMatchObject({ balance: 5_000_000_000_000_000 });
  expect(await shop.activities('cust_ada')).toMatchObject({ total: 4 });
});

test("metadata that would make the customer's longer than 50 KB is refused, and named", async () => {
  const shop = await openShop();
  const event = (key: string) => visit({ customer: { id: 'cust_ada', metadata: { [key]: 'x'.repeat(26_000) } } });
  expect((await shop.send(event('one'))).status).toBe(200);
  const { status, body } = await shop.send(event('two'));
  expect({ status, key: body.key }).toEqual({ status: 400, key: 'invalid_payload' });
  expect(body.details).toContain('customer.metadata');
});
