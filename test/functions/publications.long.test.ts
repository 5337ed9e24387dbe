import { beforeAll, describe, expect, test } from 'vitest';
import { testTime } from '../support/dependencies.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { expectRefused, type Fair, fair, openFair, pooled, published } from '../support/publishing.ts';

describe('a publication', () => {
  let shop: Fair;
  beforeAll(async () => {
    shop = await openFair();
  });

  test('of a voucher makes its customer the holder, once, with an activity', async () => {
    const body = published(
      await shop.publish({ voucher: 'ALONE', customer: { source_id: 'ada' }, metadata: { a: 1 }, channel: null }),
    );
    const { validation_rules_assignments, ...withoutRules } = await shop.voucher('ALONE');
    expect(validation_rules_assignments).toMatchObject({ object: 'list' });
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
        object: 'customer',
      },
      vouchers_id: [body.voucher.id],
      voucher: withoutRules,
    });
    expect(body.voucher).toMatchObject({
      holder_id: 'cust_ada',
      publish: { count: 1 },
      updated_at: testTime.toISOString(),
    });
    expectRefused(await shop.publish({ voucher: 'ALONE', customer: { id: 'cust_bob' } }), 'voucher_already_published');
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

  test('accepts texts for objects, creates its customer, and uses the voucher if the campaign is named, too', async () => {
    const body = published(
      await shop.publish({ campaign: 'Few', customer: 'new-1', source_id: null, metadata: null, voucher: null }),
    );
    expect(body).toMatchObject({ tracking_id: 'new-1', voucher: { code: 'FEW-1', campaign: 'Few' } });
    const both = { voucher: 'POOL-0', campaign: { name: 'No such campaign' }, customer: { email: 'x@mail.example' } };
    const nameless = published(await shop.publish(both));
    expect(nameless).toMatchObject({ tracking_id: null, customer: { email: 'x@mail.example' } });
  });

  test('gives no code that was used up before its publication', async () => {
    const used = pooled('camp_pool', 4, 'USED').map((one) => ({
      ...one,
      redemption: { quantity: 1, redeemed_quantity: 1 },
    }));
    const shop = await openFair({ ...fair, vouchers: [...used, ...pooled('camp_pool', 1, 'NEW')] });
    const body = published(await shop.publish({ campaign: 'Pool', customer: { source_id: 'ada' } }));
    expect(body.voucher.code).toBe('NEW-0');
    expectRefused(await shop.publish({ campaign: 'Pool', customer: 'ada' }), 'no_voucher_suitable_for_publication');
  });

  test.each([
    ['nothing', {}, 'missing_vouchers'],
    [
      'several with a source id',
      { campaign: { name: 'Pool', count: 2 }, source_id: 's' },
      'too_many_vouchers_requested',
    ],
    ['several, if only one is allowed', { campaign: { name: 'Once', count: 2 } }, 'too_many_vouchers_requested'],
    ['fifty-one', { campaign: { name: 'Pool', count: 51 } }, 'invalid_payload'],
    ['none', { campaign: { name: 'Pool', count: 0 } }, 'invalid_payload'],
    ['what another holds', { voucher: 'FEW-HELD' }, 'voucher_already_published'],
    ['promotions', { campaign: 'Tiers' }, 'no_voucher_suitable_for_publication'],
  ])('of %s is refused', async (_, body, key) => {
    expectRefused(await shop.publish({ customer: { source_id: 'nobody' }, ...body }), key);
    expect((await shop.customer('nobody')).code).toBe(404);
  });

  test.each([
    ['a voucher', { voucher: 'NOPE', customer: 'ada' }, 'voucher'],
    ['a campaign', { campaign: { name: 'NOPE' }, customer: 'ada' }, 'campaign'],
    ['a customer', { campaign: 'Pool', customer: { id: 'NOPE' } }, 'customer'],
  ])('names a missing %s', async (_, body, type) => {
    const reply = await shop.publish(body);
    expect(reply.body).toMatchObject({ code: 404, key: 'not_found', resource_id: 'NOPE', resource_type: type });
  });

  test("needs a customer, whose source id is not another's id", async () => {
    expectRefused(await shop.publish({ campaign: 'Pool' }), 'invalid_payload');
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
  ])('with the customer %j is refused: %s', async (body, details) => {
    expect((await shop.publish(body)).body.details).toContain(details);
  });

  test("from a disabled campaign gives existing codes, for the campaign's days", async () => {
    const { voucher } = published(await shop.publish({ campaign: 'Short', customer: 'ada' }));
    expect(voucher).toMatchObject({ created_at: testTime.toISOString(), expiration_date: '2026-06-22T12:00:00.000Z' });
  });

  test('from an empty AUTO_UPDATE campaign creates missing codes: gift vouchers, codes of referrers', async () => {
    const { vouchers, vouchers_id } = published(
      await shop.publish({ campaign: { name: 'Gift', count: 3 }, customer: 'gil' }),
    );
    expect(new Set(vouchers).size).toBe(3);
    expect(vouchers_id).toHaveLength(3);
    expect(await shop.voucher(vouchers[0])).toMatchObject({
      gift: { amount: 500, balance: 500 },
      publish: { count: 1 },
    });
    published(await shop.publish({ campaign: 'Mate', customer: 'gil' }));
    const { data } = await shop.wallet('gil');
    expect(data.map((one: { holder_role: string }) => one.holder_role).sort()).toEqual([
      'OWNER',
      'OWNER',
      'OWNER',
      'REFERRER',
    ]);
  });

  test("of a card makes a member in the points' tier, and no second one", async () => {
    const { voucher, id } = published(await shop.publish({ campaign: 'Club', customer: 'mia' }));
    expect(voucher).toMatchObject({ code: 'CARD', loyalty_card: { points: 15, balance: 15 } });
    expect(await shop.tier('CARD')).toBe('ltr_one');
    expect((await shop.customer('mia')).loyalty).toMatchObject({ points: 15 });
    expect((await shop.activities('mia')).data.map(({ type }: { type: string }) => type)).toContain(
      'customer.loyalty.tier.joined',
    );
    expect(published(await shop.publish({ campaign: 'camp_club', customer: 'mia' })).id).toBe(id);
    const made = published(await shop.publish({ campaign: 'Club', customer: 'max' })).voucher;
    expect(made.loyalty_card).toMatchObject({ points: 40, balance: 40 });
  });

  test('of fifty is one transaction, and the wallet has them all after the background work', async () => {
    const { vouchers } = published(
      await shop.publish({ campaign: { name: 'camp_mate', count: 50 }, customer: 'fifty' }),
    );
    expect(new Set(vouchers).size).toBe(50);
    await runOutbox(shop.project.id, shop.dependencies);
    const { data, total } = await shop.wallet('fifty');
    expect([total, new Set(data.map((one: { redeemable_id: string }) => one.redeemable_id)).size]).toEqual([50, 50]);
  });

  test('of more codes than exist takes none of them', async () => {
    const before = await itemsOf(shop.project.id, 'PUBLICATION_JOIN');
    expectRefused(
      await shop.publish({ campaign: { name: 'Pool', count: 13 }, customer: 'ada' }),
      'no_voucher_suitable_for_publication',
    );
    expect(await itemsOf(shop.project.id, 'PUBLICATION_JOIN')).toHaveLength(before.length);
    const all = published(await shop.publish({ campaign: { name: 'Pool', count: 11 }, customer: 'ada' })).vouchers;
    expect(all.toSorted()).toEqual(Array.from({ length: 11 }, (_, index) => `POOL-${index + 1}`).toSorted());
  });
});

test('fifty callers of one pool get different vouchers, and an empty pool refuses one more', async () => {
  const codes = process.env.LONG_TESTS ? 1_500 : 120;
  const shop = await openFair({ ...fair, vouchers: pooled('camp_pool', codes) });
  let asked = 0;
  const got: string[] = [];
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      while (asked < codes) {
        asked += 1;
        const { voucher } = published(await shop.publish({ campaign: 'camp_pool', customer: `c-${asked}` }));
        got.push(voucher.code);
      }
    }),
  );
  expect([got.length, new Set(got).size]).toEqual([codes, codes]);
  expectRefused(await shop.publish({ campaign: 'Pool', customer: 'late' }), 'no_voucher_suitable_for_publication');
}, 600_000);
