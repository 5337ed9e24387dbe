import { beforeAll, describe, expect, test } from 'vitest';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { caller, type Reply } from '../support/call.ts';
import { clientWith } from '../support/client.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { type Fair, fair, openFair, pooled } from '../support/publishing.ts';

const done = ({ status, body }: Reply) => {
  expect(body).toMatchObject({ object: 'publication' });
  expect(status).toBe(200);
  return body;
};

const refused = (reply: Reply, key: string) => expect(reply.body).toMatchObject({ code: 400, key });

describe('a publication', () => {
  let shop: Fair;
  beforeAll(async () => {
    shop = await openFair();
  });

  test('of a voucher makes its customer the holder, once, and tells it', async () => {
    const body = done(
      await shop.publish({ voucher: 'ALONE', customer: { source_id: 'ada' }, metadata: { a: 1 }, channel: null }),
    );
    expect(body).toEqual({
      id: expect.stringMatching(/^pub_/),
      object: 'publication',
      created_at: testTime.toISOString(),
      customer_id: 'cust_ada',
      tracking_id: 'ada',
      metadata: { a: 1 },
      channel: 'API',
      source_id: null,
      result: 'SUCCESS',
      customer: {
        id: 'cust_ada',
        source_id: 'ada',
        name: 'Ada',
        email: 'ada@mail.example',
        metadata: {},
        object: 'customer',
      },
      vouchers_id: [body.voucher.id],
      voucher: await shop.voucher('ALONE'),
    });
    expect(body.voucher).toMatchObject({
      holder_id: 'cust_ada',
      publish: { count: 1 },
      updated_at: testTime.toISOString(),
    });
    refused(await shop.publish({ voucher: 'ALONE', customer: { id: 'cust_bob' } }), 'voucher_already_published');
    const { data } = await shop.activities('ada');
    const types = data.map(({ type }: { type: string }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['customer.publication.succeeded', 'customer.holder.assignment.created']),
    );
    expect((await shop.wallet('ada')).data[0]).toMatchObject({
      redeemable_id: body.voucher.id,
      holder_role: 'OWNER',
      created_at: testTime.toISOString(),
    });
  });

  test('takes texts for objects, makes its customer, and takes the voucher where both are named', async () => {
    const body = done(
      await shop.publish({ campaign: 'Few', customer: 'new-1', source_id: null, metadata: null, voucher: null }),
    );
    expect(body).toMatchObject({ tracking_id: 'new-1', voucher: { code: 'FEW-1', campaign: 'Few' } });
    const both = { voucher: 'POOL-0', campaign: { name: 'No such campaign' }, customer: { email: 'x@mail.example' } };
    const nameless = done(await shop.publish(both));
    expect(nameless).toMatchObject({ tracking_id: null, customer: { email: 'x@mail.example' } });
  });

  test('gives no code that was used up before anybody got it', async () => {
    const used = pooled('camp_pool', 4, 'USED').map((one) => ({
      ...one,
      redemption: { quantity: 1, redeemed_quantity: 1 },
    }));
    const shop = await openFair({ ...fair, vouchers: [...used, ...pooled('camp_pool', 1, 'NEW')] });
    const body = done(await shop.publish({ campaign: 'Pool', customer: { source_id: 'ada' } }));
    expect(body.voucher.code).toBe('NEW-0');
    refused(await shop.publish({ campaign: 'Pool', customer: 'ada' }), 'no_voucher_suitable_for_publication');
  });

  test.each([
    ['nothing', {}, 'missing_vouchers'],
    [
      'more than one with a source id',
      { campaign: { name: 'Pool', count: 2 }, source_id: 's' },
      'too_many_vouchers_requested',
    ],
    ['several where one is all', { campaign: { name: 'Once', count: 2 } }, 'too_many_vouchers_requested'],
    ['fifty-one', { campaign: { name: 'Pool', count: 51 } }, 'invalid_payload'],
    ['none', { campaign: { name: 'Pool', count: 0 } }, 'invalid_payload'],
    ['what another holds', { voucher: 'FEW-HELD' }, 'voucher_already_published'],
    ['promotions', { campaign: 'Tiers' }, 'no_voucher_suitable_for_publication'],
  ])('of %s is refused', async (_, body, key) => {
    refused(await shop.publish({ customer: { source_id: 'nobody' }, ...body }), key);
    expect((await shop.customer('nobody')).code).toBe(404);
  });

  test.each([
    ['a voucher', { voucher: 'NOPE', customer: 'ada' }, 'voucher'],
    ['a campaign', { campaign: { name: 'NOPE' }, customer: 'ada' }, 'campaign'],
    ['a customer', { campaign: 'Pool', customer: { id: 'NOPE' } }, 'customer'],
  ])('names %s that is there', async (_, body, type) => {
    const reply = await shop.publish(body);
    expect(reply.body).toMatchObject({ code: 404, key: 'not_found', resource_id: 'NOPE', resource_type: type });
  });

  test('needs a customer, whose source id is nobody’s id', async () => {
    refused(await shop.publish({ campaign: 'Pool' }), 'invalid_payload');
    expect((await shop.publish({ campaign: 'Pool', customer: 'cust_bob' })).body).toMatchObject({
      code: 409,
      key: 'duplicate_found',
    });
  });

  test.each<[object, string]>([
    [{ campaign: 'Pool', customer: 5 }, 'customer must be a string or an object'],
    [{ campaign: 'Pool', customer: { source_id: 'c', email: 5 } }, 'customer.email must be a string'],
    [{ campaign: {}, customer: 'c' }, 'campaign.name is required'],
    [{ campaign: { name: 'Pool', count: [] }, customer: 'c' }, 'campaign.count must be'],
  ])('%j is told as %s', async (body, details) => {
    expect((await shop.publish(body)).body.details).toContain(details);
  });

  test('from a campaign that is switched off gives what it has, for the days that the campaign says', async () => {
    const { voucher } = done(await shop.publish({ campaign: 'Short', customer: 'ada' }));
    expect(voucher).toMatchObject({ created_at: testTime.toISOString(), expiration_date: '2026-06-22T12:00:00.000Z' });
  });

  test('from an empty AUTO_UPDATE campaign makes what it lacks: gift vouchers, codes of referrers', async () => {
    const { vouchers, vouchers_id } = done(
      await shop.publish({ campaign: { name: 'Gift', count: 3 }, customer: 'gil' }),
    );
    expect(new Set(vouchers).size).toBe(3);
    expect(vouchers_id).toHaveLength(3);
    expect(await shop.voucher(vouchers[0])).toMatchObject({
      gift: { amount: 500, balance: 500 },
      publish: { count: 1 },
    });
    expect((await shop.customer('gil')).summary).toMatchObject({});
    done(await shop.publish({ campaign: 'Mate', customer: 'gil' }));
    const { data } = await shop.wallet('gil');
    expect(data.map((one: { holder_role: string }) => one.holder_role).sort()).toEqual([
      'OWNER',
      'OWNER',
      'OWNER',
      'REFERRER',
    ]);
  });

  test('of a card makes a member, in the tier of the points, and no second one', async () => {
    const { voucher, id } = done(await shop.publish({ campaign: 'Club', customer: 'mia' }));
    expect(voucher).toMatchObject({ code: 'CARD', loyalty_card: { points: 15, balance: 15 } });
    expect(await shop.tier('CARD')).toBe('ltr_one');
    expect((await shop.customer('mia')).loyalty).toMatchObject({ points: 15 });
    expect((await shop.activities('mia')).data.map(({ type }: { type: string }) => type)).toContain(
      'customer.loyalty.tier.joined',
    );
    expect(done(await shop.publish({ campaign: 'camp_club', customer: 'mia' })).id).toBe(id);
    const made = done(await shop.publish({ campaign: 'Club', customer: 'max' })).voucher;
    expect(made.loyalty_card).toMatchObject({ points: 40, balance: 40 });
  });

  test('of fifty is one transaction, and the wallet has them all when the work behind it is done', async () => {
    const { vouchers } = done(await shop.publish({ campaign: { name: 'camp_mate', count: 50 }, customer: 'fifty' }));
    expect(new Set(vouchers).size).toBe(50);
    await runOutbox(shop.project.id, shop.dependencies);
    const { data, total } = await shop.wallet('fifty');
    expect([total, new Set(data.map((one: { redeemable_id: string }) => one.redeemable_id)).size]).toEqual([50, 50]);
  });

  test('of more than there are takes none of them', async () => {
    const before = await itemsOf(shop.project.id, 'PUBLICATION_JOIN');
    refused(
      await shop.publish({ campaign: { name: 'Pool', count: 13 }, customer: 'ada' }),
      'no_voucher_suitable_for_publication',
    );
    expect(await itemsOf(shop.project.id, 'PUBLICATION_JOIN')).toHaveLength(before.length);
    const all = done(await shop.publish({ campaign: { name: 'Pool', count: 11 }, customer: 'ada' })).vouchers;
    expect(all.toSorted()).toEqual(Array.from({ length: 11 }, (_, index) => `POOL-${index + 1}`).toSorted());
  });
});

describe('a customer who gets one voucher of a campaign', () => {
  let shop: Fair;
  beforeAll(async () => {
    shop = await openFair();
  });

  test('is answered with it again, and refused another', async () => {
    const first = done(await shop.publish({ campaign: 'Once', customer: 'ada' }));
    expect(done(await shop.publish({ campaign: 'Once', customer: 'ada' }))).toEqual(first);
    expect(done(await shop.publish({ voucher: first.voucher.code, customer: 'ada' }))).toEqual(first);
    const other = first.voucher.code === 'ONCE-1' ? 'ONCE-2' : 'ONCE-1';
    refused(await shop.publish({ voucher: other, customer: 'ada' }), 'voucher_cannot_be_published');
    refused(
      await shop.publish({ campaign: 'Once', customer: 'ada', source_id: 'again' }),
      'voucher_cannot_be_published',
    );
  });

  test('may be asked for by the request, of any campaign', async () => {
    const first = done(await shop.publish({ campaign: 'Pool', customer: 'eve' }));
    expect(done(await shop.publish({ campaign: 'Pool', customer: 'eve' }, 'join_once=true')).id).toBe(first.id);
    expect(done(await shop.publish({ campaign: 'Pool', customer: 'eve' })).id).not.toBe(first.id);
  });

  test('is refused one where a file has given them theirs', async () => {
    const held = { ...fair, vouchers: [{ ...fair.vouchers[3], holder_id: 'cust_bob' }] };
    const other = await openFair(held);
    refused(await other.publish({ campaign: 'Once', customer: { id: 'cust_bob' } }), 'voucher_cannot_be_published');
  });

  test('gets one however often it is asked for at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => shop.publish({ campaign: 'Once', customer: 'twenty' })),
    );
    expect(new Set(all.map((reply) => done(reply).id)).size).toBe(1);
    expect((await shop.wallet('twenty')).total).toBe(1);
  });
});

describe('a source id', () => {
  let shop: Fair;
  beforeAll(async () => {
    shop = await openFair();
  });

  test('of twenty at once is of one publication', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => shop.publish({ campaign: 'Pool', customer: 'sid', source_id: 'one' })),
    );
    expect(new Set(all.map((reply) => done(reply).id)).size).toBe(1);
    expect((await shop.wallet('sid')).total).toBe(1);
    expect(await shop.list('source_id=one')).toMatchObject({ total: 1, publications: [{ source_id: 'one' }] });
  });

  test('that was used for something else is refused', async () => {
    const first = done(await shop.publish({ campaign: 'Pool', customer: 'uno', source_id: 'used' }));
    expect(done(await shop.publish({ campaign: 'camp_pool', customer: 'uno', source_id: 'used' }))).toEqual(first);
    for (const other of [
      { campaign: 'Pool', customer: 'due' },
      { campaign: 'Gift', customer: 'uno' },
      { voucher: first.voucher.code, customer: 'uno' },
    ]) {
      refused(await shop.publish({ ...other, source_id: 'used' }), 'duplicate_source_id');
    }
    expect((await shop.list('source_id=used')).publications[0].id).toBe(first.id);
  });

  test.each(['before', 'after'] as const)(
    'makes a request that is cut off %s its write and sent again one',
    async (when) => {
      const body = { campaign: 'Pool', customer: `cut-${when}`, source_id: `cut-${when}` };
      const dynamodb = clientWith(shop.dependencies.dynamodb, async (command, real) => {
        if (command.constructor.name !== 'TransactWriteCommand') return real();
        if (when === 'after') await real();
        throw new Error('cut off');
      });
      const dying = caller(publishHandler, testDependencies({ dynamodb, patienceInMs: 45_000 }));
      expect((await dying({ headers: shop.project.credentials, body })).status).toBe(500);
      const { id } = done(await shop.publish(body));
      expect(done(await shop.publish(body)).id).toBe(id);
      expect((await shop.wallet(`cut-${when}`)).total).toBe(1);
    },
  );
});

test('Fifty callers of one pool get each another voucher, and when it is empty one more is refused', async () => {
  const codes = process.env.LONG_TESTS ? 1_500 : 120;
  const shop = await openFair({ ...fair, vouchers: pooled('camp_pool', codes) });
  let asked = 0;
  const got: string[] = [];
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      while (asked < codes) {
        asked += 1;
        const { voucher } = done(await shop.publish({ campaign: 'camp_pool', customer: `c-${asked}` }));
        got.push(voucher.code);
      }
    }),
  );
  expect([got.length, new Set(got).size]).toEqual([codes, codes]);
  refused(await shop.publish({ campaign: 'Pool', customer: 'late' }), 'no_voucher_suitable_for_publication');
}, 600_000);
