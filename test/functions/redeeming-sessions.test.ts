import { expect, test } from 'vitest';
import { handler as redeemHandler } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { clientWith, isTransaction } from '../support/client.ts';
import { newClient, testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const off = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
const coupon = (code: string, quantity: number) => ({
  ...{ code, type: 'DISCOUNT_VOUCHER', active: true, discount: off },
  redemption: { quantity },
});

async function shop() {
  const { credentials: headers } = await loadProject({
    vouchers: [
      coupon('FEW', 5),
      coupon('MANY', 500),
      { code: 'CARD', type: 'GIFT_VOUCHER', active: true, gift: { amount: 500, effect: 'APPLY_TO_ORDER' } },
    ],
  });
  const bodyOf = (code: string) => ({
    redeemables: [{ object: 'voucher', id: code }],
    order: { amount: 200 },
    session: { type: 'LOCK', key: 'till-1' },
  });
  const ask =
    (handler: typeof redeemHandler) =>
    (code: string, dynamodb: ReturnType<typeof newClient> = newClient()) =>
      caller(handler, { ...testDependencies(), dynamodb })({ headers, body: bodyOf(code) });
  const used = async (code: string) =>
    (await caller(voucherHandler)({ headers, params: { code } })).body.redemption.redeemed_quantity;
  return { validate: ask(validateHandler), redeem: ask(redeemHandler), used };
}

/** Something else happens before the request's transaction. */
function interrupted(by: () => Promise<void>) {
  let isFirst = true;
  return clientWith(newClient(), async (command, real) => {
    const isNow = isTransaction(command) && isFirst;
    if (isNow) isFirst = false;
    if (isNow) await by();
    return real();
  });
}

test('while a session redeems a shared code, it neither redeems nor validates that again', async () => {
  const { validate, redeem, used } = await shop();
  expect((await validate('MANY')).body.valid).toBe(true);
  const during = async () => {
    const other = await redeem('MANY');
    expect([other.status, other.body.key]).toEqual([400, 'multiple_requests']);
    const { body } = await validate('MANY');
    expect(body).toMatchObject({ valid: false, redeemables: [{ result: { error: { key: 'multiple_requests' } } }] });
  };
  expect((await redeem('MANY', interrupted(during))).status).toBe(200);
  expect(await used('MANY')).toBe(1);
  expect((await validate('MANY')).body.valid).toBe(true);
});

test.each([
  ['FEW', 1],
  ['CARD', 1],
])("of two requests that redeem a session's locked use of %s, the slower one is refused", async (code, uses) => {
  const { validate, redeem, used } = await shop();
  expect((await validate(code)).body.valid).toBe(true);
  const during = async () => {
    expect((await redeem(code)).status).toBe(200);
  };
  const slower = await redeem(code, interrupted(during));
  expect([slower.status, slower.body.key]).toEqual([400, 'multiple_requests']);
  expect(await used(code)).toBe(uses);
});

test.each(['FEW', 'MANY', 'CARD'])(
  'twenty requests under one session use of %s exactly what they are told',
  async (code) => {
    const { validate, redeem, used } = await shop();
    await validate(code);
    const replies = await Promise.all(Array.from({ length: 20 }, () => redeem(code)));
    const keys = replies.map(({ status, body }) => (status === 200 ? 'done' : body.key));
    const known = ['done', 'multiple_requests', 'quantity_exceeded', 'gift_amount_exceeded'];
    expect(keys.filter((key) => !known.includes(key))).toEqual([]);
    expect(keys).toContain('done');
    expect(await used(code)).toBe(keys.filter((key) => key === 'done').length);
  },
);
