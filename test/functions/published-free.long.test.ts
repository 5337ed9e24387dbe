import { beforeAll, describe, expect, test } from 'vitest';
import { handler as deleteCustomer } from '../../functions/customers/delete-customer.ts';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as disable } from '../../functions/vouchers/disable-voucher.ts';
import { handler as enable } from '../../functions/vouchers/enable-voucher.ts';
import { caller } from '../support/call.ts';
import { giftCampaign, giftVoucher } from '../support/lists.ts';
import { beforeTransaction, meanwhile } from '../support/meanwhile.ts';
import { runOutbox } from '../support/outbox.ts';
import { expectRefused, type Fair, fair, openFair, pooled, published } from '../support/publishing.ts';

const gift = (code: string, created_at: string, more = {}) =>
  giftVoucher(code, { amount: 500, balance: 500 }, { campaign_id: 'camp_cards', active: true, created_at, ...more });
const cards = giftCampaign('camp_cards', 'Cards', { amount: 500, effect: 'APPLY_TO_ORDER' }, { join_once: false });
const day = (date: number) => `2026-05-${String(date).padStart(2, '0')}T00:00:00.000Z`;

const campaigns = [...fair.campaigns, cards];
const opened = (vouchers: unknown[]) => openFair({ ...fair, campaigns, vouchers });

async function spend({ project }: Fair, code: string, options = {}): Promise<string> {
  const { status, body } = await caller(redeem)({
    headers: project.credentials,
    body: { redeemables: [{ object: 'voucher', id: code, ...options }], order: { amount: 1_000 } },
  });
  expect(status).toBe(200);
  return body.redemptions[0].id;
}

describe('a publication by campaign gives no code that was used before:', () => {
  let shop: Fair;
  const given: string[] = [];
  beforeAll(async () => {
    shop = await opened([
      gift('SPENT', day(1)),
      gift('BACK', day(2)),
      gift('FILE', day(3), { gift: { amount: 500, balance: 400 }, redemption: { redeemed_amount: 100 } }),
      gift('FRESH', day(4)),
      ...pooled('camp_pool', 1, 'EVERYBODY').map((one) => ({ ...one, redemption: { quantity: null } })),
    ]);
    const headers = shop.project.credentials;
    await spend(shop, 'SPENT', { gift: { credits: 100 } });
    const redemptionId = await spend(shop, 'BACK', { gift: { credits: 100 } });
    expect((await caller(rollBack)({ headers, params: { redemptionId } })).status).toBe(200);
    for (const handler of [disable, enable])
      expect((await caller(handler)({ headers, params: { code: 'BACK' } })).status).toBe(200);
    const { voucher } = published(await shop.publish({ campaign: 'Cards', customer: 'ada' }));
    given.push(voucher.code);
  });

  test('it gives an unused gift card', () => {
    expect(given).toEqual(['FRESH']);
  });

  test('but not one that was spent, spent elsewhere, or rolled back, disabled and enabled', async () => {
    expectRefused(await shop.publish({ campaign: 'Cards', customer: 'bea' }), 'no_voucher_suitable_for_publication');
    expect(await shop.voucher('BACK')).toMatchObject({ gift: { balance: 500 }, redemption: { redeemed_quantity: 0 } });
  });

  test('nor a shared code without a limit, once it was used', async () => {
    await spend(shop, 'EVERYBODY-0');
    expectRefused(await shop.publish({ campaign: 'Pool', customer: 'bea' }), 'no_voucher_suitable_for_publication');
  });

  test('a code that is named is given anyway', async () => {
    const { voucher } = published(await shop.publish({ voucher: 'SPENT', customer: 'bea' }));
    expect(voucher).toMatchObject({ code: 'SPENT', gift: { balance: 400 } });
  });
});

test.each([
  ['redeemed', false],
  ['redeemed and rolled back', true],
])('a code that is %s during its publication goes to nobody else', async (_, isRolledBack) => {
  const shop = await opened([gift('FIRST', day(1)), gift('SECOND', day(2))]);
  const headers = shop.project.credentials;
  const use = async () => {
    const redemptionId = await spend(shop, 'FIRST', { gift: { credits: 1 } });
    if (isRolledBack) expect((await caller(rollBack)({ headers, params: { redemptionId } })).status).toBe(200);
  };
  const { body } = await meanwhile(beforeTransaction(), use, (container) =>
    caller(publishHandler, container)({ headers, body: { campaign: 'Cards', customer: 'ada' } }),
  );
  expect(body.voucher.code).toBe('SECOND');
  expect(await shop.voucher('FIRST')).toMatchObject({ publish: { count: 0 } });
  expect(await shop.voucher('FIRST')).not.toHaveProperty('holder_id');
});

test('a code of a deleted customer goes to nobody else, even if it is disabled and enabled', async () => {
  const shop = await opened([gift('GIVEN', day(1))]);
  const headers = shop.project.credentials;
  const { voucher } = published(await shop.publish({ campaign: 'Cards', customer: 'ada' }));
  expect((await caller(deleteCustomer)({ headers, params: { customerId: 'ada' } })).status).toBe(204);
  await runOutbox(shop.project.id);
  for (const handler of [disable, enable])
    expect((await caller(handler)({ headers, params: { code: voucher.code } })).status).toBe(200);
  expectRefused(await shop.publish({ campaign: 'Cards', customer: 'bea' }), 'no_voucher_suitable_for_publication');
  expect(await shop.voucher('GIVEN')).toMatchObject({ active: true, publish: { count: 1 } });
  expect(await shop.voucher('GIVEN')).not.toHaveProperty('holder_id');
});

describe('a publication by campaign gives the oldest code', () => {
  const codes = Array.from({ length: 30 }, (_, index) => gift(`G${index}`, day(index + 1)));
  const inOrder = codes.map(({ code }) => code);

  test('to callers one after the other, and to a caller who wants several', async () => {
    const shop = await opened(codes.toReversed());
    const got: string[] = [];
    for (let caller = 0; caller < 5; caller += 1) {
      got.push(published(await shop.publish({ campaign: 'Cards', customer: `c-${caller}` })).voucher.code);
    }
    got.push(...published(await shop.publish({ campaign: { name: 'Cards', count: 5 }, customer: 'many' })).vouchers);
    expect(got).toEqual(inOrder.slice(0, 10));
  });

  test('behind any number of taken codes that the list does not know yet', async () => {
    const shop = await opened([...codes, gift('LAST', '2026-06-01T00:00:00.000Z')]);
    await Promise.all(codes.map(({ code }) => shop.publish({ voucher: code, customer: `c-${code}` })));
    expect(published(await shop.publish({ campaign: 'Cards', customer: 'late' })).voucher.code).toBe('LAST');
  });

  test('to one of twenty at once, and to each of the others another', async () => {
    const shop = await opened(codes);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => shop.publish({ campaign: 'Cards', customer: `c-${index}` })),
    );
    const got = all.map((reply) => published(reply).voucher.code);
    expect(new Set(got).size).toBe(20);
    expect(got).toContain('G0');
    const oldest = inOrder.find((code) => !got.includes(code));
    expect(published(await shop.publish({ campaign: 'Cards', customer: 'next' })).voucher.code).toBe(oldest);
  });

  test('while twenty redeem and twenty publish, none of them twice', async () => {
    const shop = await opened(codes.slice(0, 20));
    const [gave] = await Promise.all([
      Promise.all(
        Array.from({ length: 20 }, (_, index) => shop.publish({ campaign: 'Cards', customer: `c-${index}` })),
      ),
      Promise.all(
        inOrder.slice(0, 20).map((code) =>
          caller(redeem)({
            headers: shop.project.credentials,
            body: { redeemables: [{ object: 'voucher', id: code, gift: { credits: 1 } }], order: { amount: 1 } },
          }),
        ),
      ),
    ]);
    const got = gave.flatMap(({ status, body }) => (status === 200 ? [body.voucher] : []));
    // A reply reads the voucher after the publication, so it may show the one redemption that came in between.
    expect(got.filter(({ gift: { balance } }) => balance < 499)).toEqual([]);
    expect(got.map((one) => one.publish.count)).toEqual(got.map(() => 1));
    expect(new Set(got.map(({ code }) => code)).size).toBe(got.length);
  });
});
