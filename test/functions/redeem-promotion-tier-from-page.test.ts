import { describe, expect, test } from 'vitest';
import { handler as redeemTierHere } from '../../functions/client/redeem-promotion-tier-from-page.ts';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { caller } from '../support/call.ts';
import { customer, leaked, pageShop } from '../support/page-shop.ts';

type Shop = Awaited<ReturnType<typeof pageShop>>;

const redeemTier = ({ headers }: Shop, promotionTierId: string, body: object) =>
  caller(redeemTierHere)({ headers, params: { promotionTierId }, body });

const redeemedOf = async ({ server: headers }: Shop, promotionTierId: string) =>
  (await caller(getTier)({ headers, params: { promotionTierId } })).body.summary.redemptions.total_redeemed;

describe('a page that redeems a promotion tier', () => {
  test('gets the discount on a new order, and learns nothing that only shops may see', async () => {
    const shop = await pageShop();
    const { status, body } = await redeemTier(shop, 'promo_1', { customer, order: { amount: 1_000 } });
    expect([status, body]).toMatchObject([
      200,
      {
        object: 'redemption',
        result: 'SUCCESS',
        order: { amount: 1_000, total_discount_amount: 100, total_amount: 900, status: 'CREATED' },
        promotion_tier: { id: 'promo_1', metadata: {} },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(leaked);
    expect(await redeemedOf(shop, 'promo_1')).toBe(8);
  });

  test('is refused unless the project lets pages redeem', async () => {
    const { status, body } = await redeemTier(await pageShop({ redemption: false }), 'promo_1', {
      order: { amount: 1_000 },
    });
    expect([status, body.key]).toEqual([403, 'client_side_disabled']);
  });

  test('is refused for a tier that is unknown or not valid yet', async () => {
    const shop = await pageShop();
    const order = { amount: 1_000 };
    expect((await redeemTier(shop, 'promo_none', { order })).status).toBe(404);
    expect((await redeemTier(shop, 'promo_soon', { order })).status).toBe(400);
  });

  test('cannot name a stored order', async () => {
    const shop = await pageShop();
    const { body: stored } = await shop.store({ source_id: 'till-1', amount: 5_000 });
    expect((await redeemTier(shop, 'promo_1', { order: { id: stored.id } })).status).toBe(404);
  });
});
