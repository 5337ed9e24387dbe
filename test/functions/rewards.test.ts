import { describe, expect, test } from 'vitest';
import { reward } from '#engine/loyalty/reward.ts';
import { handler as create } from '../../functions/rewards/create-reward.ts';
import { handler as update } from '../../functions/rewards/update-reward.ts';
import { describeCrud } from '../support/describe-crud.ts';
import { coin, mug, openCatalogue } from '../support/reward-catalogue.ts';

describeCrud('rewards', reward, {
  body: (number) => ({ name: `Coins ${number}`, parameters: coin(number), metadata: { number } }),
  refused: {
    name: { name: '', parameters: coin(1) },
    parameters: { name: 'Both', parameters: { ...coin(1), product: { id: 'prod_mug' } } },
    'parameters.coin.exchange_ratio': { name: 'Nothing', parameters: coin(0) },
    'parameters.coin.points_ratio': { name: 'Half', parameters: coin(1, 0.5) },
    stock: { name: 'Coins', parameters: coin(1), stock: 5 },
    'attributes.image_url': { name: 'Coins', parameters: coin(1), attributes: { image_url: 7 } },
  },
});

const { call, made } = await openCatalogue();

describe('a reward', () => {
  test("gives a product, by the service's ids, with a stock that may be sent as text", async () => {
    expect(await made(mug)).toMatchObject({
      type: 'MATERIAL',
      parameters: { product: { id: 'prod_mug', sku_id: 'sku_red' } },
      stock: 5,
      redeemed: null,
      updated_at: null,
    });
  });

  test.each([
    [{ id: 'camp_codes' }, { id: 'camp_codes', balance: null, type: 'DISCOUNT_COUPONS' }],
    [
      { id: 'camp_gift', balance: '500' },
      { id: 'camp_gift', balance: 500, type: 'GIFT_VOUCHERS' },
    ],
    [
      { id: 'camp_club', balance: 50 },
      { id: 'camp_club', balance: 50, type: 'LOYALTY_PROGRAM' },
    ],
  ])("gives a campaign's vouchers, credits or points: %j", async (campaign, shown) => {
    expect(await made({ name: 'Of a campaign', type: 'CAMPAIGN', parameters: { campaign } })).toMatchObject({
      type: 'CAMPAIGN',
      parameters: { campaign: shown },
    });
  });

  test.each([
    [{ campaign: { id: 'camp_nope' } }, 404, 'not_found', 'camp_nope'],
    [{ campaign: { id: 'camp_promo' } }, 400, 'invalid_payload', 'camp_promo'],
    [{ campaign: { id: 'camp_codes', balance: 5 } }, 400, 'invalid_balance', undefined],
    [{ campaign: { id: 'camp_gift' } }, 400, 'invalid_balance', undefined],
    [{ campaign: { id: 'camp_club', balance: 0 } }, 400, 'invalid_balance', undefined],
    [{ product: { id: 'prod_nope' } }, 404, 'not_found', 'prod_nope'],
    [{ product: { id: 'prod_hat', sku_id: 'red' } }, 404, 'not_found', 'red'],
  ])('is refused with %j', async (parameters, status, key, id) => {
    const { body } = await call(create, { body: { name: 'Wrong', parameters } });
    expect(body).toMatchObject({ code: status, key });
    expect(body.resource_id).toBe(id);
  });

  test('has the kind of its parameters, and keeps it', async () => {
    const wrong = await call(create, { body: { name: 'Wrong', type: 'COIN', parameters: mug.parameters } });
    expect(wrong.body.details).toContain('type must be what parameters say');
    const { id } = await made(mug);
    const changed = await call(update, { params: { rewardId: id }, body: { parameters: coin(1) } });
    expect(changed.body).toMatchObject({ key: 'invalid_payload' });
    const other = { parameters: { product: { id: 'prod_hat' } }, stock: null };
    expect((await call(update, { params: { rewardId: id }, body: other })).body).toMatchObject({
      name: 'Mug',
      parameters: { product: { id: 'prod_hat', sku_id: null } },
      stock: null,
    });
  });
});
