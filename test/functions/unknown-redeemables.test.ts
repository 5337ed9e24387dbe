import { beforeAll, describe, expect, test } from 'vitest';
import { handler as qualify } from '../../functions/qualifications/qualify.ts';
import { handler as listRedemptions } from '../../functions/redemptions/list-redemptions.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as validate } from '../../functions/validations/validate-redeemables.ts';
import { caller } from '../support/call.ts';
import { openShop, type Shop } from '../support/shop.ts';

const ten = { code: 'TEN', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 10 } };
const order = { amount: 1000 };

describe.each(['ALL', 'PARTIAL'])('in mode %s', (redeemables_application_mode) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(undefined, { vouchers: [ten], stacking_rules: [{ redeemables_application_mode }] });
  });

  const call = async (handler: Parameters<typeof caller>[0], body: object) =>
    caller(handler)({ headers: shop.project.credentials, body });

  test.each([
    ['promotion_stack', 'stack_none'],
    ['promotion_tier', 'promo_none'],
    ['voucher', 'NONE'],
  ])('an unknown %s is reported: by a validation within its reply, by a redemption with 404', async (object, id) => {
    const body = { redeemables: [{ object, id }], order };
    const error = {
      ...{ code: 404, key: 'not_found', details: `Cannot find ${object} with id ${id}` },
      ...{ resource_id: id, resource_type: object, redeemable_id: id, redeemable_type: object },
    };
    const said = await call(validate, body);
    expect(said.status).toBe(200);
    expect(said.body).toMatchObject({
      valid: false,
      redeemables: [{ status: 'INAPPLICABLE', object, id, result: { error, details: { key: 'not_found' } } }],
      inapplicable_redeemables: [{ object, id }],
    });
    expect(said.body).not.toHaveProperty('order');

    const done = await call(redeem, body);
    expect([done.status, done.body]).toMatchObject([404, error]);
    const { credentials: headers } = shop.project;
    expect((await caller(listRedemptions)({ headers })).body.redemptions).toEqual([]);

    const filters = { junction: 'and', resource_id: { conditions: { $is: [id] } } };
    const found = await call(qualify, { order, options: { filters } });
    expect([found.status, found.body.redeemables.data]).toEqual([200, []]);
  });
});
