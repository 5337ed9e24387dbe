import { describe, expect, test } from 'vitest';
import type { ErrorKey } from '#kernel/core/errors.ts';
import { handler as getRedemption } from '../../functions/redemptions/get-redemption.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as redeemVoucher } from '../../functions/vouchers/redeem-voucher.ts';
import { handler as validateVoucher } from '../../functions/vouchers/validate-voucher.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';
import { lists, openRefusingShop } from '../support/refusing-shop.ts';
import { changedBy } from '../support/table-state.ts';

/** Every refusal at the till: its key, its words, the resource it names, and that it changes nothing. */

const call = (handler: Parameters<typeof caller>[0], request: object) =>
  caller(handler)({ headers: shop.credentials, ...request });

const shop = await openRefusingShop();

const order = { amount: 1_000 };
const line = (more: object) => ({ order: { items: [{ source_id: 'unknown', ...more }] } });
const ada = { source_id: 'ada' };
const violated = (code: string) =>
  `Discount Coupon cannot be redeemed because of violated validation rules: val_${code}`;

interface Row {
  key: ErrorKey;
  message: string;
  /** The code of a voucher, or the id of a tier. */
  id: string;
  /** Fields of the redeemable. */
  with?: object;
  /** Fields of the body. By default it has an order of 1,000. */
  body?: object;
  details?: unknown;
  words?: string;
}

const heldBySession = 'LOCKED (a session holds it until 2026-06-22T12:00:00.000Z)';

const rows: Row[] = [
  { key: 'not_found', message: 'Resource not found', id: 'NOPE', details: 'Cannot find voucher with id NOPE' },
  {
    ...{ key: 'not_found', message: 'Resource not found', id: 'promo_none' },
    details: 'Cannot find promotion_tier with id promo_none',
  },
  { key: 'voucher_disabled', message: 'voucher is disabled', id: 'OFF', details: 'OFF is not active' },
  { key: 'voucher_expired', message: 'voucher expired', id: 'OVER' },
  { key: 'voucher_not_active', message: 'voucher not active', id: 'SOON' },
  { key: 'voucher_not_active_now', message: 'voucher not active now', id: 'TUESDAYS' },
  { key: 'campaign_not_active', message: 'The campaign is not active.', id: 'SLEEPS' },
  {
    ...{ key: 'promotion_inactive', message: 'Inactive Promotion', id: 'promo_off' },
    details: 'Promotion Tier with id: promo_off is disabled.',
  },
  {
    ...{ key: 'promotion_not_active_now', message: 'The promotion tier is not active at this time.' },
    id: 'promo_over',
  },
  {
    key: 'quantity_exceeded',
    message: 'quantity exceeded',
    id: 'USED',
    details: 'USED (used up: redeemed 2 of 2 times)',
  },
  { key: 'quantity_exceeded', message: 'quantity exceeded', id: 'LOCKED', details: heldBySession },
  {
    ...{ key: 'quantity_exceeded', message: 'quantity exceeded', id: 'LOCKED', details: heldBySession },
    body: { order, session: { type: 'LOCK', key: 'till-2' } },
  },
  {
    ...{ key: 'gift_amount_exceeded', message: 'The gift card has not enough credits.', id: 'GIFT' },
    details: 'GIFT (400 credits are left, and 401 are asked for)',
    with: { gift: { credits: 401 } },
  },
  ...[{ id: 'rew_coin', points: 101 }, { id: 'rew_mug' }].map(
    (reward): Row => ({
      ...{ key: 'loyalty_card_points_exceeded', message: 'loyalty card points exceeded', id: 'CARD' },
      details: expect.stringMatching(/^CARD \(100 points are left, and \d+ are asked for\)$/),
      with: { reward },
    }),
  ),
  {
    ...{ key: 'customer_rules_violated', message: 'customer does not match validation rules', id: 'SEGMENT' },
    body: { customer: ada, order },
    details: violated('SEGMENT'),
  },
  {
    ...{ key: 'order_rules_violated', message: 'order does not match validation rules', id: 'LARGE' },
    details: violated('LARGE'),
    words: 'Take more',
  },
  {
    ...{ key: 'redemption_rules_violated', message: 'redemption does not match validation rules', id: 'TILL-4' },
    body: { order, metadata: { till: 5 } },
    details: violated('TILL-4'),
  },
  {
    ...{ key: 'referrer_not_permitted_to_redeem', message: 'voucher cannot be redeemed by referrer', id: 'FRIEND' },
    body: { customer: ada, order },
    details: 'FRIEND',
  },
  {
    ...{ key: 'missing_amount', message: 'Amount is required when redeeming a GIFT_VOUCHER', id: 'GIFT' },
    body: line({ quantity: 1 }),
  },
  { key: 'missing_amount', message: 'Amount is required when redeeming a GIFT_VOUCHER', id: 'GIFT', body: {} },
  { key: 'missing_amount', message: 'Amount is required', id: 'PLAIN', body: line({ quantity: 1 }) },
  { key: 'missing_order', message: 'Order is required', id: 'LINES-GIFT', body: {} },
  { key: 'missing_order', message: 'Order is required', id: 'MANY', body: {} },
  { key: 'missing_order_items', message: 'Missing applicable order items', id: 'LINES-GIFT', body: { order } },
  {
    ...{ key: 'missing_order_items_amount', message: 'Order items with amounts are required', id: 'LINES-GIFT' },
    body: line({ quantity: 1 }),
  },
  {
    ...{ key: 'missing_customer', message: 'Missing customer', id: 'SEGMENT' },
    details: 'Customer is required to validate rules',
  },
  {
    ...{ key: 'missing_reward', message: 'Missing reward', id: 'CARD' },
    details: 'A reward is required when redeeming a LOYALTY_CARD',
  },
  {
    ...{ key: 'invalid_customer', message: 'Customer must be a holder of a loyalty card.', id: 'CARD' },
    details: 'Customer must be a holder of a loyalty card.',
    with: { reward: { id: 'rew_coin' } },
    body: { customer: { source_id: 'eve' }, order },
  },
  { key: 'invalid_amount', message: 'The amount is not valid.', id: 'MANY' },
  {
    ...{ key: 'reward_stock_exceeded', message: 'The reward is out of stock.', id: 'CARD' },
    with: { reward: { id: 'rew_gone' } },
  },
  {
    ...{ key: 'not_found', message: 'Resource not found', id: 'CARD', details: 'Cannot find reward with id rew_other' },
    with: { reward: { id: 'rew_other' } },
  },
];

/** A refused redemption leaves its record, and activities of its customer and campaign. */
const traces = ['REDEMPTION', 'ACTIVITY', 'CUSTOMER', 'CAMPAIGN_ACTIVITIES'];

const named = rows.map((row) => ({
  ...row,
  what: [row.id, row.with, row.body].flatMap((one) => (one ? [JSON.stringify(one)] : [])).join(' '),
}));

describe.each(named)('$key of $what', ({ key, message, id, with: more = {}, body = { order }, details, words }) => {
  const isTier = id.startsWith('promo_');
  const redeemable = { object: isTier ? 'promotion_tier' : 'voucher', id, ...more };
  const code = key === 'not_found' ? 404 : 400;
  const isNaming = { redeemable_id: id, redeemable_type: redeemable.object };
  const isSo = {
    ...{ code, key, message, ...isNaming },
    details: details === undefined ? expect.stringMatching(/./) : details,
    ...(words === undefined ? {} : { error: { message: words } }),
  };

  test('is the reason in a validation, which changes nothing', async () => {
    const changed = await changedBy(async () => {
      const { status, body: said } = await call(validateHandler, { body: { redeemables: [redeemable], ...body } });
      expect([status, said.valid, said.redeemables[0].status]).toEqual([200, false, 'INAPPLICABLE']);
      expect(said.redeemables[0].result.error).toMatchObject(isSo);
      if (isTier) return;
      const alone = await call(validateVoucher, { params: { code: id }, body: { ...body, ...more } });
      expect([alone.status, alone.body.valid, alone.body.reason]).toEqual([
        200,
        false,
        words ?? (id === 'NOPE' ? 'voucher not found' : message),
      ]);
      expect(alone.body.error).toMatchObject(words ? { message: words } : { code, key, message });
    });
    expect(changed).toEqual([]);
  });

  test('ends a redemption, and a failed one is stored', async () => {
    const changed = await changedBy(async () => {
      const reply = await call(redeemHandler, { body: { redeemables: [redeemable], ...body } });
      expect([reply.status, reply.body]).toMatchObject([code, isSo]);
      if (code === 404) return;
      expect(reply.body).toMatchObject({ resource_type: 'redemption', resource_id: expect.stringMatching(/^rf_/) });
      const kept = await call(getRedemption, { params: { redemptionId: reply.body.resource_id } });
      expect(kept.body).toMatchObject({ result: 'FAILURE', failure_code: key, failure_message: message, order: null });
      if (isTier) return;
      const alone = await call(redeemVoucher, { params: { code: id }, body: { ...body, ...more } });
      expect([alone.status, alone.body]).toMatchObject([code, { ...isSo, resource_type: 'redemption' }]);
    });
    expect(changed.filter((kind) => !traces.includes(kind))).toEqual([]);
  });
});

const plain = { object: 'voucher', id: 'PLAIN' };

test.each([
  ['no order', {}],
  ['no line', { order }],
  ['no line with a price', line({ quantity: 1, amount: null })],
])('a discount on items is redeemed with %s, and takes nothing off', async (_, body) => {
  const { credentials: headers } = await loadProject(lists);
  const redeemables = [{ object: 'voucher', id: 'LINES' }];
  const said = await caller(validateHandler)({ headers, body: { redeemables, ...body } });
  expect([said.status, said.body.valid, said.body.redeemables[0].status]).toEqual([200, true, 'APPLICABLE']);
  const done = await caller(redeemHandler)({ headers, body: { redeemables, ...body } });
  expect([done.status, done.body.redemptions[0].result]).toEqual([200, 'SUCCESS']);
  expect(done.body.order?.total_discount_amount ?? 0).toBe(0);
  const back = await caller(rollBackHandler)({ headers, params: { redemptionId: done.body.redemptions[0].id } });
  expect([back.status, back.body.result]).toEqual([200, 'SUCCESS']);
});

test('a repeat of a refused request gets the same message about a gift card', async () => {
  const gift = { redeemables: [{ object: 'voucher', id: 'GIFT' }] };
  const headers = { ...shop.credentials, 'idempotency-key': 'once' };
  const first = await caller(redeemHandler)({ headers, body: gift });
  const again = await caller(redeemHandler)({ headers, body: gift });
  expect([again.headers['Idempotent-Replayed'], again.body.message]).toEqual(['true', first.body.message]);
});

test('more credits and points than the order needs are not taken', async () => {
  const own = await loadProject(lists);
  const headers = own.credentials;
  const redeemables = [
    { object: 'voucher', id: 'GIFT', gift: { credits: 400 } },
    { object: 'voucher', id: 'CARD', reward: { id: 'rew_coin', points: 100 } },
  ];
  const { body } = await caller(redeemHandler)({
    headers,
    body: { redeemables, customer: ada, order: { amount: 430 } },
  });
  expect(body.redemptions.map(({ amount }: { amount: number }) => amount)).toEqual([400, 30]);
  expect(body.order).toMatchObject({ total_discount_amount: 430, total_amount: 0 });
});

test('a rollback is not rolled back', async () => {
  const { credentials: headers } = await loadProject(lists);
  const done = await caller(redeemHandler)({ headers, body: { redeemables: [plain], order } });
  const rollBack = (redemptionId: string) => caller(rollBackHandler)({ headers, params: { redemptionId } });
  const back = await rollBack(done.body.redemptions[0].id);
  expect(back.status).toBe(200);
  const changed = await changedBy(async () => {
    const again = await rollBack(back.body.id);
    expect([again.status, again.body.key]).toEqual([400, 'invalid_redemption']);
  });
  expect(changed.filter((kind) => kind !== 'REDEMPTION')).toEqual([]);
});
