import { beforeAll, describe, expect, test } from 'vitest';
import { handler as deleteCustomer } from '../../functions/customers/delete-customer.ts';
import { handler as assignOf } from '../../functions/referrals/assign-campaign-holders.ts';
import { handler as assign } from '../../functions/referrals/assign-holders.ts';
import { handler as removeOf } from '../../functions/referrals/delete-campaign-holder.ts';
import { handler as remove } from '../../functions/referrals/delete-holder.ts';
import { handler as listOf } from '../../functions/referrals/list-campaign-holders.ts';
import { handler as list } from '../../functions/referrals/list-holders.ts';
import { handler as deleteVoucher } from '../../functions/vouchers/delete-voucher.ts';
import { caller, type Reply } from '../support/call.ts';
import { testTime } from '../support/dependencies.ts';
import { itemsOf, runOutbox } from '../support/outbox.ts';
import { fair, openFair } from '../support/publishing.ts';

const mate = { type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_mate', active: true };
const mateCampaign = { id: 'camp_mate', name: 'Mate', object: 'campaign' };
const referrals = {
  ...fair,
  vouchers: [
    { ...mate, code: 'MATE-ADA', holder_id: 'cust_ada', created_at: '2026-01-01T00:00:00Z' },
    { ...mate, code: 'MATE-NEW' },
    { code: 'PLAIN', type: 'DISCOUNT_VOUCHER', active: true, holder_id: 'cust_ada' },
  ],
};

async function openReferrals() {
  const shop = await openFair(referrals);
  const headers = shop.project.credentials;
  const of = (memberId: string, more = {}) => ({ headers, params: { memberId, ...more } });
  const call = (handler: Parameters<typeof caller>[0]) => caller(handler, shop.dependencies);
  return {
    ...shop,
    assign: (memberId: string, holders: unknown, more = {}) =>
      call(assign)({ ...of(memberId), body: { holders, ...more } }),
    holders: async (memberId: string, query = '') => call(list)({ ...of(memberId), query }),
    remove: (memberId: string, holderId: string) => call(remove)(of(memberId, { holderId })),
    assignOf: (campaignId: string, memberId: string, holders: unknown) =>
      call(assignOf)({ ...of(memberId, { campaignId }), body: { holders } }),
    holdersOf: (campaignId: string, memberId: string) => call(listOf)(of(memberId, { campaignId })),
    removeOf: (campaignId: string, memberId: string, holderId: string) =>
      call(removeOf)(of(memberId, { campaignId, holderId })),
    deleteCustomer: (customerId: string) => call(deleteCustomer)({ headers, params: { customerId } }),
    deleteVoucher: (code: string) => call(deleteVoucher)({ headers, params: { code }, query: 'force=true' }),
  };
}

type Referrals = Awaited<ReturnType<typeof openReferrals>>;

const done = ({ status, body }: Reply) => {
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};

const people = ({ data }: { data: { customer_id: string; holder_role: string }[] }) =>
  data.map(({ customer_id, holder_role }) => [customer_id, holder_role]);

describe('a referral code', () => {
  let shop: Referrals;
  beforeAll(async () => {
    shop = await openReferrals();
  });

  test('is assigned to customers, who are created or changed, and have it in their wallets', async () => {
    const { holders } = done(
      await shop.assign('MATE-ADA', [{ id: 'cust_bob', name: 'Bob' }, { source_id: 'new-1' }], { metadata: { a: 1 } }),
    );
    const { id: redeemable_id } = await shop.voucher('MATE-ADA');
    expect(holders[0]).toEqual({
      id: expect.stringMatching(/^rh_/),
      created_at: testTime.toISOString(),
      redeemable_id,
      redeemable_object: 'voucher',
      customer_id: 'cust_bob',
      holder_role: 'REFEREE',
      campaign_id: 'camp_mate',
      campaign_type: 'REFERRAL_PROGRAM',
      voucher_type: 'DISCOUNT_VOUCHER',
      metadata: { a: 1 },
      object: 'redeemable_holder',
    });
    const newcomer = await shop.customer('new-1');
    const { data, total } = done(await shop.holders('MATE-ADA'));
    expect(total).toBe(3);
    expect(people({ data })).toEqual([
      [newcomer.id, 'REFEREE'],
      ['cust_bob', 'REFEREE'],
      ['cust_ada', 'REFERRER'],
    ]);
    expect(data[1]).toEqual(holders[0]);
    expect((await shop.customer('cust_bob')).name).toBe('Bob');
    expect((await shop.wallet('new-1')).data).toMatchObject([
      { id: holders[1].id, redeemable_id, holder_role: 'REFEREE', redeemable: { status: 'ACTIVE' } },
    ]);
    const query = 'filters[holder_role][conditions][$is]=REFEREE';
    expect((await shop.wallet('cust_bob', query)).total).toBe(1);
    expect((await shop.activities('cust_bob')).data[0]).toMatchObject({
      type: 'customer.holder.assignment.created',
      data: { data: { holder: { id: holders[0].id }, voucher: { code: 'MATE-ADA' }, campaign: mateCampaign } },
    });
    expect((await shop.voucher('MATE-ADA')).holder_id).toBe('cust_ada');
  });

  test('lists its holders in either direction, and filtered', async () => {
    done(await shop.assign('MATE-ADA', [{ source_id: 'w-1' }, { source_id: 'w-2' }, { source_id: 'w-3' }]));
    for (const order of ['id', '-id']) {
      const all = done(await shop.holders('MATE-ADA', `order=${order}`)).data;
      const ids = all.map(({ id }: { id: string }) => id);
      expect(ids).toEqual(order === 'id' ? ids.toSorted() : ids.toSorted().reverse());
    }
    const referrer = done(await shop.holders('MATE-ADA', 'filters[holder_role][conditions][$is]=REFERRER'));
    expect(people(referrer)).toEqual([['cust_ada', 'REFERRER']]);
  });

  test.each([
    ['nobody', [], 400, 'invalid_payload'],
    ['a customer without a name', [{ source_id: 'n-1' }, { email: 'n@n.example' }], 400, 'invalid_payload'],
    ['more than a hundred', Array.from({ length: 101 }, (_, n) => ({ source_id: `x-${n}` })), 400, 'invalid_payload'],
    ['somebody unknown', [{ source_id: 'n-1' }, { id: 'cust_nobody' }], 404, 'not_found'],
    ['somebody twice', [{ source_id: 'n-1' }, { source_id: 'n-1' }], 409, 'duplicate_found'],
    ['somebody twice under two names', [{ id: 'cust_bob' }, { id: 'cust_bob', name: 'B' }], 409, 'duplicate_found'],
    ['its referrer', [{ source_id: 'n-1' }, { id: 'cust_ada' }], 409, 'holder_assignement_duplication'],
  ])('is refused to %s, and then to all', async (_, holders, code, key) => {
    expect((await shop.assign('MATE-ADA', holders)).body).toMatchObject({ code, key });
    expect((await shop.customer('n-1')).code).toBe(404);
  });

  test('is refused to a customer who has it', async () => {
    done(await shop.assign('MATE-ADA', [{ source_id: 'has' }]));
    const again = [...Array.from({ length: 20 }, (_, n) => ({ source_id: `n-${n}` })), { source_id: 'has' }];
    expect((await shop.assign('MATE-ADA', again)).body).toMatchObject({
      code: 409,
      key: 'holder_assignement_duplication',
      resource_type: 'customer',
    });
    expect((await shop.customer('n-1')).code).toBe(404);
    expect(
      done(await shop.holders('MATE-ADA', 'limit=100')).data.map((one: { customer_id: string }) => one.customer_id),
    ).toContain((await shop.customer('has')).id);
  });

  test('is a 404 if it does not exist, and is refused if it is not a referral code or nobody shares it', async () => {
    expect((await shop.assign('MATE-NEW', [{ source_id: 'n-1' }])).body).toMatchObject({ key: 'not_published' });
    for (const code of ['PLAIN', 'NOPE'])
      expect((await shop.assign(code, [{ source_id: 'n-1' }])).body).toMatchObject({
        code: 404,
        resource_type: 'voucher',
      });
    expect(people(done(await shop.holders('MATE-NEW')))).toEqual([]);
  });

  test('is found with its campaign, by name or id', async () => {
    const { holders } = done(await shop.assignOf('Mate', 'MATE-ADA', [{ source_id: 'with' }]));
    expect(done(await shop.holdersOf('camp_mate', 'MATE-ADA')).data[0]).toEqual(holders[0]);
    expect((await shop.holdersOf('Club', 'MATE-ADA')).body).toMatchObject({ code: 404, resource_type: 'campaign' });
    expect((await shop.removeOf('Pool', 'MATE-ADA', holders[0].id)).body).toMatchObject({ code: 404 });
    expect((await shop.removeOf('camp_mate', 'MATE-ADA', holders[0].id)).status).toBe(204);
  });

  test('is removed from a referee, once, and never from its referrer', async () => {
    const { holders } = done(await shop.assign('MATE-ADA', [{ source_id: 'leaving' }]));
    const [{ id }] = holders;
    expect((await shop.remove('MATE-ADA', id)).status).toBe(204);
    expect((await shop.remove('MATE-ADA', id)).body).toMatchObject({
      code: 404,
      resource_type: 'redeemable_holder',
      resource_id: id,
    });
    expect((await shop.wallet('leaving')).total).toBe(0);
    expect((await shop.activities('leaving')).data[0]).toMatchObject({
      type: 'customer.holder.assignment.deleted',
      data: { data: { holder: { id }, voucher: { code: 'MATE-ADA' }, campaign: mateCampaign } },
    });
    done(await shop.assign('MATE-ADA', [{ source_id: 'leaving' }]));
    const { data } = done(await shop.holders('MATE-ADA', 'order=id'));
    expect((await shop.remove('MATE-ADA', data[0].id)).body).toMatchObject({ code: 403, key: 'forbidden' });
  });

  test('is assigned to each of many once, however many requests come at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => shop.assign('MATE-ADA', [{ source_id: 'crowd' }])),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect((await shop.wallet('crowd')).total).toBe(1);
  });

  test('is assigned to a hundred', async () => {
    const hundred = Array.from({ length: 100 }, (_, n) => ({ source_id: `h-${n}` }));
    const { holders } = done(await shop.assign('MATE-ADA', hundred));
    expect(new Set(holders.map(({ customer_id: id }: { customer_id: string }) => id)).size).toBe(100);
    expect((await shop.customer('h-99')).id).toBe(holders[99].customer_id);
  });
});

test("a deleted referee is no holder, and a deleted code is in nobody's wallet", async () => {
  const shop = await openReferrals();
  done(await shop.assign('MATE-ADA', [{ source_id: 'one' }, { source_id: 'two' }]));
  await shop.deleteCustomer('one');
  await runOutbox(shop.project.id, shop.dependencies);
  expect(done(await shop.holders('MATE-ADA')).total).toBe(2);
  expect((await shop.deleteVoucher('MATE-ADA')).status).toBe(204);
  await runOutbox(shop.project.id, shop.dependencies);
  expect(await itemsOf(shop.project.id, 'REFEREE')).toEqual([]);
  expect((await shop.wallet('two')).total).toBe(0);
});
