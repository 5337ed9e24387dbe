import { expect, onTestFinished, test } from 'vitest';
import { handler as listRedeemables } from '../../functions/customers/list-customer-redeemables.ts';
import { handler as deleteTier } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as disableTier } from '../../functions/promotions/disable-promotion-tier.ts';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as removeVoucher } from '../../functions/vouchers/delete-voucher.ts';
import { handler as disableVoucher } from '../../functions/vouchers/disable-voucher.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { faults } from '../support/faults.ts';
import { programme } from '../support/loyalty.ts';
import { afterRead, andBefore, beforeTransaction, beforeWrite, meanwhile, naming } from '../support/meanwhile.ts';
import { cart, coupon, earning, shop, vouchers } from '../support/redeeming.ts';

const many = { redemption: { quantity: 500, redeemed_quantity: 0 } };
const key = ({ status, body }: Awaited<ReturnType<ReturnType<typeof caller>>>) => (status === 200 ? 200 : body.key);

test.each([
  ['for everybody', many],
  ['of one use', {}],
])('a code %s that is disabled during its redemption is refused, and counts no use', async (_, how) => {
  const { headers, read } = await shop({ vouchers: [coupon('CODE', how)] });
  const off = () => caller(disableVoucher)({ headers, params: { code: 'CODE' } });
  const body = { redeemables: vouchers('CODE'), order: cart(1) };
  const reply = await meanwhile(beforeWrite(), off, (container) => caller(redeemHandler, container)({ headers, body }));
  expect(key(reply)).toBe('voucher_disabled');
  expect((await read('CODE')).redemption.redeemed_quantity).toBe(0);
});

test.each([
  ['switched off', disableTier, { active: true }],
  ['deleted', deleteTier, { active: true }],
  ['deleted, without being disabled,', deleteTier, {}],
])('a promotion that is %s during its redemption is refused', async (_, handler, switched) => {
  const { headers } = await shop({
    campaigns: [{ id: 'camp_sale', name: 'Sale', campaign_type: 'PROMOTION', type: 'STATIC' }],
    promotion_tiers: [
      {
        ...{ id: 'promo_one', name: 'One', campaign_id: 'camp_sale', hierarchy: 1, ...switched },
        action: { discount: { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' } },
      },
    ],
  });
  const off = () => caller(handler)({ headers, params: { promotionTierId: 'promo_one' } });
  const body = { redeemables: [{ object: 'promotion_tier', id: 'promo_one' }], order: cart(1) };
  const redeem = (container = testDependencies()) => caller(redeemHandler, container)({ headers, body });
  const reply = await meanwhile(beforeWrite(), off, redeem);
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(key(reply)).toBe(key(await redeem()));
});

test("the last use of a code that a session locks during another's redemption stays with the session", async () => {
  const { headers, read } = await shop({
    vouchers: [coupon('LAST', { redemption: { quantity: 20, redeemed_quantity: 19 } })],
  });
  const body = { redeemables: vouchers('LAST'), order: cart(1) };
  const session = { type: 'LOCK', key: 'till-1' };
  const lock = () => caller(validateHandler)({ headers, body: { ...body, session } });
  const reply = await meanwhile(beforeWrite(), lock, (container) =>
    caller(redeemHandler, container)({ headers, body }),
  );
  expect(key(reply)).toBe('quantity_exceeded');
  expect((await read('LAST')).redemption.redeemed_quantity).toBe(19);
  expect(key(await caller(redeemHandler)({ headers, body: { ...body, session } }))).toBe(200);
});

test("a code that is created again during the rollback of the old code's redemption gets nothing", async () => {
  const { headers, read, redeem } = await shop({});
  const clock = standingClock();
  const params = { code: 'AGAIN' };
  const body = {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' },
    redemption: { quantity: 500 },
  };
  await caller(createVoucher)({ headers, params, body });
  const [redemption] = (await redeem({ redeemables: vouchers('AGAIN'), order: cart(1) })).body.redemptions;
  const anew = async () => {
    clock.advance(60);
    await caller(removeVoucher)({ headers, params, query: 'force=true' });
    expect((await caller(createVoucher, testDependencies({ clock }))({ headers, params, body })).status).toBe(200);
  };
  const reply = await meanwhile(beforeTransaction(), anew, (container) =>
    caller(rollBackHandler, container)({ headers, params: { redemptionId: redemption.id } }),
  );
  expect(key(reply)).toBe(200);
  expect((await read('AGAIN')).redemption).toMatchObject({ redeemed_quantity: 0 });
});

test('of two redemptions that want one locked use of a shared code, the slower one is refused', async () => {
  const { headers, read } = await shop({ vouchers: [coupon('MANY', many)] });
  const body = { redeemables: vouchers('MANY'), order: cart(1), session: { type: 'LOCK', key: 'till-1' } };
  await caller(validateHandler)({ headers, body });
  const redeem = (container = testDependencies()) => caller(redeemHandler, container)({ headers, body });
  expect(key(await meanwhile(beforeWrite(), () => redeem(), redeem))).toBe('multiple_requests');
  expect((await read('MANY')).redemption.redeemed_quantity).toBe(1);
});

test('a use that is counted twice for lack of a reply counts once', async () => {
  const { headers, read } = await shop({ vouchers: [coupon('MANY', many)] });
  const proxy = await startFaultProxy();
  onTestFinished(proxy.close);
  proxy.run((call) => (call.operation === 'UpdateItem' ? faults['is delivered twice'] : undefined));
  const body = { redeemables: vouchers('MANY'), order: cart(1) };
  const container = testDependencies({ dynamodb: proxy.client });
  expect((await caller(redeemHandler, container)({ headers, body })).status).toBe(200);
  expect((await read('MANY')).redemption.redeemed_quantity).toBe(1);
});

test.each([
  ['with an order', { order: cart(1) }],
  ['without an order', {}],
])('of two rollbacks of a redemption %s one succeeds, and the other is told so', async (_, more) => {
  const { headers, read, redeem } = await shop({ vouchers: [coupon('CODE', many)] });
  const redeemed = await Promise.all([1, 2].map(() => redeem({ redeemables: vouchers('CODE'), ...more })));
  const redemptionId = redeemed[0]?.body.redemptions[0].id;
  const rollBack = (container = testDependencies()) =>
    caller(rollBackHandler, container)({ headers, params: { redemptionId } });
  const reply = await meanwhile(beforeTransaction(), () => rollBack(), rollBack);
  expect(key(reply)).toBe('already_rolled_back');
  expect((await read('CODE')).redemption.redeemed_quantity).toBe(1);
});

test("a customer gets no second card if another order makes them a member between this order's reads", async () => {
  const { headers, redeem } = await shop({
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    campaigns: [programme('camp_club', { type: 'AUTO_UPDATE', auto_join: true })],
    earning_rules: [earning('camp_club', 5)],
    vouchers: [coupon('ONE'), coupon('TWO')],
  });
  const bodyOf = (code: string) => ({ redeemables: vouchers(code), customer: { source_id: 'ada' }, order: cart(1) });
  const cardsRead = andBefore(
    afterRead(1, 'HELD_CARD'),
    (call) => call.operation !== 'Query' && naming('cust_ada')(call),
  );
  const reply = await meanwhile(
    cardsRead,
    () => redeem(bodyOf('ONE')),
    (container) => caller(redeemHandler, container)({ headers, body: bodyOf('TWO') }),
  );
  expect(key(reply)).toBe(200);
  const { body } = await caller(listRedeemables)({ headers, params: { customerId: 'cust_ada' } });
  const cards = body.data.filter(({ campaign_id }: { campaign_id: string }) => campaign_id === 'camp_club');
  expect(cards).toMatchObject([{ redeemable: { voucher: { loyalty_card: { balance: 10 } } } }]);
});
