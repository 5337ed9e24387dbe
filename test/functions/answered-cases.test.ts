import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as transferPoints } from '../../functions/loyalties/transfer-points.ts';
import { handler as createPublication } from '../../functions/publications/create-publication.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollbackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as createRule } from '../../functions/validation-rules/create-validation-rule.ts';
import { handler as createAssignment } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as adjustBalance } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as disableVoucher } from '../../functions/vouchers/disable-voucher.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as listTransactions } from '../../functions/vouchers/list-voucher-transactions.ts';
import { handler as updateVoucher } from '../../functions/vouchers/update-voucher.ts';
import { caller } from '../support/call.ts';
import { coupon, giftCampaign, giftVoucher } from '../support/lists.ts';
import { card, programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';
import { codes, openReferring } from '../support/referring.ts';

/** Runs the advice of pages where the service has no setting for it. Recipes are sent as the pages show them. */

async function recipe(page: string, name: string): Promise<Record<string, unknown>> {
  const text = await readFile(join(import.meta.dirname, '../../docs', page), 'utf8');
  const [, json = ''] = new RegExp(`<!-- recipe: ${name} -->\n\`\`\`json\n(.*?)\`\`\``, 's').exec(text) ?? [];
  return JSON.parse(json);
}

const gift = (code: string, amount: number, more: object = {}) =>
  giftVoucher(code, { amount, balance: amount }, { campaign_id: 'camp_gifts', ...more });

const tenOff = { type: 'AMOUNT', amount_off: 1000 };

const { credentials: headers } = await loadProject({
  customers: ['ada', 'bo', 'cy'].map((name) => ({ id: `cust_${name}`, source_id: name })),
  campaigns: [giftCampaign('camp_gifts', 'Gifts', { amount: 1000 }), programme('camp_club')],
  vouchers: [
    gift('EURO', 5000),
    gift('LOST', 5000, { holder_id: 'cust_ada' }),
    gift('NEW', 1),
    gift('MANY', 5000),
    card('OLD-CLUB', 80, { holder_id: 'cust_ada' }),
    card('NEW-CLUB', 0, { holder_id: 'cust_bo' }),
    coupon('AGAIN', tenOff),
    coupon('KEYED', tenOff),
  ],
});

const ask = (handler: Endpoint, request: object) => caller(handler)({ headers, ...request });
const balanceOf = async (code: string) => (await ask(getVoucher, { params: { code } })).body.gift.balance;

async function assignRule(body: object, to: object, as: Record<string, string> = headers) {
  const rule = await caller(createRule)({ headers: as, body });
  const request = { params: { validationRuleId: rule.body.id }, body: to };
  expect([rule.status, (await caller(createAssignment)({ headers: as, ...request })).status]).toEqual([200, 200]);
}

const redeem = (id: string, order: object, more: object = {}) =>
  ask(redeemHandler, { body: { redeemables: [{ object: 'voucher', id }], order }, ...more });

test('a euro card is refused for an order that names dollars or no currency', async () => {
  await assignRule(await recipe('vouchers.md', 'euro cards'), { voucher: 'EURO' });
  for (const metadata of [{ currency: 'USD' }, {}]) {
    const { status, body } = await redeem('EURO', { amount: 700, metadata });
    expect([status, body]).toMatchObject([
      400,
      { key: 'order_rules_violated', error: { message: 'The card pays in euros only.' } },
    ]);
  }
  expect(await balanceOf('EURO')).toBe(5000);
  expect((await redeem('EURO', { amount: 700, metadata: { currency: 'EUR' } })).status).toBe(200);
  expect(await balanceOf('EURO')).toBe(4300);
});

describe('a lost card', () => {
  test('keeps its holder, whatever an update or a publication says', async () => {
    const body = { voucher: 'LOST', customer: { source_id: 'bo' } };
    expect((await ask(createPublication, { body })).body.key).toBe('voucher_already_published');
    for (const holder_id of [null, 'cust_bo']) {
      const { body: updated } = await ask(updateVoucher, { params: { code: 'LOST' }, body: { holder_id } });
      expect(updated.holder_id).toBe('cust_ada');
    }
  });

  test('is followed by a new code for another holder with the same balance, however often the steps are repeated', async () => {
    const total = (await balanceOf('LOST')) + (await balanceOf('NEW'));
    const published = { voucher: 'NEW', customer: { source_id: 'cy' } };
    expect((await ask(disableVoucher, { params: { code: 'LOST' } })).status).toBe(200);
    expect((await ask(createPublication, { body: published })).status).toBe(200);
    for (const [code, amount] of [
      ['LOST', -5000],
      ['LOST', -5000],
      ['NEW', 5000],
      ['NEW', 5000],
    ] as const) {
      const body = { amount, source_id: 'lost-card-17' };
      expect((await ask(adjustBalance, { params: { code }, body })).status).toBe(200);
    }
    expect([await balanceOf('LOST'), await balanceOf('NEW')]).toEqual([0, total]);
    expect((await ask(getVoucher, { params: { code: 'NEW' } })).body.holder_id).toBe('cust_cy');
    expect((await redeem('LOST', { amount: 100 })).body.key).toBe('voucher_disabled');
  });

  test('of a programme gives its points to another member in one request', async () => {
    const params = { campaignId: 'camp_club', memberId: 'NEW-CLUB' };
    const body = [{ code: 'OLD-CLUB', points: 80, source_id: 'lost-card-18' }];
    for (const _ of [1, 2]) expect((await ask(transferPoints, { params, body })).status).toBe(200);
    const found = await ask(getVoucher, { params: { code: 'NEW-CLUB' } });
    expect([found.body.loyalty_card.balance, found.body.holder_id]).toEqual([80, 'cust_bo']);
  });
});

describe('one code on one order', () => {
  const usesOf = async (code: string) =>
    (await ask(getVoucher, { params: { code } })).body.redemption.redeemed_quantity;

  test('is one use for a till that repeats its request with the same key', async () => {
    const key = { headers: { ...headers, 'idempotency-key': 'order-7' } };
    const replies = [];
    for (const _ of [1, 2]) replies.push(await redeem('KEYED', { source_id: 'order-7', amount: 5000 }, key));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[1]?.body).toEqual(replies[0]?.body);
    expect(await usesOf('KEYED')).toBe(1);
  });

  test('is two uses without a key, and a rollback gives back the second alone', async () => {
    const order = { source_id: 'order-8', amount: 5000 };
    await redeem('AGAIN', order);
    const { body } = await redeem('AGAIN', order);
    expect([body.order.total_amount, await usesOf('AGAIN')]).toEqual([3000, 2]);
    const back = await ask(rollbackHandler, { params: { redemptionId: body.redemptions[0].id } });
    expect([back.body.order.total_amount, await usesOf('AGAIN')]).toEqual([4000, 1]);
  });
});

test('the ledger lists simultaneous redemptions of a card in the order of its balance', async () => {
  const amounts = Array.from({ length: 12 }, (_, index) => index + 1);
  const replies = await Promise.all(amounts.map((amount) => redeem('MANY', { amount })));
  expect(replies.map(({ status }) => status)).toEqual(amounts.map(() => 200));
  const { body } = await ask(listTransactions, { params: { code: 'MANY' }, query: 'limit=100' });
  const moves: { amount: number; balance: number }[] = body.data
    .filter(({ type }: { type: string }) => type === 'CREDITS_REDEMPTION')
    .map(({ details }: { details: { balance: object } }) => details.balance)
    .reverse();
  let left = 5000;
  for (const { amount, balance } of moves) {
    left += amount;
    expect(balance).toBe(left);
  }
  expect([moves.length, left]).toEqual([12, 5000 - 78]);
});

test('a referral code is refused to customers with earlier orders, and converts for others', async () => {
  const shop = await openReferring();
  const as = shop.project.credentials;
  const body = await recipe('referrals.md', 'old customers');
  const { body: segment } = await caller(createSegment)({ headers: as, body });
  const rule = JSON.stringify(await recipe('referrals.md', 'new customers alone'));
  await assignRule(JSON.parse(rule.replace("the segment's id", segment.id)), { campaign: 'camp_by_points' }, as);
  const order = { amount: 5000 };
  const by = (source_id: string) => shop.redeem({ redeemables: codes('BY-points'), customer: { source_id }, order });
  await shop.redeem({ redeemables: codes('TEN'), customer: { source_id: 'bob' }, order });
  expect((await by('bob')).body.key).toBe('customer_rules_violated');
  expect([(await by('cleo')).status, (await by('stranger')).status]).toEqual([200, 200]);
  const totals = await Promise.all(['bob', 'cleo', 'stranger'].map((one) => shop.referralsOf(one)));
  expect(totals.map(({ total }) => total)).toEqual([0, 1, 1]);
  const { body: guest } = await shop.redeem({ redeemables: codes('BY-points'), order });
  expect(guest.key).toBe('missing_customer');
});
