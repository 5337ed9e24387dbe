import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as importIntoCampaign } from '../../functions/campaigns/import-campaign-vouchers.ts';
import { handler as updateCampaign } from '../../functions/campaigns/update-campaign.ts';
import { handler as createTier } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as updateTier } from '../../functions/promotions/update-promotion-tier.ts';
import { handler as redeemRedeemables } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as createVoucherWithCode } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers.ts';
import { handler as updateVoucher } from '../../functions/vouchers/update-voucher.ts';
import { caller } from '../support/call.ts';
import { exported } from '../support/exported.ts';
import { loadProject } from '../support/project.ts';
import { changedBy } from '../support/table-state.ts';

const type = 'DISCOUNT_VOUCHER';
const whole = { type: 'UNIT', unit_off: 1, unit_type: 'prod_mug', effect: 'ADD_NEW_ITEMS' };

const voucher = { type, discount: whole };
const project = await loadProject({
  products: [{ id: 'prod_mug', name: 'Mug', price: 1200 }],
  campaigns: [
    { id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher },
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
  ],
  promotion_tiers: [{ id: 'promo_1', name: 'One', campaign_id: 'camp_tiers', hierarchy: 1 }],
  vouchers: [{ code: 'THERE', type, discount: whole }],
});

const call = (handler: Endpoint, body: unknown, params: Record<string, string> = {}) =>
  caller(handler)({ headers: project.credentials, params, body });

type Ask = (discount: object) => ReturnType<typeof call>;

const ways: [what: string, place: string, ask: Ask][] = [
  ['a voucher', 'discount', (discount) => call(createVoucher, { type, discount })],
  ['a voucher by its code', 'discount', (discount) => call(createVoucherWithCode, { type, discount }, { code: 'NEW' })],
  ['the change of a voucher', 'discount', (discount) => call(updateVoucher, { discount }, { code: 'THERE' })],
  ['an import', '[0].discount', (discount) => call(importVouchers, [{ code: 'NEW', type, discount }])],
  [
    'an import into a campaign',
    '[0].discount',
    (discount) => call(importIntoCampaign, [{ code: 'NEW', discount }], { campaignId: 'camp_codes' }),
  ],
  ['a campaign', 'voucher.discount', (discount) => call(createCampaign, { name: 'New', voucher: { type, discount } })],
  [
    'the change of a campaign',
    'discount',
    (discount) => call(updateCampaign, { discount }, { campaignId: 'camp_codes' }),
  ],
  [
    'a campaign with a tier',
    'promotion.tiers[0].action.discount',
    (discount) =>
      call(createCampaign, {
        name: 'New',
        campaign_type: 'PROMOTION',
        promotion: { tiers: [{ name: 'T', action: { discount } }] },
      }),
  ],
  [
    'a promotion tier',
    'action.discount',
    (discount) => call(createTier, { name: 'T', action: { discount } }, { campaignId: 'camp_tiers' }),
  ],
  [
    'the change of a promotion tier',
    'action.discount',
    (discount) => call(updateTier, { action: { discount } }, { promotionTierId: 'promo_1' }),
  ],
];

test.each(ways)('%s is refused with a unit discount without a number and a product', async (_, place, ask) => {
  const changed = await changedBy(async () => {
    const { effect, ...unit } = whole;
    const refused: [sent: object, details: string[]][] = [
      [{ type: 'UNIT' }, ['unit_off is required', 'unit_type is required']],
      [{ ...unit, unit_type: undefined }, ['unit_type is required']],
      [{ ...unit, unit_off: 0 }, ['unit_off must be 1 or more']],
      [{ type: 'UNIT', effect: 'ADD_MANY_ITEMS' }, ['units must not be empty']],
      [
        { type: 'UNIT', units: [whole, { unit_off: 0, effect }] },
        ['units[1].unit_off must be 1', 'units[1].unit_type'],
      ],
    ];
    for (const [sent, details] of refused) {
      const { status, body } = await ask(sent);
      expect([status, body.key]).toEqual([400, 'invalid_payload']);
      for (const one of details) expect(body.details).toContain(`${place}.${one}`);
    }
  });
  expect(changed).toEqual([]);
});

test.each([
  ['a formula for how many', { type: 'UNIT', unit_off_formula: '2', unit_type: 'mug' }],
  ['units that the cart has', { type: 'UNIT', unit_off: 1, effect: 'ADD_SAME_ITEMS' }],
  ['many kinds', { type: 'UNIT', effect: 'ADD_MANY_ITEMS', units: [{ unit_off: 1, unit_type: 'mug' }] }],
  ['many kinds, without a single one', { type: 'UNIT', units: [{ unit_off: 1, effect: 'ADD_SAME_ITEMS' }] }],
])('a unit discount with %s is accepted', async (_, discount) => {
  const { status, body } = await call(createVoucher, { type, discount });
  expect([status, body.discount]).toEqual([200, discount]);
});

describe('a unit discount of a project file without a product', () => {
  const loose = [{ type: 'UNIT' }, { type: 'UNIT', unit_off: 1 }, { type: 'UNIT', effect: 'ADD_MANY_ITEMS' }];

  test.each(loose)('is stored and exported, and gives nothing: %j', async (discount) => {
    const { id, credentials: headers } = await loadProject({ vouchers: [{ code: 'LOOSE', type, discount }] });
    const shown = await caller(getVoucher)({ headers, params: { code: 'LOOSE' } });
    expect(shown.body.discount).toEqual(discount);
    expect((await exported(id)).vouchers[0].discount).toEqual(discount);
    const body = { redeemables: [{ object: 'voucher', id: 'LOOSE' }], order: { items: [{ quantity: 1, price: 500 }] } };
    const { status, body: done } = await caller(redeemRedeemables)({ headers, body });
    expect(status).toBe(200);
    expect(done.order).toMatchObject({ amount: 500, total_amount: 500 });
    expect(done.order.items).toHaveLength(1);
  });
});
