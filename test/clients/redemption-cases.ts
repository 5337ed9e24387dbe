import { expect } from 'vitest';
import { answeredBy, type Case, type Client, DiscountVouchersTypesEnum } from './case.ts';
import { newPromotion } from './promotion-cases.ts';

/** Creates a code that can be used once, for a discount of 1. */
async function newCode(client: Client): Promise<string> {
  const discount = { type: DiscountVouchersTypesEnum.AMOUNT, amount_off: 100 };
  const { code = '' } = await client.vouchers.create({
    type: 'DISCOUNT_VOUCHER',
    discount,
    redemption: { quantity: 1 },
  });
  return code;
}

const order = { amount: 900 };

/** Makes a request to redeem a new code. */
async function oneOfOwn(client: Client) {
  return { redeemables: [{ object: 'voucher' as const, id: await newCode(client) }], order };
}

/** Rows for the client's methods about redemptions, and about an order before its payment. */
export const redemptionCases: Record<string, Case> = {
  'qualifications.checkEligibility': answeredBy('qualify', async (client) => {
    const { redeemables } = await client.qualifications.checkEligibility({
      scenario: 'ALL',
      order: { items: [{ product_id: 'prod_beans', quantity: 4 }] },
    });
    expect(redeemables).toMatchObject({ object: 'list', data: expect.arrayContaining([expect.any(Object)]) });
  }),
  'validations.validateStackable': answeredBy('validate-redeemables', async (client) => {
    const { ids } = await newPromotion(client, 'Is validated');
    const tiers = ids.map((id) => ({ object: 'promotion_tier' as const, id }));
    const validated = await client.validations.validateStackable({
      redeemables: [{ object: 'voucher', id: await newCode(client) }, ...tiers],
      order,
      options: { expand: ['order', 'redeemable'] },
    });
    expect(validated).toMatchObject({
      valid: true,
      redeemables: [
        { status: 'APPLICABLE', order: { total_discount_amount: 100 } },
        { status: 'APPLICABLE', object: 'promotion_tier' },
        { status: 'APPLICABLE', object: 'promotion_tier' },
      ],
      order: { amount: 900, total_discount_amount: 400, total_amount: 500 },
      stacking_rules: { redeemables_limit: 30, redeemables_application_mode: 'ALL' },
    });
    const refused = await client.validations.validateStackable({
      redeemables: [{ object: 'voucher', id: 'NOPE' }],
    });
    expect(refused).toMatchObject({
      valid: false,
      redeemables: [{ status: 'INAPPLICABLE', id: 'NOPE', result: { error: { code: 404, key: 'not_found' } } }],
    });
  }),
  'validations.validateVoucher': answeredBy('validate-voucher', async (client) => {
    const code = await newCode(client);
    const validated = await client.validations.validateVoucher(code, { order });
    expect(validated).toMatchObject({ valid: true, code, order: { total_amount: 800 } });
    const refused = await client.validations.validateVoucher('NOPE', { order });
    expect(refused).toMatchObject({ valid: false, code: 'NOPE', error: { code: 404, key: 'not_found' } });
  }),
  'validations.validate': answeredBy('validate-voucher', async (client) => {
    const code = await newCode(client);
    expect(await client.validations.validate(code, { order })).toMatchObject({ valid: true, code });
  }),
  'redemptions.redeem': answeredBy('redeem-voucher', async (client) => {
    const code = await newCode(client);
    const redeemed = await client.redemptions.redeem(code, {
      order,
      customer: { object: 'customer', source_id: 'sdk-till' },
    });
    expect(redeemed).toMatchObject({
      object: 'redemption',
      result: 'SUCCESS',
      customer: { source_id: 'sdk-till' },
      voucher: { code, redemption: { quantity: 1, redeemed_quantity: 1 } },
      order: { amount: 900, total_discount_amount: 100 },
    });
    await expect(client.redemptions.redeem(code)).rejects.toMatchObject({ code: 400, key: 'quantity_exceeded' });
  }),
  'vouchers.releaseValidationSession': answeredBy('end-voucher-session', async (client) => {
    const redeemables = [{ object: 'voucher' as const, id: await newCode(client) }];
    const session = { type: 'LOCK', ttl: 1, ttl_unit: 'DAYS' } as const;
    const { session: locked } = await client.validations.validateStackable({ redeemables, order, session });
    expect(locked).toMatchObject({ ...session, key: expect.any(String) });
    const key = locked?.key ?? '';
    await client.vouchers.releaseValidationSession(redeemables[0]?.id ?? '', key);
    const again = client.vouchers.releaseValidationSession(redeemables[0]?.id ?? '', key);
    await expect(again).rejects.toMatchObject({ code: 404 });
  }),
  'redemptions.list': answeredBy('list-redemptions', async (client) => {
    const { redemptions, data_ref } = await client.redemptions.list({ limit: 100, result: 'SUCCESS' });
    expect([data_ref, redemptions.map(({ id }) => id)]).toEqual([
      'redemptions',
      expect.arrayContaining(['r_of_the_example']),
    ]);
  }),
  'redemptions.get': answeredBy('get-redemption', async (client) => {
    expect(await client.redemptions.get('r_of_several')).toMatchObject({ object: 'redemption', result: 'SUCCESS' });
  }),
  'redemptions.getForVoucher': answeredBy('get-voucher-redemptions', async (client) => {
    expect(await client.redemptions.getForVoucher('TIDE-HELLO')).toMatchObject({
      object: 'list',
      data_ref: 'redemption_entries',
      redeemed_quantity: expect.any(Number),
    });
  }),
  'redemptions.redeemStackable': answeredBy('redeem-redeemables', async (client) => {
    const { redemptions } = await client.redemptions.redeemStackable(await oneOfOwn(client));
    expect(redemptions).toMatchObject([{ result: 'SUCCESS', voucher: { redemption: { redeemed_quantity: 1 } } }]);
  }),
  'redemptions.rollback': answeredBy('rollback-redemption', async (client) => {
    const { redemptions } = await client.redemptions.redeemStackable(await oneOfOwn(client));
    const { id = '' } = redemptions[0] ?? {};
    expect(await client.redemptions.rollback(id, { reason: 'torn' })).toMatchObject({
      object: 'redemption_rollback',
      redemption: id,
      reason: 'torn',
      order: { status: 'CANCELED', total_amount: 900 },
    });
  }),
  'redemptions.rollbackStackable': answeredBy('rollback-redemptions', async (client) => {
    const { redemptions } = await client.redemptions.redeemStackable(await oneOfOwn(client));
    const { id = '' } = redemptions[0] ?? {};
    expect(await client.redemptions.rollbackStackable(id, { reason: 'torn' })).toMatchObject({
      rollbacks: [{ redemption: id, reason: 'torn' }],
      order: { status: 'CANCELED' },
    });
  }),
};
